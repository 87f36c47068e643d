"""The machine that the reference models: agents, memory pools, links, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PoolModel:
    """A memory pool; sizes are in bytes.

    Args:
        name: the agent's name and the pool's, such as `gpu0/local`.
        segment: a hsa_amd_segment_t.
        flags: a bit set of hsa_amd_memory_pool_global_flag_t.
        location: "cpu" or "gpu".
        allocatable: whether the host may allocate from it; the sizes below mean nothing otherwise.
        granule: allocations are rounded up to a multiple of this.
        recommended_granule: the granule that wastes least.
        alignment: of the start of an allocation.
        max_size: the largest allocation.

    """

    name: str
    segment: int
    flags: int
    size: int
    location: str
    allocatable: bool
    granule: int
    recommended_granule: int
    alignment: int
    max_size: int


@dataclass(frozen=True)
class CacheModel:
    """A cache: its name, its level from 1 on, and its size in bytes."""

    name: str
    level: int
    size: int


@dataclass(frozen=True)
class IsaModel:
    """An instruction set architecture.

    Args:
        name: with the vendor and the features.
        wavefront: how many work-items a wavefront has.
        wavefronts: how many of them a compute unit holds.

    """

    name: str
    wavefront: int
    wavefronts: int


@dataclass(frozen=True)
class SamplingModel:
    """A way to sample what an agent executes.

    Args:
        method: a hsa_ven_amd_pcs_method_kind_t.
        units: of the interval between samples, a hsa_ven_amd_pcs_units_t.
        min_interval: the shortest one.
        max_interval: the longest one.
        power_of_two: whether it has to be a power of two.
        reserved: the numbers under which the driver has reserved the agent for it.

    """

    method: int
    units: int
    min_interval: int
    max_interval: int
    power_of_two: bool
    reserved: frozenset[int]


@dataclass(frozen=True)
class BlockModel:
    """A kind of blocks of a GPU that count.

    Args:
        name: such as "SQ".
        number: its hsa_ven_amd_aqlprofile_block_name_t.
        instances: how many there are.
        counters: how many counters each of them has, which count at a time.
        events: how many kinds of events can be counted.

    """

    name: str
    number: int
    instances: int
    counters: int
    events: int


@dataclass(frozen=True)
class AgentModel:
    """An agent.

    Args:
        name: such as "gpu0".
        device: "cpu" or "gpu".
        pools: its memory pools.
        attributes: those that are not the default, by name.
        caches: its caches.
        isas: the instruction set architectures that it runs, the best first.
        sampling: the ways to sample what it executes.
        image_formats: its capabilities, by geometry, channel type and channel order of images.
        blocks: what counts.

    """

    name: str
    device: str
    pools: tuple[PoolModel, ...]
    attributes: Mapping[str, object]
    caches: tuple[CacheModel, ...] = ()
    isas: tuple[IsaModel, ...] = ()
    sampling: tuple[SamplingModel, ...] = ()
    image_formats: Mapping[tuple[int, int, int], int] = field(default_factory=dict)
    blocks: tuple[BlockModel, ...] = ()


@dataclass(frozen=True)
class Route:
    """How an agent reaches the buffers of a pool, and the links in between."""

    access: str
    links: tuple[Mapping[str, object], ...] = ()


NO_ROUTE = Route("never")
OWN = Route("default")
#: What clients of ROCr do not hold to: they create executables with the default mode.
_ROUNDING = frozenset({"hsa_executable_create_alt/rounding-default"})


@dataclass(frozen=True)
class Machine:
    """A machine.

    Args:
        name: the name of its file, without the ending.
        agents: in the order in which they are listed.
        isa_prefix: what stands before the processor in the name of an instruction set architecture.
        routes: by the names of agent and pool; what is not there cannot be reached.
        system: attributes of the system that are not the default.
        references: how often the runtime counts as initialised before the first hsa_init.
        exhausted: the resources that the machine has run out of.
        finalizer: whether it offers a finalizer.
        files: whether the driver moves bytes between files and devices.
        any_rounding: whether executables take all rounding modes, and code of any.
        narrow_limits: whether limits of images are written as numbers of 32 bits.

    """

    name: str
    agents: tuple[AgentModel, ...]
    isa_prefix: str
    routes: Mapping[tuple[str, str], Route] = field(default_factory=dict)
    system: Mapping[str, object] = field(default_factory=dict)
    references: int = 0
    exhausted: frozenset[str] = frozenset()
    finalizer: bool = False
    files: bool = True
    any_rounding: bool = False
    narrow_limits: bool = False

    @property
    def waived(self) -> frozenset[str]:
        """Return the clauses that no arguments are checked by."""
        return _ROUNDING if self.any_rounding else frozenset()

    def route(self, agent: AgentModel, pool: PoolModel) -> Route:
        """Return how the agent reaches the pool."""
        return OWN if pool in agent.pools else self.routes.get((agent.name, pool.name), NO_ROUTE)
