"""Memory and signals that processes share by name."""

from hsa_reference.amd.ipc.memory import (
    SharedMemory,
    hsa_amd_ipc_memory_attach,
    hsa_amd_ipc_memory_create,
    hsa_amd_ipc_memory_detach,
)
from hsa_reference.amd.ipc.signals import (
    SharedSignals,
    hsa_amd_ipc_signal_attach,
    hsa_amd_ipc_signal_create,
)
from hsa_reference.state import Part, State

__all__ = [
    "PART",
    "hsa_amd_ipc_memory_attach",
    "hsa_amd_ipc_memory_create",
    "hsa_amd_ipc_memory_detach",
    "hsa_amd_ipc_signal_attach",
    "hsa_amd_ipc_signal_create",
]


class IpcState(Part):
    """Both."""

    def __init__(self, state: State) -> None:
        state.part(SharedMemory)
        state.part(SharedSignals)


PART = IpcState
