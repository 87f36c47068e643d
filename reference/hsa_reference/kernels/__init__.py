"""What runs kernels: executors, each for an instruction set architecture or for named kernels.

The packet processor hands a dispatch that passed its checks to the first executor that has the
kernel. `DeviceExecutor` executes the code of GPUs, and `HostExecutor` calls functions of the host.
"""

from hsa_reference.kernels.device import DeviceExecutor, lacking
from hsa_reference.kernels.executor import (
    Dispatch,
    DispatchContext,
    DispatchEndedError,
    Executor,
    Kernel,
    Launch,
    View,
)
from hsa_reference.kernels.host import HostExecutor, KernelsError, load_kernels

__all__ = [
    "DeviceExecutor",
    "Dispatch",
    "DispatchContext",
    "DispatchEndedError",
    "Executor",
    "HostExecutor",
    "Kernel",
    "KernelsError",
    "Launch",
    "View",
    "lacking",
    "load_kernels",
]
