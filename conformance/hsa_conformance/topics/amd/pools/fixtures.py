"""Memory pools, and blocks from them, for calls to be made with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import MemoryKind
from hsa_conformance.topics.amd.pools.state import Allocation, Pool, pool_access, pools
from hsa_conformance.topics.core.agents.fixtures import known_agents

#: What reports call memory from a pool.
BLOCK: Final = "pool block"


def all_pools(fixtures: Fixtures) -> list[Pool]:
    """Return the memory pools of the machine.

    Raises:
        Blocked: the library did not list them.
        Unavailable: it does not offer to.

    """
    if obstacle := fixtures.session.missing_kinds.get("pool"):
        raise obstacle
    return pools(fixtures.session.model)


def known_pools(fixtures: Fixtures, where: Callable[[Pool], bool]) -> list[Pool]:
    """Return the memory pools that satisfy a condition."""
    return [p for p in all_pools(fixtures) if where(p)]


def allocate(fixtures: Fixtures, pool: Pool, size: int) -> int:
    """Allocate at least so many bytes from a pool, in whole granules, and return the address."""
    answer = fixtures.session.set_up(
        "hsa_amd_memory_pool_allocate",
        memory_pool=pool.handle,
        size=-(-max(size, fixtures.session.least) // pool.granule) * pool.granule,
        flags=0,
        ptr=Out(),
    )
    return answer["ptr"]


def within_reach(fixtures: Fixtures, pool: Pool, device: str | None = None) -> list[int]:
    """Return the agents, perhaps of one kind, that can be given access to the blocks of a pool."""
    model = fixtures.session.model
    return [
        a.handle
        for a in known_agents(fixtures, device)
        if pool_access(model, a.handle, pool.handle) != "never"
    ]


def available(fixtures: Fixtures, agent: int) -> int:
    """Ask how many bytes of an agent's memory are available."""
    session = fixtures.session
    attribute = session.registry.constants["HSA_AMD_AGENT_INFO_MEMORY_AVAIL"]
    answer = session.set_up("hsa_agent_get_info", agent=agent, attribute=attribute, value=Out())
    return int.from_bytes((answer.outputs["value"] or b"")[:8], "little")


def allow_access(fixtures: Fixtures, agents: Iterable[int], address: int) -> None:
    """Give agents, and no others, access to a block from a pool."""
    handles = list(agents)
    fixtures.session.set_up(
        "hsa_amd_agents_allow_access",
        num_agents=len(handles),
        agents=handle_array(handles),
        flags=0,
        ptr=address,
    )


def allocate_block(fixtures: Fixtures, pool: Pool | None = None) -> int:
    """Allocate one to three granules and return the address; see `new_block`."""
    return new_block(fixtures, pool).address


def new_block(fixtures: Fixtures, pool: Pool | None = None) -> Allocation:
    """Allocate one to three granules.

    Args:
        fixtures: where valid things come from.
        pool: the pool; some allocatable one by default.

    """
    chosen = pool or fixtures.choose(known_pools(fixtures, lambda p: p.allocatable))
    address = allocate(fixtures, chosen, chosen.granule * fixtures.draw(drawing.integers(1, 3)))
    found: Allocation = fixtures.session.model.find("allocation", address)
    return found


def _usable(fixtures: Fixtures, on_host: bool) -> list[Pool]:
    return known_pools(fixtures, lambda p: p.allocatable and (p.location == "cpu" or not on_host))


def _memory(fixtures: Fixtures, size: int, on_host: bool) -> int:
    return allocate(fixtures, fixtures.choose(_usable(fixtures, on_host)), size)


MEMORY: Mapping[str, MemoryKind] = {
    BLOCK: MemoryKind(
        _memory, "hsa_amd_memory_pool_allocate", lambda f, on_host: bool(_usable(f, on_host))
    )
}
