"""What is known about an address."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import memmove

from hsa_reference import memory
from hsa_reference.amd.interop import Buffer
from hsa_reference.amd.ipc.memory import Attachment
from hsa_reference.amd.locks import Lock
from hsa_reference.amd.pools.state import Allocation
from hsa_reference.amd.vmem.state import Mapping as VirtualMapping
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.attributes import pack
from hsa_reference.callbacks import allocate
from hsa_reference.core.agents import Agents
from hsa_reference.core.executables.state import Executables
from hsa_reference.core.memory.places import Place, Places
from hsa_reference.core.memory.state import RegionBlock
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.ranges import Range
from hsa_reference.state import State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer

_INFO = "hsa_amd_pointer_info_t"

_KINDS: Mapping[type[Place], str] = {
    RegionBlock: "HSA_EXT_POINTER_TYPE_HSA",
    Allocation: "HSA_EXT_POINTER_TYPE_HSA",
    Lock: "HSA_EXT_POINTER_TYPE_LOCKED",
    Buffer: "HSA_EXT_POINTER_TYPE_GRAPHICS",
    Attachment: "HSA_EXT_POINTER_TYPE_IPC",
    VirtualMapping: "HSA_EXT_POINTER_TYPE_HSA_VMEM",
}


@unlocked
def hsa_amd_pointer_info(
    state: State, ptr: int, info: int, alloc: int, num_agents_accessible: int, accessible: int
) -> Answer:
    """Describe what lies at an address, and list the agents that can access it."""
    given = memory.load(info, 4)
    known = state.registry.structs[_INFO].size
    with LOCK:  # not held while the application allocates the list
        values, agents = _describe(state, ptr)
    written = min(given, known)
    data = pack(state.registry, _INFO, {"size": written, **values}, _INFO)
    if alloc and num_agents_accessible and accessible:
        array = 0
        if agents:
            array = allocate(alloc, 8 * len(agents))
            if array == 0:
                return OUT_OF_RESOURCES
        for index, agent in enumerate(agents):
            memory.store(array + 8 * index, agent, 8)
        memory.store(num_agents_accessible, len(agents), 4)
        memory.store(accessible, array, 8)
    memmove(info, data, written)
    return SUCCESS


def _describe(state: State, address: int) -> tuple[dict[str, object], list[int]]:
    """Return the members that have a meaning for this address, and its agents."""
    place = state.part(Places).around(address)
    if place is not None:
        values = _range(place, _KINDS[type(place)]) | {
            "userData": place.user_data,
            "agentOwner": place.agent,
            "global_flags": place.flags,
        }
        return values, sorted(place.agents)
    code = state.part(Executables).places.around(address)
    if code is not None:
        agents = state.part(Agents)
        reaching = {a for a in agents.by_handle if agents.on_host(a) or a == code.agent}
        owner = {"agentOwner": code.agent}
        return _range(code, "HSA_EXT_POINTER_TYPE_HSA") | owner, sorted(reaching)
    reserved = state.part(VirtualMemory).reservations.around(address)
    if reserved is not None:
        values = _range(reserved, "HSA_EXT_POINTER_TYPE_RESERVED_ADDR")
        return values | {"registered": reserved.registered}, []
    return {"type": "HSA_EXT_POINTER_TYPE_UNKNOWN"}, []


def _range(found: Range, kind: str) -> dict[str, object]:
    return {
        "type": kind,
        "agentBaseAddress": found.address,
        "hostBaseAddress": found.address,
        "sizeInBytes": found.size,
        "registered": True,
    }
