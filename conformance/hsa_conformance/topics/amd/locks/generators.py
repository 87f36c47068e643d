"""Locked memory of the host, and pools that agents reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import PLAIN, Fixtures
from hsa_conformance.engine.generation.generators import Generator, Generators, put_handles
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.session.state_rules import MemoryKind
from hsa_conformance.topics.amd.locks.state import Lock
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.generators import access, out_of_reach
from hsa_conformance.topics.amd.pools.state import Pool, find_pool
from hsa_conformance.topics.core.agents.fixtures import known_agents, put_agents

#: What reports call memory of the host that is locked.
LOCKED: Final = "locked memory"


def host_memory(fixtures: Fixtures, size: int) -> int:
    """Return the address of whole zeroed pages of the host, of so many bytes at least."""
    page = fixtures.session.model.page_size
    room = fixtures.session.place(bytes((-(-size // page) + 1) * page), "memory")
    return room + -int(room) % page


def host_range(fixtures: Fixtures) -> tuple[int, int]:
    """Return an address of the host's memory, seldom that of a page, and a size."""
    before = fixtures.choose([0, 64, fixtures.session.model.page_size - 1])
    size = fixtures.draw(sizes(most=fixtures.session.scratch.share))
    return host_memory(fixtures, before + size) + before, size


def lock(fixtures: Fixtures, address: int, size: int, pool: Pool | None = None) -> Lock:
    """Lock memory of the host for all agents, with the properties of a pool if one is given."""
    function, values = lock_call(fixtures, address, size, pool)
    fixtures.session.set_up(function, **values)
    made: Lock = fixtures.session.model.live("lock")[-1]
    return made


def lock_call(
    fixtures: Fixtures, address: int, size: int, pool: Pool | None = None
) -> tuple[str, dict[str, Value]]:
    """Return the function that locks memory as `lock` does, and its arguments."""
    agents = [agent.handle for agent in known_agents(fixtures)]
    values: dict[str, Value] = {
        "host_ptr": address,
        "size": size,
        "agents": handle_array(agents),
        "num_agent": len(agents),
        "agent_ptr": Out(),
    }
    if pool is None:
        return "hsa_amd_memory_lock", values
    return "hsa_amd_memory_lock_to_pool", {**values, "pool": pool.handle, "flags": 0}


def _memory(fixtures: Fixtures, size: int, _: bool) -> int:
    return lock(fixtures, host_memory(fixtures, size), size).address


MEMORY: Mapping[str, MemoryKind] = {
    LOCKED: MemoryKind(_memory, "hsa_amd_memory_lock", lambda *_: True)
}


def _lockable(b: Builder, x: str) -> None:
    kinds = b.kinds(on_host=True)
    b.values[x] = b.some_memory({name: kinds[name] for name in (PLAIN, LOCKED) if name in kinds})


#: Memory that is locked can be locked once more.
ADDRESSES: Mapping[str, Generator] = {
    "hsa_amd_memory_lock.host_ptr": _lockable,
    "hsa_amd_memory_lock_to_pool.host_ptr": _lockable,
}


def _locked(b: Builder, x: str) -> None:
    b.values[x] = lock(b, *host_range(b)).address


def _not_locked(b: Builder, x: str) -> None:
    b.values[x] = b.readable()


def _agents_reaching(b: Builder, array: str, count: str, pool: str) -> None:
    if find_pool(b.session.model, b.number(pool)) is None:
        b.values[pool] = b.one_of(known_pools(b, lambda _: True)).handle
    able = [a for a in known_agents(b) if access(b, a.handle, b.number(pool)) != "never"]
    put_agents(b, array, count, able)


def _agents_not_reaching(b: Builder, array: str, count: str, pool: str) -> None:
    agent, far = out_of_reach(b, known_pools(b, lambda p: p.location == "cpu"))
    b.values[pool] = far.handle
    put_handles(b, array, count, [agent])


GENERATORS: Mapping[str, Generators] = {
    "is_locked": Generators(_locked, _not_locked),
    "agents_reach_pool": Generators(_agents_reaching, _agents_not_reaching),
}
