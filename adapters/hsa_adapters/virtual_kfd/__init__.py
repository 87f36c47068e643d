"""An imitation of the AMD kernel driver, so that the real ROCr runs on a machine with no GPU."""

from hsa_adapters.virtual_kfd.adapter import ImitatedAdapter
from hsa_adapters.virtual_kfd.build import LIBRARY, build, cached
from hsa_adapters.virtual_kfd.device import device_command, started
from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.folder import VirtualKfd, prepare
from hsa_adapters.virtual_kfd.machine import DEFAULT, load_machine

__all__ = [
    "DEFAULT",
    "LIBRARY",
    "ImitatedAdapter",
    "VirtualKfd",
    "VirtualKfdError",
    "build",
    "cached",
    "device_command",
    "load_machine",
    "prepare",
    "started",
]
