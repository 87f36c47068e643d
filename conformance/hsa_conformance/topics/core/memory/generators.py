"""Memory regions, blocks from them, and memory of the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.callback_handles import renamed
from hsa_conformance.engine.calls.symbols import Labels, Symbol
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import PLAIN, CannotMake, Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generator,
    Generators,
    choose_by_attribute,
)
from hsa_conformance.engine.session.state_rules import MemoryKind
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.core.memory.state import Region
from hsa_conformance.topics.shared.discovery import memory_sort

#: What reports call memory from a region.
BLOCK: Final = "region block"

#: The most bytes of the suite's own memory that one call is about.
MOST: Final = 1 << 12

#: Addresses of no memory: below the first page, and between the halves of the address space.
NOWHERE: Final = (8, 1 << 62)


def discover(fixtures: Fixtures) -> None:
    """Ask the machine once for the regions of all agents."""
    model = fixtures.session.model
    if model.live("region"):
        return
    with fixtures.session.learning():
        found = [(r, agent) for agent in known_agents(fixtures) for r in _listed(fixtures, agent)]
        fixtures.session.stable_answers.confirm("regions", [str(region) for region, _ in found])
        labels = Labels("region")
        for handle, agent in found:
            if model.find("region", handle) is None:
                region = _described(fixtures, handle, [a for r, a in found if r == handle])
                label = labels.next(memory_sort(region.segment, region.flags), agent.handle)
                named = handle.labelled(label)
                model.add("region", named, thing=replace(region, handle=named))
            model.add("region_of", agent.handle, int(handle), thing=agent.handle)


def _listed(fixtures: Fixtures, agent: Agent) -> list[Symbol]:
    answer = fixtures.session.set_up(
        "hsa_agent_iterate_regions",
        agent=agent.handle,
        callback=Callback("hsa_region_callback"),
        data=0,
    )
    names = [f"{agent.handle}_region{number + 1}" for number in range(len(answer.callbacks))]
    return [renamed(value, name) for name, (value, *_) in zip(names, answer.callbacks, strict=True)]


def _described(fixtures: Fixtures, handle: Symbol, owners: Sequence[Agent]) -> Region:
    def info(attribute: str) -> int:
        number = fixtures.session.registry.constants[f"HSA_REGION_INFO_{attribute}"]
        answer = fixtures.session.set_up(
            "hsa_region_get_info", region=handle, attribute=number, value=Out()
        )
        return answer.number("value")

    segment = info("SEGMENT")
    allocatable = bool(info("RUNTIME_ALLOC_ALLOWED"))
    return Region(
        handle=handle,
        owners=(*owners,),
        segment=segment,
        flags=info("GLOBAL_FLAGS") if segment == 0 else 0,
        allocatable=allocatable,
        max_size=info("ALLOC_MAX_SIZE"),
        granule=max(1, info("RUNTIME_ALLOC_GRANULE")) if allocatable else 0,
        alignment=info("RUNTIME_ALLOC_ALIGNMENT") if allocatable else 0,
    )


def regions(fixtures: Fixtures) -> dict[int, Region]:
    """Return the regions of all agents by handle."""
    discover(fixtures)
    return {region.handle: region for region in fixtures.session.model.live("region")}


def all_regions(fixtures: Fixtures) -> list[Region]:
    """Return the regions of all agents."""
    return list(regions(fixtures).values())


def regions_where(fixtures: Fixtures, holds: Callable[[Region], bool]) -> list[Region]:
    """Return the regions that satisfy a condition."""
    return [region for region in all_regions(fixtures) if holds(region)]


def holders(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the regions; which processor's memory one is, nothing says."""
    return [
        Holder(str(r.handle), {"region": r.handle}, {"agent": {"agent": r.agent}})
        for r in all_regions(fixtures)
    ]


def owners(fixtures: Fixtures, region: int) -> list[int]:
    """Return the agents that can access a region."""
    find = fixtures.session.model.find
    return [
        a.handle for a in known_agents(fixtures) if find("region_of", a.handle, region) is not None
    ]


def block(fixtures: Fixtures, region: Region | None = None, size: int | None = None) -> int:
    """Allocate in a region and return the address; one to three granules unless told otherwise."""
    chosen = region or fixtures.available(
        regions_where(fixtures, lambda r: r.allocatable), "region that allows allocation"
    )
    answer = fixtures.session.set_up(
        "hsa_memory_allocate",
        region=chosen.handle,
        size=max(
            size or chosen.granule * fixtures.draw(drawing.integers(1, 3)), fixtures.session.least
        ),
        ptr=Out(),
    )
    return answer["ptr"]


def _usable(fixtures: Fixtures, on_host: bool) -> list[Region]:
    return regions_where(fixtures, lambda r: r.allocatable and (not on_host or r.device == "cpu"))


def _block_of(fixtures: Fixtures, size: int, on_host: bool) -> int:
    region = fixtures.choose(_usable(fixtures, on_host))
    return block(fixtures, region, -(-size // region.granule) * region.granule)


MEMORY: Mapping[str, MemoryKind] = {
    BLOCK: MemoryKind(
        _block_of, "hsa_memory_allocate", lambda f, on_host: bool(_usable(f, on_host))
    )
}


def _region(b: Builder, x: str) -> None:
    b.values[x] = b.one_of(list(regions(b)))


def _no_region(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def _block(b: Builder, x: str) -> None:
    b.values[x] = block(b)


def _no_block(b: Builder, x: str) -> None:
    inside = {f"inside of a {BLOCK}": lambda: block(b) + 64}
    b.values[x] = b.some_memory({**b.kinds(but=[BLOCK]), **inside})


def _owner(b: Builder, agent: str, pointer: str) -> None:
    found = b.session.model.find("region_block", b.number(pointer))
    if found is None:
        b.values[pointer] = block(b)
        found = b.session.model.find("region_block", b.number(pointer))
    b.values[agent] = b.one_of(owners(b, found.region))


def _no_owner(b: Builder, agent: str, pointer: str) -> None:
    pairs = [
        (other.handle, region)
        for region in regions_where(b, lambda r: r.allocatable)
        for other in known_agents(b)
        if other.handle not in owners(b, region.handle)
    ]
    if not pairs:
        raise NotOnMachine("every agent of the machine can access every region")
    b.values[agent], region = b.choose(pairs)
    b.values[pointer] = block(b, region)


def _bytes_at(b: Builder, size: str) -> int:
    """Return how many bytes the call is about; they become few where they were many or none."""
    if not 0 < b.number(size) <= MOST:
        b.values[size] = b.draw(drawing.integers(1, 64))
    return b.number(size)


def _memory(b: Builder, x: str, size: str) -> None:
    wanted = _bytes_at(b, size)
    b.values[x] = b.some_memory(b.kinds(wanted, on_host=True))


def _no_memory(b: Builder, x: str, size: str) -> None:
    _bytes_at(b, size)
    b.values[x] = b.choose(NOWHERE)


def _apart(b: Builder, first: str, second: str, size: str) -> None:
    _memory(b, first, size)
    _memory(b, second, size)


def _together(b: Builder, first: str, second: str, size: str) -> None:
    wanted = _bytes_at(b, size)
    b.values[first] = b.session.place(bytes(2 * wanted), "memory")
    b.values[second] = b.values[first] + b.draw(drawing.integers(0, wanted - 1))


def _anywhere(b: Builder, x: str) -> None:
    """Take memory of the program or, where the text speaks of it, of hsa_memory_allocate."""
    stated = b.session.registry.clauses["hsa_memory_register/allocated-no-effect"]
    kinds = [PLAIN, BLOCK] if b.session.release.has(stated.versions) else [PLAIN]
    found = b.kinds(b.granule(), on_host=True)
    b.values[x] = b.some_memory({name: found[name] for name in kinds if name in found})


#: What can be registered.
ADDRESSES: Mapping[str, Generator] = {"hsa_memory_register.ptr": _anywhere}


def _registered(b: Builder, x: str, size: str) -> None:
    length = b.draw(drawing.integers(1, MOST) | drawing.just(2 * MOST + 1))
    address = b.session.place(bytes(length), "memory")
    b.session.set_up("hsa_memory_register", ptr=address, size=length)
    b.values[x], b.values[size] = address, length


def _not_registered(b: Builder, x: str, size: str) -> None:
    _bytes_at(b, size)
    b.values[x] = b.readable()


def _overlapping(b: Builder, x: str, size: str) -> None:
    _registered(b, x, size)
    length = b.number(size)
    if length < 2:
        raise CannotMake("less than two bytes have no part")
    before = b.draw(drawing.integers(0, length - 1))
    b.values[x], b.values[size] = b.number(x) + before, length - max(1, before)


def _choose(b: Builder, names: Sequence[str], attribute: str, op: str, wanted: object) -> None:
    if not b.suiting(names[0], list(regions(b))):
        raise NotOnMachine("the machine has no region of which all of this holds")
    choose_by_attribute(b, names[0], regions(b).values(), attribute, op, wanted)


def _in_segment(b: Builder, names: Sequence[str], _: str, op: str, wanted: object) -> None:
    if (op, wanted) != ("==", "global"):
        raise NotOnMachine("only regions of the global segment allow allocation")
    b.values[names[0]] = block(b)


GENERATORS: Mapping[str, Generators] = {
    "is_region": Generators(_region, _no_region),
    "is_region_block": Generators(_block, _no_block),
    "can_own": Generators(_owner, _no_owner),
    "is_memory": Generators(_memory, _no_memory),
    "are_apart": Generators(_apart, _together),
    "is_registered": Generators(_registered, _not_registered),
    "overlaps_registration": Generators(_overlapping, _not_registered),
}

COMPARISONS: Mapping[str, Comparison] = {"region": _choose, "region_block": _in_segment}
