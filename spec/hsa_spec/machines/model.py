"""What a machine file says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hsa_spec.documents import Document
from hsa_spec.errors import RegistryError
from hsa_spec.machines.targets import Cache, Target


class MachineError(RegistryError):
    """A machine file breaks a rule; the message names file, line and what is allowed."""


@dataclass(frozen=True)
class Cpu:
    """A CPU with the memory at its side.

    Attributes:
        name: "cpu", or "cpu0" and so on where there are several.
        memory: bytes.
        caches: from the first level on.

    """

    name: str
    memory: int
    caches: tuple[Cache, ...]


@dataclass(frozen=True)
class Sampling:
    """A way to sample what a GPU executes; a model of a runtime reads it.

    Attributes:
        method: what is left of an enumerator of hsa_ven_amd_pcs_method_kind_t, in lower case.
        units: likewise of hsa_ven_amd_pcs_units_t.
        min_interval: the shortest interval between samples, in these units.
        max_interval: the longest one.
        power_of_two: whether an interval has to be a power of two.
        reserved: the numbers under which the driver has reserved the GPU for it.

    """

    method: str
    units: str
    min_interval: int
    max_interval: int
    power_of_two: bool = False
    reserved: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Block:
    """A kind of blocks of a GPU that count; a model of a profiler reads it.

    Attributes:
        name: what is left of an enumerator of hsa_ven_amd_aqlprofile_block_name_t, such as "SQ".
        instances: how many there are.
        counters: how many counters each of them has, which count at a time.
        events: how many kinds of events can be counted.

    """

    name: str
    instances: int
    counters: int
    events: int


@dataclass(frozen=True)
class Gpu:
    """A GPU.

    Attributes:
        name: "gpu0" and so on.
        target: what is fixed by its architecture.
        memory: bytes of local memory.
        visible: bytes of it that CPUs can reach: all of them with a large BAR.
        debug: whether its firmware supports debuggers.
        reclaims: whether its firmware lets a runtime take scratch back from queues; an imitation
            reads it.
        sampling: the ways to sample what it executes.
        blocks: what counts.

    """

    name: str
    target: Target
    memory: int
    visible: int
    debug: bool
    sampling: tuple[Sampling, ...] = ()
    blocks: tuple[Block, ...] = ()
    reclaims: bool = False

    @property
    def caches(self) -> tuple[Cache, ...]:
        """Return its caches, from the first level on."""
        return self.target.caches


@dataclass(frozen=True)
class Driver:
    """The kernel driver and what the devices leave to chance; an imitation reads it.

    Attributes:
        interface: the version of the driver's interface; virtual memory needs 1.15.
        otherwise: whether driver and devices do otherwise what they may do in several ways.
        kernels: whether its devices execute kernels.
        slow_queue_us: microseconds that a queue rests after each packet.
        late_event_us: microseconds that a device's event is late.

    """

    interface: tuple[int, int] = (1, 17)
    otherwise: bool = False
    kernels: bool = False
    slow_queue_us: int = 0
    late_event_us: int = 0


@dataclass(frozen=True)
class Pool:
    """A memory pool that an agent of a runtime has instead of the usual ones; sizes are in bytes.

    Attributes:
        name: unique among those of the agent.
        segment: what is left of an enumerator of hsa_amd_segment_t, such as "global".
        flags: likewise of hsa_amd_memory_pool_global_flag_t.
        size: of all of it.
        allocatable: whether the host may allocate from it.
        granule: allocations are rounded up to a multiple of this; None is a page.
        recommended_granule: the granule that wastes least; None is the granule.
        alignment: of the start of an allocation; None is the granule.
        max_size: the largest allocation; None is the pool's size.

    """

    name: str
    segment: str
    flags: tuple[str, ...]
    size: int
    allocatable: bool = True
    granule: int | None = None
    recommended_granule: int | None = None
    alignment: int | None = None
    max_size: int | None = None


@dataclass(frozen=True)
class ImageFormats:
    """Formats of images for which an agent has the same capabilities: all that can be combined.

    The words are what is left of enumerators, in lower case.

    Attributes:
        geometries: of hsa_ext_image_geometry_t, such as "2da".
        orders: of hsa_ext_image_channel_order_t.
        types: of hsa_ext_image_channel_type_t.
        capabilities: of hsa_ext_image_capability_t.

    """

    geometries: tuple[str, ...]
    orders: tuple[str, ...]
    types: tuple[str, ...]
    capabilities: tuple[str, ...]


@dataclass(frozen=True)
class RuntimeModel:
    """What the file says of a runtime on the machine; a model of a runtime reads it.

    Attributes:
        references: how often the runtime counts as initialised before the first hsa_init.
        isa_names: "hsa" where instruction set architectures have the vendor's name and a colon in
            front, as hsa.h wants it; "llvm" where they are named as LLVM and ROCr name them.
        rounding: "hsa" where executables have a rounding mode that hsa.h allows, and take code of
            that mode alone; "any" where they take all modes and any code, as ROCr does.
        image_limits: "size_t" where the limits of images are of this type, as hsa_ext_image.h has
            them; "uint32_t" where they are as narrow as ROCr's.
        exhausted: the resources that have run out.
        finalizer: whether it offers a finalizer; there is none for any architecture.
        files: whether the driver moves bytes between files and devices.
        attributes: those of the system that differ, by name.
        agents: those of an agent that differ, by the agent's name.
        pools: instead of the usual ones, by the agent's name.
        image_formats: likewise; an agent without formats has no images.

    """

    references: int = 0
    isa_names: str = "hsa"
    rounding: str = "hsa"
    image_limits: str = "size_t"
    exhausted: frozenset[str] = frozenset()
    finalizer: bool = False
    files: bool = True
    attributes: Mapping[str, object] = field(default_factory=dict)
    agents: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    pools: Mapping[str, tuple[Pool, ...]] = field(default_factory=dict)
    image_formats: Mapping[str, tuple[ImageFormats, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Machine:
    """One machine.

    Attributes:
        name: of its file, without the ending.
        cpus: at least one.
        gpus: in order.
        links: how GPUs reach each other: "xgmi", "pcie", or "none".
        xnack: whether page faults of GPUs can be retried.
        svm: whether the driver has shared virtual memory.
        driver: of the kernel.
        runtime: what a model of a runtime is told besides.
        document: what it was read from.

    """

    name: str
    cpus: tuple[Cpu, ...]
    gpus: tuple[Gpu, ...] = ()
    links: str = "none"
    xnack: bool = False
    svm: bool = True
    driver: Driver = field(default_factory=Driver)
    runtime: RuntimeModel = field(default_factory=RuntimeModel)
    document: Document | None = field(default=None, compare=False, repr=False)

    def error(self, keys: Sequence[str | int], rule: str) -> MachineError:
        """Return the error for a rule that is broken at the place that `keys` lead to."""
        line = self.document.line(keys) if self.document else None
        path = self.document.path if self.document else self.name
        return MachineError(path, line, f"{'.'.join(map(str, keys))}: {rule}")

    @property
    def agents(self) -> tuple[Cpu | Gpu, ...]:
        """Return the processors in the order in which a runtime lists them."""
        return (*self.cpus, *self.gpus)
