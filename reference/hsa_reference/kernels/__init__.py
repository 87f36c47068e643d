"""What runs kernels: executors, each for an instruction set architecture or for named kernels.

The packet processor hands a dispatch that passed its checks to the first executor that has the
kernel. One that executes the code of a GPU is another `Executor`, found by `Kernel.target`.
"""

from hsa_reference.kernels.executor import Dispatch, Executor, Kernel, Launch
from hsa_reference.kernels.host import HostExecutor, KernelsError, load_kernels

__all__ = [
    "Dispatch",
    "Executor",
    "HostExecutor",
    "Kernel",
    "KernelsError",
    "Launch",
    "load_kernels",
]
