"""What a runtime knows of regions: their attributes, who reaches them, blocks, registrations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_reference.attributes import pack_all
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.heaps import Block, Heap, Heaps
from hsa_reference.core.memory.places import DescriptorMemory, Places
from hsa_reference.handles import REGIONS
from hsa_reference.ranges import Ranges
from hsa_reference.state import Part, State


@dataclass(frozen=True)
class Region:
    """A region: its handle, the heap behind it, and the packed values of its attributes.

    Args:
        handle: its handle.
        heap: the heap behind it.
        of_host: whether it is a region of an agent of the host.
        attributes: the packed values of its attributes.

    """

    handle: int
    heap: Heap
    of_host: bool
    attributes: Mapping[int, bytes]

    @property
    def allocatable(self) -> bool:
        """Return whether the host may allocate from it."""
        return self.heap.model.allocatable

    @property
    def max_size(self) -> int:
        """Return the size of the largest allocation."""
        return self.heap.model.max_size


@dataclass(eq=False)
class RegionBlock(DescriptorMemory):
    """A block from hsa_memory_allocate.

    Args:
        region: that it comes from.
        segment: of the region, such as "global".
        owner: the agent that a coarse-grained block is assigned to, None for fine-grained ones.
        reaching: the agents that reach the region.

    """

    region: Region
    segment: str
    owner: int | None
    reaching: frozenset[int]

    @property
    def heap(self) -> Heap:
        """Return where its memory is."""
        return self.region.heap

    @property
    def agents(self) -> frozenset[int]:
        """Return the agents that can access it."""
        return self.reaching if self.owner is None else frozenset((self.owner,))


class Regions(Part):
    """The regions of all agents.

    Attributes:
        by_handle: of a region, in the machine's order.
        blocks: from hsa_memory_allocate.
        registered: ranges from hsa_memory_register: address and size in bytes.

    """

    def __init__(self, state: State) -> None:
        agents, machine = state.part(Agents), state.machine
        segments = state.registry.enums["hsa_region_segment_t"].by_value
        self._segments = {
            value: e.name.removeprefix("HSA_REGION_SEGMENT_").lower()
            for value, e in segments.items()
        }
        self._coarse = state.registry.constants["HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED"]
        # Memory of a device is a region of its own alone: no call of hsa.h lets others in.
        self._reaching = {
            REGIONS + 1 + heap.index: frozenset(
                agents.handle[a.name]
                for a in machine.agents
                if agents.handle[a.name] == heap.agent
                or (heap.model.location == "cpu" and machine.route(a, heap.model).access != "never")
            )
            for heap in state.part(Heaps).in_order
        }
        self.by_handle = {
            handle: Region(
                handle,
                heap,
                any(map(agents.on_host, self._reaching[handle])),
                self._attributes(state, heap, handle),
            )
            for heap in state.part(Heaps).in_order
            for handle in (REGIONS + 1 + heap.index,)
        }
        self.blocks: Ranges[RegionBlock] = Ranges()
        self.registered: set[tuple[int, int]] = set()
        state.part(Places).add_backed(self.blocks)
        state.things["region"] = self.by_handle.get
        state.ranges["region_block"] = self.blocks
        state.facts["can_own"] = self._can_own
        state.facts["is_registered"] = lambda address, size: (address, size) in self.registered
        state.facts["overlaps_registration"] = self._overlaps_registration

    def of(self, agent: int) -> list[int]:
        """Return the handles of the regions that an agent can access."""
        return [handle for handle, agents in self._reaching.items() if agent in agents]

    def new_block(self, region: Region, memory: Block) -> RegionBlock:
        """Return the block that memory of a region is; its first owner is the region's agent."""
        model = region.heap.model
        return RegionBlock(
            *memory,
            region,
            self._segments[model.segment],
            region.heap.agent if model.flags & self._coarse else None,
            self._reaching[region.handle],
        )

    def reached_from(self, region: Region) -> frozenset[int]:
        """Return the agents that can access a new block of a region."""
        coarse = region.heap.model.flags & self._coarse
        return frozenset((region.heap.agent,)) if coarse else self._reaching[region.handle]

    def release(self) -> None:
        """Give every block back, and forget what was registered."""
        for block in self.blocks:
            block.heap.free(block)
        self.blocks.clear()
        self.registered.clear()

    def _can_own(self, agent: int, address: int) -> bool:
        block = self.blocks.at(address)
        return block is not None and agent in block.reaching

    def _overlaps_registration(self, address: int, size: int) -> bool:
        return any(
            start < address + size and address < start + length
            for start, length in self.registered - {(address, size)}
        )

    def _attributes(self, state: State, heap: Heap, handle: int) -> Mapping[int, bytes]:
        model, agents = heap.model, state.part(Agents)
        prefix, amd = "HSA_REGION_INFO_", "HSA_AMD_REGION_INFO_"
        owner = agents.by_handle[heap.agent].attributes
        values: dict[str, object] = {
            f"{prefix}SEGMENT": model.segment,
            f"{prefix}GLOBAL_FLAGS": model.flags,
            f"{prefix}SIZE": model.size,
            f"{prefix}ALLOC_MAX_SIZE": model.max_size,
            f"{prefix}RUNTIME_ALLOC_ALLOWED": model.allocatable,
            f"{prefix}RUNTIME_ALLOC_GRANULE": model.granule,
            f"{prefix}RUNTIME_ALLOC_ALIGNMENT": model.alignment,
            f"{amd}HOST_ACCESSIBLE": any(map(agents.on_host, self._reaching[handle])),
            f"{amd}BASE": 0,
        }
        for attribute, of_agent in (
            (f"{amd}BUS_WIDTH", "HSA_AMD_AGENT_INFO_MEMORY_WIDTH"),
            (f"{amd}MAX_CLOCK_FREQUENCY", "HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY"),
        ):
            values[attribute] = int.from_bytes(owner[state.registry.constants[of_agent]], "little")
        items = owner[state.registry.constants["HSA_AGENT_INFO_WORKGROUP_MAX_SIZE"]]
        # The largest work-group, each of whose work-items has as much as one can have.
        private = self._segments[model.segment] == "private"
        values[f"{prefix}ALLOC_MAX_PRIVATE_WORKGROUP_SIZE"] = (
            model.max_size * int.from_bytes(items, "little") if private else 0
        )
        enums = ("hsa_region_info_t", "hsa_amd_region_info_t")
        return pack_all(state.registry, enums, values)
