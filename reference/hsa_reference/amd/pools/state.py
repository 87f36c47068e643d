"""What a runtime knows of memory pools: their attributes, who reaches them, blocks from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.attributes import pack, pack_all
from hsa_reference.core.agents import Agents
from hsa_reference.handles import POOLS
from hsa_reference.machine import PoolModel, Route
from hsa_reference.ranges import Ranges
from hsa_reference.state import Part, State
from hsa_spec import Registry

_ACCESS = {
    "never": "HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED",
    "default": "HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT",
    "on_request": "HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT",
}
_LOCATION = {
    "cpu": "HSA_AMD_MEMORY_POOL_LOCATION_CPU",
    "gpu": "HSA_AMD_MEMORY_POOL_LOCATION_GPU",
}


@dataclass
class Pool:
    """A memory pool.

    Args:
        handle: its value.
        index: its position in the machine, the same in every process.
        agent: the handle of the agent that it belongs to.
        model: what the machine says about it.
        attributes: the packed values of its attributes, by attribute.
        used: how much of it is taken.

    """

    handle: int
    index: int
    agent: int
    model: PoolModel
    attributes: Mapping[int, bytes]
    used: int = 0

    @property
    def location(self) -> str:
        """Return "cpu" or "gpu"."""
        return self.model.location

    @property
    def allocatable(self) -> bool:
        """Return whether the host may allocate from it."""
        return self.model.allocatable

    @property
    def granule(self) -> int:
        """Return what allocations are rounded up to a multiple of."""
        return self.model.granule

    @property
    def max_size(self) -> int:
        """Return the size of the largest allocation."""
        return self.model.max_size

    def take(self, size: int) -> bool:
        """Count `size` bytes as taken; False where the pool has not so many left."""
        if self.used + size > self.model.size:
            return False
        self.used += size
        return True

    def give_back(self, size: int) -> None:
        """Count `size` bytes as free again."""
        self.used -= size


@dataclass
class Allocation:
    """A block from hsa_amd_memory_pool_allocate.

    Args:
        address: its start.
        size: a multiple of the pool's granule.
        owner: the pool that it comes from.
        agents: handles of the agents that can access it.

    """

    address: int
    size: int
    owner: Pool
    agents: frozenset[int]

    @property
    def pool(self) -> int:
        """Return the handle of the pool."""
        return self.owner.handle


class Pools(Part):
    """The memory pools of all agents.

    Attributes:
        in_order: as the machine lists them.
        by_handle: of a pool.
        routes: packed values by handles of agent and pool, then by attribute.
        allocations: the blocks from hsa_amd_memory_pool_allocate.

    """

    def __init__(self, state: State) -> None:
        registry, machine, agents = state.registry, state.machine, state.part(Agents)
        owned = [(agents.handle[a.name], p) for a in machine.agents for p in a.pools]
        self.in_order = tuple(
            Pool(POOLS + 1 + i, i, agent, p, _pool_attributes(state, p))
            for i, (agent, p) in enumerate(owned)
        )
        self.by_handle = {p.handle: p for p in self.in_order}
        routes = {
            (agents.handle[a.name], p.handle): machine.route(a, p.model)
            for a in machine.agents
            for p in self.in_order
        }
        self.routes = {pair: _route_attributes(registry, r) for pair, r in routes.items()}
        self._access = {pair: route.access for pair, route in routes.items()}
        self._global = registry.constants["HSA_AMD_SEGMENT_GLOBAL"]
        self.allocations: Ranges[Allocation] = Ranges()
        state.things["pool"] = self.by_handle.get
        state.ranges["allocation"] = self.allocations
        state.facts["reaches_pool"] = self.reaches
        agents.changing[registry.constants["HSA_AMD_AGENT_INFO_MEMORY_AVAIL"]] = self._available

    def of(self, agent: int) -> list[Pool]:
        """Return the pools of an agent."""
        return [p for p in self.in_order if p.agent == agent]

    def access(self, agent: int, pool: int) -> str:
        """Return "never", "default" or "on_request": how the agent reaches buffers in the pool."""
        return self._access.get((agent, pool), "never")

    def reaches(self, agent: int, pool: int) -> bool:
        """Return whether the agent can ever access buffers in the pool."""
        return self.access(agent, pool) != "never"

    def always_allowed(self, pool: int) -> frozenset[int]:
        """Return the agents that can access any buffer in the pool."""
        return frozenset(a for (a, p), how in self._access.items() if (p, how) == (pool, "default"))

    def release(self) -> None:
        """Give every block back."""
        for block in self.allocations:
            memory.unmap(block.address, block.size)
        self.allocations.clear()
        for pool in self.in_order:
            pool.used = 0

    def _available(self, agent: int) -> bytes:
        pools = [p for p in self.of(agent) if p.model.segment == self._global]
        return sum(p.model.size - p.used for p in pools).to_bytes(8, "little")


def _pool_attributes(state: State, pool: PoolModel) -> Mapping[int, bytes]:
    routes = [state.machine.route(a, pool) for a in state.machine.agents]
    prefix = "HSA_AMD_MEMORY_POOL_INFO_"
    values: dict[str, object] = {
        f"{prefix}SEGMENT": pool.segment,
        f"{prefix}GLOBAL_FLAGS": pool.flags,
        f"{prefix}SIZE": pool.size,
        f"{prefix}RUNTIME_ALLOC_ALLOWED": pool.allocatable,
        f"{prefix}RUNTIME_ALLOC_GRANULE": pool.granule,
        f"{prefix}RUNTIME_ALLOC_ALIGNMENT": pool.alignment,
        f"{prefix}RUNTIME_ALLOC_REC_GRANULE": pool.recommended_granule,
        f"{prefix}ACCESSIBLE_BY_ALL": all(r.access != "never" for r in routes),
        f"{prefix}ALLOC_MAX_SIZE": pool.max_size,
        f"{prefix}LOCATION": _LOCATION[pool.location],
    }
    return pack_all(state.registry, ["hsa_amd_memory_pool_info_t"], values)


def _route_attributes(registry: Registry, route: Route) -> Mapping[int, bytes]:
    enum = registry.enums["hsa_amd_agent_memory_pool_info_t"]
    prefix = "HSA_AMD_AGENT_MEMORY_POOL_INFO_"
    values: dict[str, object] = {
        f"{prefix}ACCESS": _ACCESS[route.access],
        f"{prefix}NUM_LINK_HOPS": len(route.links),
    }
    links = (
        pack(registry, "hsa_amd_memory_pool_link_info_t", link, "a link") for link in route.links
    )
    return {
        **pack_all(registry, [enum.name], values),
        enum[f"{prefix}LINK_INFO"]: b"".join(links),
    }
