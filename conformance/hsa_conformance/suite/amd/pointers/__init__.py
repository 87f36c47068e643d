"""Properties of hsa_amd_pointer_info: the structure, what it says, and the list of agents."""

from hsa_conformance.suite.amd.pointers import agents, memory, sizes

__all__ = ["agents", "memory", "sizes"]
