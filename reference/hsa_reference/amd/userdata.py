"""Pointers that the application keeps with memory."""

from __future__ import annotations

from hsa_reference.core.memory.places import Places
from hsa_reference.state import State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer


def hsa_amd_pointer_info_set_userdata(state: State, ptr: int, userdata: int) -> Answer:
    """Keep a pointer with the memory at an address, in place of the one before."""
    place = state.part(Places).around(ptr)
    if place is None:
        return INVALID_ARGUMENT
    place.user_data = userdata
    return SUCCESS
