"""What is said of memory of every kind, at its first, its last and its other addresses."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.comparing import equal, every, opposite
from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.pointers.ranges import (
    KINDS,
    LARGE_BLOCK,
    LOCKED,
    POOL_BLOCK,
    Kind,
    Range,
    some_kind,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.shared.pointer_info import (
    Members,
    describe,
    require_covered,
    type_of,
    words_of,
)

proves = Proofs()

#: The function that keeps a pointer of the application with a block.
KEEP: Final = "hsa_amd_pointer_info_set_userdata"


def _somewhere(scene: Scene, memory: Range, *more: str) -> int:
    """Draw an address of memory, each place of which is to be tried: the last one, or inside."""
    places: dict[str, int] = {
        "the last byte": memory.size - 1,
        "inside": scene.draw(drawing.integers(1, memory.size - 1)),
        "the first byte": 0,
        "behind it": memory.most,
    }
    wanted = {name: places[name] for name in ("the last byte", "inside", *more)}
    return memory.address + scene.each("address", wanted)


def _known(scene: Scene, kind: Kind, memory: Range) -> Members:
    """Return what is said of memory; that it is known at all is for another clause."""
    members = describe(scene, memory.address)
    if type_of(scene, members) == "UNKNOWN":
        raise Blocked(kind.clause, "UNKNOWN")
    return members


@proves("hsa_amd_pointer_info/covers", examples=2)
def what_is_said_covers_the_address(scene: Scene) -> None:
    """Where memory is known, the address lies in the bytes that are said to follow a base."""
    memory = some_kind(scene).make(scene)
    address = _somewhere(scene, memory, "the first byte", "behind it")
    require_covered(scene, address)


def _others(*but: str) -> list[str]:
    """Return the kinds of memory but some; what is locked has clauses of its own."""
    return [name for name in KINDS if name not in (LOCKED, *but)]


@proves("hsa_amd_pointer_info/same-inside", examples=2)
def every_address_of_memory_gives_the_same_answer(scene: Scene) -> None:
    """An address anywhere in memory that is known gives the structure of the first address.

    The application has kept a pointer with some of the blocks.
    """
    kind = some_kind(scene, *_others())
    memory = kind.make(scene)
    if kind in (KINDS[POOL_BLOCK], KINDS[LARGE_BLOCK]) and scene.session.offers(KEEP):
        data = scene.draw(drawing.integers(0, (1 << 64) - 1))
        scene.set_up(KEEP, ptr=memory.address, userdata=data)
    first = _known(scene, kind, memory)
    address = _somewhere(scene, memory)
    other = describe(scene, address)
    differing = [name for name, value in first.items() if other.get(name) != value]
    alike = [equal(value, other[name]) for name, value in first.items() if name in other]
    scene.require(
        every(*alike) if len(alike) == len(first) else not differing,
        f"the first address and another differ: {words_of(memory.address, first)}, and "
        + words_of(address, other),
        ", ".join(differing),
    )


def _require_size(scene: Scene, kind: Kind) -> None:
    memory = kind.make(scene)
    found = _known(scene, kind, memory)["sizeInBytes"]
    scene.require(
        memory.size <= found <= memory.most,
        f"sizeInBytes is not between the {memory.size} bytes asked for and {memory.most}",
        found,
    )


@proves("hsa_amd_pointer_info/size-told", examples=2)
def memory_has_its_size(scene: Scene) -> None:
    """The size that is said of memory is what was asked for, or that rounded up."""
    _require_size(scene, some_kind(scene, *_others()))


@proves("hsa_amd_pointer_info/locked-size")
def locked_memory_has_its_size(scene: Scene) -> None:
    """The size that is said of locked memory is that of the pages that were locked."""
    _require_size(scene, some_kind(scene, LOCKED))


@proves("hsa_amd_pointer_info/locked-owner")
def locked_memory_is_owned_by_the_host(scene: Scene) -> None:
    """The owner of memory of the program that is locked for agents is an agent of type CPU."""
    kind = some_kind(scene, LOCKED)
    owner = _known(scene, kind, kind.make(scene))["agentOwner"]
    scene.require(
        owner in {int(agent.handle) for agent in known_agents(scene, "cpu")},
        "agentOwner of memory of the host is no CPU agent",
        f"{owner:#x}",
    )


def _require_gone(scene: Scene, kind: Kind) -> None:
    memory = kind.make(scene)
    before = _known(scene, kind, memory)["type"]
    scene.set_up(memory.function, **memory.arguments)
    after = describe(scene, _somewhere(scene, memory, "the first byte"))
    found = type_of(scene, after)
    other = opposite(equal(after["type"], before))
    scene.require(other, f"memory that was given back still has the type {found}", found)


@proves("hsa_amd_pointer_info/given-back")
def memory_that_was_given_back_is_not_known_as_before(scene: Scene) -> None:
    """After memory is detached, unmapped or freed, no address of it has the type that it had."""
    _require_gone(scene, some_kind(scene, *_others(POOL_BLOCK, LARGE_BLOCK)))


@proves("hsa_amd_pointer_info/unlocked")
def unlocked_memory_is_not_known_as_locked(scene: Scene) -> None:
    """After the only lock of memory is undone, none of its addresses has the type LOCKED."""
    _require_gone(scene, some_kind(scene, LOCKED))
