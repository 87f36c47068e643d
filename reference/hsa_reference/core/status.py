"""Texts for status codes."""

from __future__ import annotations

from hsa_reference import memory
from hsa_reference.effects import unlocked
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer


@unlocked
def hsa_status_string(state: State, status: int, status_string: int) -> Answer:
    """Write the address of the status's text."""
    address = state.catalogue.status_texts.get(status)
    if address is None:
        return INVALID_ARGUMENT
    memory.store(status_string, address, 8)
    return SUCCESS
