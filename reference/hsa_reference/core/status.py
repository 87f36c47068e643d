"""Texts for status codes."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.attributes import static_text
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer


class Texts(Part):
    """The addresses of the texts of statuses, by status."""

    def __init__(self, state: State) -> None:
        self.addresses = {
            e.value: static_text(f"{e.name}: {e.summary}")
            for e in state.registry.enums["hsa_status_t"].enumerators
        }


PART = Texts


@unlocked
def hsa_status_string(state: State, status: int, status_string: int) -> Answer:
    """Write the address of the status's text."""
    address = state.part(Texts).addresses.get(status)
    if address is None:
        return INVALID_ARGUMENT
    memory.store(status_string, address, 8)
    return SUCCESS
