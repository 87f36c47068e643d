"""Properties of memory and signals that processes share by name."""

from hsa_conformance.suite.amd.ipc import memory, signals

__all__ = ["memory", "signals"]
