"""Memory of every kind that the runtime knows, and how it is given back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.generation.values.geometry import MOST_UNTOUCHED, sizes, within
from hsa_conformance.topics.amd.interop.generators import exported, mapped
from hsa_conformance.topics.amd.ipc.generators import attach, foreign_block, gpu_pools
from hsa_conformance.topics.amd.locks.generators import host_memory, lock
from hsa_conformance.topics.amd.pools.fixtures import allocate, known_pools
from hsa_conformance.topics.amd.vmem.fixtures import new_mapping, reserve
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.memory.generators import block, regions_where
from hsa_conformance.topics.shared.pointer_info import FUNCTION

#: Bytes of a block that no runtime would make a part of a page or of a few of them.
LARGE: Final = 5 << 20


@dataclass(frozen=True)
class Range:
    """Memory that the runtime knows.

    Attributes:
        address: where it starts, for agents.
        size: how many bytes were asked for.
        most: how many it can have been rounded up to.
        function: the function that gives it back.
        arguments: what that is called with.

    """

    address: int
    size: int
    most: int
    function: str
    arguments: Mapping[str, Value]


@dataclass(frozen=True)
class Kind:
    """A kind of memory that the runtime can know.

    Attributes:
        clause: the clause that says its type.
        function: the function that makes it.
        there: returns whether there can be any here.
        make: makes some.

    """

    clause: str
    function: str
    there: Callable[[Fixtures], object]
    make: Callable[[Fixtures], Range]


def some_kind(fixtures: Fixtures, *names: str) -> Kind:
    """Draw one of the kinds of memory that there can be here, each of which is to be tried.

    Args:
        fixtures: where valid things come from.
        names: the kinds that come into question; all of them by default.

    Raises:
        CannotMake: there is none.

    """
    kinds = {name: KINDS[name] for name in names or KINDS if _there(fixtures, KINDS[name])}
    if not kinds:
        raise CannotMake("there is no such memory here")
    return fixtures.each("memory", kinds)


def _there(fixtures: Fixtures, kind: Kind) -> bool:
    session = fixtures.session
    if session.release.has(session.registry.clauses[kind.clause].versions) is False:
        return False  # it is told from nothing else
    with suppress(Blocked, Unavailable):  # what lists it fails, which is not for this call
        return session.offers(kind.function) and bool(kind.there(fixtures))
    return False


def _pool_block(fixtures: Fixtures, size: int | None = None) -> Range:
    pool = fixtures.choose(known_pools(fixtures, lambda p: p.allocatable))
    wanted = size or fixtures.draw(sizes(pool.granule, within(pool.size), pool.granule))
    address = allocate(fixtures, pool, wanted)
    most = -(-wanted // pool.granule) * pool.granule
    return Range(address, wanted, most, "hsa_amd_memory_pool_free", {"ptr": address})


def _region_block(fixtures: Fixtures) -> Range:
    region = fixtures.choose(regions_where(fixtures, lambda r: r.allocatable))
    size = fixtures.draw(sizes(region.granule, within(region.max_size), region.granule))
    address = block(fixtures, region, size)
    return Range(address, size, size, "hsa_memory_free", {"ptr": address})


def _locked(fixtures: Fixtures) -> Range:
    page = fixtures.session.model.page_size
    size = fixtures.draw(sizes(page, fixtures.session.scratch.share, page))
    start = host_memory(fixtures, size)
    held = lock(fixtures, start, size)
    arguments = {"host_ptr": start}
    return Range(held.agent_address, size, size, "hsa_amd_memory_unlock", arguments)


def _attached(fixtures: Fixtures) -> Range:
    name, size = foreign_block(fixtures)
    address = attach(fixtures, name, size)
    arguments = {"mapped_ptr": address}
    return Range(address, size, size, "hsa_amd_ipc_memory_detach", arguments)


def _reserved(fixtures: Fixtures) -> Range:
    unit = fixtures.granule()
    size = fixtures.draw(sizes(unit, MOST_UNTOUCHED, unit))
    address = reserve(fixtures, size).address
    arguments = {"va": address, "size": size}
    return Range(address, size, size, "hsa_amd_vmem_address_free", arguments)


def _mapping(fixtures: Fixtures) -> Range:
    made = new_mapping(fixtures)
    arguments = {"va": made.address, "size": made.size}
    return Range(made.address, made.size, made.size, "hsa_amd_vmem_unmap", arguments)


def _interop(fixtures: Fixtures) -> Range:
    answer = mapped(fixtures, exported(fixtures))
    if not answer.ok:
        raise Blocked(f"{answer.function.name}/success", answer.name)
    address, size = answer["ptr"], answer.number("size")
    arguments = {"ptr": address}
    return Range(address, size, size, "hsa_amd_interop_unmap_buffer", arguments)


def _any_pool(fixtures: Fixtures) -> object:
    return known_pools(fixtures, lambda p: p.allocatable)


def _any_region(fixtures: Fixtures) -> object:
    return regions_where(fixtures, lambda r: r.allocatable)


def _addresses(fixtures: Fixtures) -> bool:
    return fixtures.session.model.supports("virtual memory")


def _handles(fixtures: Fixtures) -> object:
    return _addresses(fixtures) and gpu_pools(fixtures)


def _kind(
    slug: str, function: str, there: Callable[[Fixtures], object], make: Callable[[Fixtures], Range]
) -> Kind:
    return Kind(f"{FUNCTION}/{slug}", function, there, make)


POOL_BLOCK: Final = "pool block"
LARGE_BLOCK: Final = "large pool block"
LOCKED: Final = "locked memory"

#: The kinds, by what reports call them.
KINDS: Final[Mapping[str, Kind]] = {
    POOL_BLOCK: _kind("block-type", "hsa_amd_memory_pool_allocate", _any_pool, _pool_block),
    LARGE_BLOCK: _kind(
        "block-type", "hsa_amd_memory_pool_allocate", _any_pool, partial(_pool_block, size=LARGE)
    ),
    "region block": _kind("region-block", "hsa_memory_allocate", _any_region, _region_block),
    LOCKED: _kind("locked", "hsa_amd_memory_lock", known_agents, _locked),
    "attached block": _kind("attached", "hsa_amd_ipc_memory_attach", gpu_pools, _attached),
    "reserved addresses": _kind(
        "reservation", "hsa_amd_vmem_address_reserve", _addresses, _reserved
    ),
    "mapped memory": _kind("mapping", "hsa_amd_vmem_map", _handles, _mapping),
    "buffer of another driver": _kind("interop", "hsa_amd_interop_map_buffer", _handles, _interop),
}
