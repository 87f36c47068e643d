"""From the description of a machine to what a runtime on it has: agents, pools, routes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hsa_reference.attributes import defaults, pack
from hsa_reference.images.formats import image_formats
from hsa_reference.machine import (
    AgentModel,
    BlockModel,
    CacheModel,
    IsaModel,
    Machine,
    PoolModel,
    Route,
    SamplingModel,
)
from hsa_reference.memory import PAGE
from hsa_reference.topics import implemented
from hsa_reference.words import look_up, words
from hsa_spec import Registry, load, machines
from hsa_spec.conditions import walk
from hsa_spec.conditions.syntax import Apply, Literal
from hsa_spec.machines import (
    Block,
    Cpu,
    Gpu,
    Pool,
    Sampling,
    Target,
    usual_image_formats,
)

DEFAULT = "two_gpus"
_LINKS = {
    "pcie": {"max_bandwidth": 64_000, "numa_distance": 20},
    "xgmi": {"min_bandwidth": 50_000, "max_bandwidth": 100_000, "numa_distance": 15},
}
#: The driver's interface from which on there is virtual memory.
_VIRTUAL_MEMORY = (1, 15)
_MIB = 1 << 20
#: What stands before the processor in the names of instruction set architectures.
_ISA_PREFIXES = {"hsa": "AMD:amdgcn-amd-amdhsa--", "llvm": "amdgcn-amd-amdhsa--"}
_GROUP, _SCRATCH, _PER_WORK_ITEM, _CONSTANT = 64 << 10, 4 << 30, 64 << 10, 64 << 10


def load_machine(name: str | Path = DEFAULT, registry: Registry | None = None) -> Machine:
    """Return what a runtime on a machine has.

    Args:
        name: of a machine that comes along, or the path of a machine file.
        registry: where the names in the file are looked up; by default the registry of hsa_spec.

    Raises:
        MachineError: there is no such machine, or its file breaks a rule.

    """
    return _Model(registry or load(), machines.load_machine(name)).machine()


class _Model:
    """A machine in terms of the registry; what breaks a rule of it raises MachineError."""

    def __init__(self, registry: Registry, described: machines.Machine) -> None:
        self.registry = registry
        self.described = described
        self.segments = words(registry, "hsa_amd_segment_t", "HSA_AMD_SEGMENT_")
        self.flags = words(
            registry, "hsa_amd_memory_pool_global_flag_t", "HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_"
        )
        self.methods = words(registry, "hsa_ven_amd_pcs_method_kind_t", "HSA_VEN_AMD_PCS_METHOD_")
        self.units = words(registry, "hsa_ven_amd_pcs_units_t", "HSA_VEN_AMD_PCS_INTERVAL_UNITS_")
        self.isa_prefix = _ISA_PREFIXES[described.runtime.isa_names]
        self.blocks = words(
            registry,
            "hsa_ven_amd_aqlprofile_block_name_t",
            "HSA_VEN_AMD_AQLPROFILE_BLOCK_NAME_",
        )
        self.link_types = words(registry, "hsa_amd_link_info_type_t", "HSA_AMD_LINK_INFO_TYPE_")

    def machine(self) -> Machine:
        described = self.described
        agents = {agent.name: self.agent(agent) for agent in described.agents}
        runtime = described.runtime
        self.check_exhausted(runtime.exhausted)
        return Machine(
            described.name,
            tuple(agents.values()),
            self.isa_prefix,
            dict(self.routes(agents)),
            {**self.system(), **self.attributes((), runtime.attributes, ["hsa_system_info_t"])},
            runtime.references,
            runtime.exhausted,
            runtime.finalizer,
            runtime.files,
            runtime.rounding == "any",
            runtime.image_limits == "uint32_t",
        )

    def check_exhausted(self, exhausted: frozenset[str]) -> None:
        """Refuse resources that no clause knows; to find those that are known takes a while."""
        known = resources(implemented(self.registry)) if exhausted else exhausted
        for resource in sorted(exhausted - known):
            expected = f"{resource!r} is none of {', '.join(sorted(known))}"
            raise self.described.error(("runtime", "exhausted"), expected)

    def system(self) -> Mapping[str, object]:
        prefix = "HSA_AMD_SYSTEM_INFO_"
        return {
            f"{prefix}VIRTUAL_MEM_API_SUPPORTED": self.described.driver.interface
            >= _VIRTUAL_MEMORY,
            f"{prefix}XNACK_ENABLED": self.described.xnack,
            f"{prefix}SVM_SUPPORTED": self.described.svm,
            f"{prefix}SVM_ACCESSIBLE_BY_DEFAULT": self.described.svm and self.described.xnack,
        }

    def agent(self, agent: Cpu | Gpu) -> AgentModel:
        own = self.described.runtime.agents.get(agent.name, {})
        enums = ["hsa_agent_info_t", "hsa_amd_agent_info_t", "hsa_ext_agent_info_t"]
        pools = self.described.runtime.pools.get(agent.name)
        device = "cpu" if isinstance(agent, Cpu) else "gpu"
        usual = () if isinstance(agent, Cpu) else usual_image_formats()
        formats = self.described.runtime.image_formats.get(agent.name, usual)
        return AgentModel(
            agent.name,
            device,
            tuple(
                self.pool(agent.name, device, i, p)
                for i, p in enumerate(usual_pools(agent) if pools is None else pools)
            ),
            {
                **self.hardware(agent),
                **(defaults()["images"] if formats else {}),
                **self.attributes(("agents", agent.name), own, enums),
            },
            tuple(CacheModel(f"{agent.name} L{c.level}", c.level, c.size) for c in agent.caches),
            () if isinstance(agent, Cpu) else tuple(self.isas(agent.target)),
            () if isinstance(agent, Cpu) else tuple(map(self.sampling, agent.sampling)),
            image_formats(self.registry, self.described, agent.name, formats),
            () if isinstance(agent, Cpu) else tuple(map(self.block, agent.blocks)),
        )

    def block(self, block: Block) -> BlockModel:
        number = look_up(self.described, self.blocks, block.name.lower(), ("gpus",))
        return BlockModel(block.name, number, block.instances, block.counters, block.events)

    def sampling(self, way: Sampling) -> SamplingModel:
        return SamplingModel(
            self.methods[way.method],
            self.units[way.units],
            way.min_interval,
            way.max_interval,
            way.power_of_two,
            way.reserved,
        )

    def hardware(self, agent: Cpu | Gpu) -> Mapping[str, object]:
        """Return the attributes that the hardware decides."""
        sizes = [cache.size for cache in agent.caches]
        values: dict[str, object] = {"HSA_AGENT_INFO_CACHE_SIZE": sizes}
        if isinstance(agent, Gpu):
            target, prefix = agent.target, "HSA_AMD_AGENT_INFO_"
            values |= {
                "HSA_AGENT_INFO_NAME": target.name,
                "HSA_AGENT_INFO_WAVEFRONT_SIZE": target.wavefront,
                f"{prefix}CHIP_ID": target.device,
                f"{prefix}ASIC_FAMILY_ID": target.family,
                f"{prefix}COMPUTE_UNIT_COUNT": target.compute_units,
                f"{prefix}COOPERATIVE_COMPUTE_UNIT_COUNT": target.compute_units,
                f"{prefix}NUM_SIMDS_PER_CU": target.simds,
                f"{prefix}MAX_WAVES_PER_CU": target.simds * target.waves,
                f"{prefix}NUM_SHADER_ENGINES": target.engines * target.dies,
                f"{prefix}NUM_XCC": target.dies,
                f"{prefix}NUM_SDMA_ENG": target.sdma[0],
                f"{prefix}NUM_SDMA_XGMI_ENG": target.sdma[1],
                f"{prefix}BDFID": (1 + self.described.gpus.index(agent)) << 8,
                f"{prefix}SVM_DIRECT_HOST_ACCESS": self._on_host(agent),
            }
        return values

    def isas(self, target: Target) -> Iterator[IsaModel]:
        """Yield the instruction set architectures whose code a GPU runs, the best first."""
        on = {"sramecc": True, "xnack": self.described.xnack}
        features = "".join(f":{name}{'+' if on[name] else '-'}" for name in target.features)
        waves = target.simds * target.waves
        yield IsaModel(f"{self.isa_prefix}{target.name}{features}", target.wavefront, waves)
        if target.generic:
            rest = features.replace(":sramecc+", "")
            yield IsaModel(f"{self.isa_prefix}{target.generic}{rest}", target.wavefront, waves)

    def pool(self, agent: str, device: str, index: int, described: Pool) -> PoolModel:
        place = ("runtime", "agents", agent, "pools", index)
        granule = _or(described.granule, PAGE if described.allocatable else 0)
        pool = PoolModel(
            name=f"{agent}/{described.name}",
            segment=look_up(self.described, self.segments, described.segment, (*place, "segment")),
            flags=sum(
                look_up(self.described, self.flags, flag, (*place, "flags"))
                for flag in set(described.flags)
            ),
            size=described.size,
            location=device,
            allocatable=described.allocatable,
            granule=granule,
            recommended_granule=_or(described.recommended_granule, granule),
            alignment=_or(described.alignment, granule),
            max_size=_or(described.max_size, described.size if described.allocatable else 0),
        )
        for key in ("granule", "recommended_granule", "alignment") if pool.allocatable else ():
            value: int = getattr(pool, key)
            if value < PAGE or value.bit_count() != 1:
                expected = f"expected a power of two of at least {PAGE}, not {value}"
                raise self.described.error((*place, key), expected)
        if pool.max_size > pool.size:
            expected = f"expected at most {pool.size}, the pool's size, not {pool.max_size}"
            raise self.described.error((*place, "max_size"), expected)
        return pool

    def attributes(
        self, place: Sequence[str], attributes: Mapping[str, object], enums: Iterable[str]
    ) -> Mapping[str, object]:
        types = {a.name: a.type for a in self.registry.attributes.values() if a.enum in enums}
        for name, value in attributes.items():
            keys = ("runtime", *place, "attributes", name)
            if name not in types:
                expected = f"expected an attribute of {', '.join(enums)}"
                raise self.described.error(keys, expected)
            try:
                pack(self.registry, types[name], value, name)
            except ValueError as error:
                raise self.described.error(keys, str(error)) from None
        return attributes

    def routes(self, agents: Mapping[str, AgentModel]) -> Iterator[tuple[tuple[str, str], Route]]:
        """Yield how agents reach the pools of others, by their names."""
        for agent in self.described.agents:
            for owner in self.described.agents:
                for pool in agents[owner.name].pools if owner is not agent else ():
                    route = self.route(agent, owner, pool)
                    if route is not None:
                        yield (agent.name, pool.name), route

    def route(self, agent: Cpu | Gpu, owner: Cpu | Gpu, pool: PoolModel) -> Route | None:
        if pool.segment != self.segments["global"]:
            return None
        if isinstance(owner, Cpu):
            fine = pool.flags & self.flags["fine_grained"]
            return Route("default" if fine else "on_request", (self.link("pcie"),))
        if isinstance(agent, Cpu):
            return Route("on_request", (self.link("pcie"),)) if self._on_host(owner) else None
        links = self.described.links
        if links == "none" or (links == "pcie" and not self._on_host(owner)):
            return None
        return Route("on_request", (self.link(links),))

    def link(self, kind: str) -> Mapping[str, object]:
        return {
            "link_type": self.link_types[kind],
            "min_latency": 0,
            "max_latency": 0,
            "min_bandwidth": 0,
            **dict.fromkeys(("atomic_support_32bit", "atomic_support_64bit"), True),
            "coherent_support": True,
            **_LINKS[kind],
        }

    @staticmethod
    def _on_host(gpu: Gpu) -> bool:
        """Return whether everything on the bus, CPUs included, reaches all of its memory."""
        return gpu.visible == gpu.memory


def usual_pools(agent: Cpu | Gpu) -> tuple[Pool, ...]:
    """Return the pools of an agent whose machine file names none."""
    if isinstance(agent, Cpu):
        return (
            Pool("fine", "global", ("kernarg_init", "fine_grained"), agent.memory),
            Pool("coarse", "global", ("coarse_grained",), agent.memory),
        )
    return (
        Pool("local", "global", ("coarse_grained",), agent.memory, recommended_granule=2 * _MIB),
        Pool("group", "group", (), _GROUP, allocatable=False, max_size=_GROUP),
        Pool("private", "private", (), _SCRATCH, allocatable=False, max_size=_PER_WORK_ITEM),
        Pool("readonly", "readonly", (), _CONSTANT, allocatable=False),
    )


def resources(registry: Registry) -> frozenset[str]:
    """Return the resources that some clause says what happens without."""
    return frozenset(
        str(argument.value)
        for clause in registry.clauses.values()
        for atom in clause.when
        for node in walk(atom.node)
        if isinstance(node, Apply) and node.term.name == "exhausted"
        for argument in node.args
        if isinstance(argument, Literal)
    )


def _or(value: int | None, usual: int) -> int:
    return usual if value is None else value
