"""What a runtime knows of memory pools: their attributes, who reaches them, blocks from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_reference.attributes import pack, pack_all
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.heaps import Heap, Heaps
from hsa_reference.core.memory.places import DescriptorMemory, Places
from hsa_reference.core.memory.state import RegionBlock
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


@dataclass(frozen=True)
class Pool:
    """A memory pool: its handle, the heap behind it, and the packed values of its attributes."""

    handle: int
    heap: Heap
    attributes: Mapping[int, bytes]

    @property
    def agent(self) -> int:
        """Return the handle of the agent that it belongs to."""
        return self.heap.agent

    @property
    def location(self) -> str:
        """Return "cpu" or "gpu"."""
        return self.heap.model.location

    @property
    def allocatable(self) -> bool:
        """Return whether the host may allocate from it."""
        return self.heap.model.allocatable

    @property
    def granule(self) -> int:
        """Return what allocations are rounded up to a multiple of."""
        return self.heap.model.granule

    @property
    def max_size(self) -> int:
        """Return the size of the largest allocation."""
        return self.heap.model.max_size


@dataclass(eq=False)
class Allocation(DescriptorMemory):
    """A block from hsa_amd_memory_pool_allocate.

    Args:
        asked: how many bytes were asked for.
        owner: the pool that it comes from.
        allowed: handles of the agents that can access it.

    """

    asked: int
    owner: Pool
    allowed: frozenset[int]

    @property
    def heap(self) -> Heap:
        """Return where its memory is."""
        return self.owner.heap

    @property
    def agents(self) -> frozenset[int]:
        """Return the agents that can access it."""
        return self.allowed

    @property
    def pool(self) -> int:
        """Return the handle of the pool."""
        return self.owner.handle


def block_around(places: Places, address: int) -> Allocation | RegionBlock | None:
    """Return the block of the runtime's own that contains an address, from a pool or a region."""
    place = places.around(address)
    return place if isinstance(place, Allocation | RegionBlock) else None


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
        self.in_order = tuple(
            Pool(POOLS + 1 + heap.index, heap, _pool_attributes(state, heap.model))
            for heap in state.part(Heaps).in_order
        )
        self.by_handle = {p.handle: p for p in self.in_order}
        routes = {
            (agents.handle[a.name], p.handle): machine.route(a, p.heap.model)
            for a in machine.agents
            for p in self.in_order
        }
        self.routes = {pair: _route_attributes(registry, r) for pair, r in routes.items()}
        self._access = {pair: route.access for pair, route in routes.items()}
        self._global = registry.constants["HSA_AMD_SEGMENT_GLOBAL"]
        self.allocations: Ranges[Allocation] = Ranges()
        state.part(Places).add_backed(self.allocations)
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

    def reaching(self, pool: int) -> frozenset[int]:
        """Return the agents that can ever access buffers in the pool."""
        return frozenset(a for (a, p), how in self._access.items() if p == pool and how != "never")

    def always_allowed(self, pool: int) -> frozenset[int]:
        """Return the agents that can access any buffer in the pool."""
        return frozenset(a for (a, p), how in self._access.items() if (p, how) == (pool, "default"))

    def release(self) -> None:
        """Give every block back."""
        for block in self.allocations:
            block.heap.free(block)
        self.allocations.clear()

    def _available(self, agent: int) -> bytes:
        heaps = [p.heap for p in self.of(agent) if p.heap.model.segment == self._global]
        return sum(heap.model.size - heap.used for heap in heaps).to_bytes(8, "little")


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
