"""Asks hsa_amd_pointer_info, whose answers come in structures and arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.comparing import equal, part, some, within
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import PATTERN, Answer, Out
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_reports import Verdict
from hsa_spec import Struct

FUNCTION: Final = "hsa_amd_pointer_info"
ALLOCATOR: Final = "hsa_alloc_callback"
#: Members that say where memory begins.
_BASES: Final = ("agentBaseAddress", "hostBaseAddress")
ROOM: Final = 1 << 12  # bytes for the array of agents


def structure(scene: Scene) -> Struct:
    """Return the structure that the function fills in, as its newest release has it."""
    return scene.session.registry.structs["hsa_amd_pointer_info_t"]


def info(scene: Scene, size: int, room: int) -> Symbol:
    """Return the address of a structure that says how large it is, the rest a pattern.

    Args:
        scene: the property's scene.
        size: what it says, in bytes.
        room: bytes that it really has.

    """
    rest = bytes([PATTERN]) * (room - 4)
    return scene.session.place(size.to_bytes(4, "little") + rest, f"&info of {size} bytes")


class Members(dict[str, int]):
    """The members of the structure; one that the library left out blocks whoever needs it."""

    def __missing__(self, name: str) -> int:
        raise Blocked(f"{FUNCTION}/size-on-return", f"a structure without {name}")


def describe(scene: Scene, address: int) -> Members:
    """Return the members of the structure for an address, those left out that did not fit.

    Raises:
        Blocked: the call does not succeed, or a member is asked for that did not fit.

    """
    known = structure(scene)
    place = info(scene, known.size, known.size)
    scene.set_up(FUNCTION, ptr=address, info=place, alloc=0, num_agents_accessible=0, accessible=0)
    data = scene.session.read(place, known.size) or b""
    written = int.from_bytes(data[:4], "little")
    return Members(
        (f.name, part(data, f.offset, f.size)) for f in known.fields if f.offset + f.size <= written
    )


def kind_of(scene: Scene, address: int) -> str:
    """Return the type of an address, by its name without the common prefix; see `describe`."""
    return type_of(scene, describe(scene, address))


def type_of(scene: Fixtures, members: Members) -> str:
    """Return the type that is said, by its name without the common prefix."""
    value = members["type"]
    named = scene.session.registry.enums["hsa_amd_pointer_type_t"].by_value.get(value)
    return named.name.removeprefix("HSA_EXT_POINTER_TYPE_") if named else str(value)


def require_covered(scene: Scene, address: int) -> None:
    """Demand that an address lies in the memory that is said to be there, if any is."""
    members = describe(scene, address)
    unknown = scene.session.registry.constants["HSA_EXT_POINTER_TYPE_UNKNOWN"]
    size = members["sizeInBytes"]
    bases = [members[base] for base in _BASES if members[base]]
    scene.require(
        some(equal(members["type"], unknown), *(within(address, base, size) for base in bases)),
        f"the address is not among the bytes of its allocation: {words_of(address, members)}",
        type_of(scene, members),
    )


def words_of(address: int, members: Members) -> str:
    """Return what is said of an address in words."""
    bases = ", ".join(f"{base} {members[base]:#x}" for base in _BASES)
    return f"of {address:#x} {bases}, sizeInBytes {members['sizeInBytes']:#x}"


def _if_offered(scene: Scene, address: int) -> Members:
    """Return what is said of an address, for a property of another function; see `describe`.

    Raises:
        Unavailable: the library has no function for it.

    """
    if not scene.session.offers(FUNCTION):
        raise Unavailable(Verdict.NOT_APPLICABLE, f"the library has no {FUNCTION}")
    return describe(scene, address)


def require_gone(scene: Scene, address: int) -> None:
    """Demand that a block of the host that was freed is not there as if nothing had been done.

    What is still known may be a mistake of the query, or a larger block that it was a part of, and
    what can still be read may wait to be used again. A block that begins there is neither.

    Raises:
        Blocked: the address cannot be described.
        Unavailable: the library has no function for it.

    """
    members = _if_offered(scene, address)
    found = type_of(scene, members)
    begins = address == members["agentBaseAddress"] or address == members["hostBaseAddress"]
    known = found != "UNKNOWN" and begins
    readable = known and scene.session.read(address, 1) is not None
    scene.require(not readable, "the block is known and can be read after it was freed", found)


def require_kind(scene: Scene, address: int, expected: str) -> None:
    """Demand the type of an address; see `kind_of`."""
    require_type(scene, describe(scene, address), expected)


def require_type(scene: Scene, members: Members, expected: str, subject: str = "the type") -> None:
    """Demand the type that is said, which the summary calls `subject`."""
    found = type_of(scene, members)
    wanted = scene.session.registry.constants[f"HSA_EXT_POINTER_TYPE_{expected}"]
    right = equal(members["type"], wanted)
    scene.require(right, f"{subject} is {found} instead of {expected}", found)


def require_locked(scene: Scene, address: int, size: int) -> None:
    """Demand that a range is memory that is locked for agents, as its first byte is.

    Args:
        scene: the property's scene.
        address: where agents find the range.
        size: its bytes.

    Raises:
        Blocked: an address cannot be described, or the first one is not known to be locked.
        Unavailable: the library has no function for it.

    """
    found = type_of(scene, _if_offered(scene, address))
    if found != "LOCKED":
        raise Blocked(f"{FUNCTION}/locked", found)
    for offset in (size - 1, scene.draw(drawing.integers(0, size - 1))):
        found = kind_of(scene, address + offset)
        summary = f"the range begins locked, and the type is {found} {offset} bytes further"
        scene.require(found == "LOCKED", summary, found)


def require_described(scene: Scene, address: int, devices: Sequence[str], *, coarse: bool) -> None:
    """Demand what is said of a block's owner and of its memory.

    Args:
        scene: the property's scene.
        address: the block.
        devices: the kinds of agents that may own it.
        coarse: whether it is coarse-grained.

    Raises:
        Blocked: the block cannot be described.
        Unavailable: the library has no function for it.

    """
    found = _if_offered(scene, address)
    owners = {int(agent.handle) for device in devices for agent in known_agents(scene, device)}
    owner = found["agentOwner"]
    scene.require(
        owner in owners,
        f"the block is owned by no {' or '.join(dict.fromkeys(devices))} agent",
        f"{owner:#x}",
    )
    bit = scene.session.registry.constants["HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED"]
    told = bool(found["global_flags"] & bit)
    words = "is not" if coarse else "is"
    scene.require(told == coarse, f"the block {words} said to be coarse-grained", told)


def list_agents(scene: Scene, address: int, array: int | None) -> Answer:
    """Ask for the agents that can access an address.

    Args:
        scene: the property's scene.
        address: an address of an allocation.
        array: what the function is given when it asks for memory; NULL for "there is none"; None
            for fresh memory of the size it asks for.

    """
    size = structure(scene).size
    fresh = Callback(ALLOCATOR, allocate=True)
    return scene.call(
        FUNCTION,
        ptr=address,
        info=info(scene, size, size),
        alloc=fresh if array is None else Callback(ALLOCATOR, (int(array),)),
        num_agents_accessible=Out(),
        accessible=Out(),
    )


def accessible(scene: Scene, address: int) -> set[int]:
    """Return the agents that can access an address, for a property that is not about the list.

    Raises:
        Blocked: the list cannot be had.

    """
    answer = list_agents(scene, address, None)
    if not answer.ok:
        raise Blocked(f"{FUNCTION}/success", answer.name)
    agents = listed(scene, answer)
    if agents is None:
        raise Blocked(f"{FUNCTION}/accessible", "a list that cannot be read")
    return set(agents)


def listed(scene: Scene, answer: Answer) -> list[int] | None:
    """Return the agents in the list of an answer, None when it cannot be read."""
    count = answer.number("num_agents_accessible")
    if count == 0:
        return []
    if count > ROOM // 8:
        return None
    data = scene.session.read(answer["accessible"], 8 * count)
    if data is None:
        return None
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, 8 * count, 8)]
