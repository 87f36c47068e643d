"""How agents keep memory coherent."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.state import Part, State
from hsa_reference.status import SUCCESS, Answer


class Coherency(Part):
    """What was chosen for an agent, by its handle; the others are coherent."""

    def __init__(self, state: State) -> None:
        self.chosen: dict[int, int] = {}
        self.coherent = state.registry.constants["HSA_AMD_COHERENCY_TYPE_COHERENT"]

    def release(self) -> None:
        """Forget what was chosen."""
        self.chosen.clear()


PART = Coherency


def hsa_amd_coherency_get_type(state: State, agent: int, type: int) -> Answer:
    """Write what was chosen for an agent."""
    coherency = state.part(Coherency)
    memory.store(type, coherency.chosen.get(agent, coherency.coherent), 4)
    return SUCCESS


def hsa_amd_coherency_set_type(state: State, agent: int, type: int) -> Answer:
    """Remember what was chosen; all memory stays coherent."""
    state.part(Coherency).chosen[agent] = type
    return SUCCESS
