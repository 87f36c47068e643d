"""Signals that processes share by name."""

from hsa_reference.amd.ipc.signals import (
    SharedSignals,
    hsa_amd_ipc_signal_attach,
    hsa_amd_ipc_signal_create,
)

__all__ = ["PART", "hsa_amd_ipc_signal_attach", "hsa_amd_ipc_signal_create"]

PART = SharedSignals
