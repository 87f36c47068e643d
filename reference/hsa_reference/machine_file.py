"""Machine files: a machine as a small YAML file, and what such a file may say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import yaml

from hsa_reference.attributes import pack
from hsa_reference.machine import AgentModel, Machine, PoolModel, Route
from hsa_reference.memory import PAGE
from hsa_reference.section import MachineError, Section
from hsa_reference.topics import implemented
from hsa_spec import Registry, load
from hsa_spec.conditions import walk
from hsa_spec.conditions.syntax import Apply, Literal
from hsa_spec.yaml_file import in_one_line, read_yaml

MACHINES = Path(__file__).with_name("machines")
DEFAULT = "two_gpus"
ACCESS = ("never", "default", "on_request")


def machine_names() -> list[str]:
    """Return the names of the machines that come with the reference."""
    return sorted(path.stem for path in MACHINES.glob("*.yaml"))


def load_machine(source: str | Path = DEFAULT, registry: Registry | None = None) -> Machine:
    """Read a machine file.

    Args:
        source: the name of a machine that comes with the reference, or the path of a file.
        registry: where the names in the file are looked up; by default the registry of hsa_spec.

    Raises:
        MachineError: there is no such file, or it breaks a rule; the message names file and key.

    """
    path = MACHINES / f"{source}.yaml"
    if "/" in str(source) or not path.is_file():
        path = Path(source)
    try:
        data = read_yaml(path)
    except OSError as error:
        known = ", ".join(machine_names())
        expected = f"{error.strerror}; expected the path of a machine file, or one of {known}"
        raise MachineError(path, "", expected) from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise MachineError(path, "", f"not YAML: {in_one_line(error)}") from None
    whole = registry or load()
    reader = _Reader(whole, resources(implemented(whole)))
    return reader.machine(path.stem, Section(path, "", data))


class _Reader:
    def __init__(self, registry: Registry, resources: Collection[str]) -> None:
        self.registry = registry
        self.resources = resources
        self.segments = _words(registry, "hsa_amd_segment_t", "HSA_AMD_SEGMENT_")
        self.flags = _words(
            registry, "hsa_amd_memory_pool_global_flag_t", "HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_"
        )
        self.link_types = _words(registry, "hsa_amd_link_info_type_t", "HSA_AMD_LINK_INFO_TYPE_")

    def machine(self, name: str, section: Section) -> Machine:
        section.text("summary")
        agents = tuple(self.agent(s) for s in section.sections("agents"))
        names = [a.name for a in agents] + [p.name for a in agents for p in a.pools]
        if not any(a.device == "cpu" for a in agents):
            section.fail("agents", "expected at least one agent whose device is cpu")
        if len(set(names)) != len(names):
            section.fail("agents", "expected each agent, and each pool of an agent, to have a name")
        machine = Machine(
            name,
            agents,
            self.routes(section, agents),
            self.attributes(section, ["hsa_system_info_t"]),
            section.number("references", 0),
            frozenset(section.words("exhausted", sorted(self.resources))),
        )
        section.done()
        return machine

    def agent(self, section: Section) -> AgentModel:
        name, device = section.text("name"), section.word("device", ("cpu", "gpu"))
        agent = AgentModel(
            name,
            device,
            tuple(self.pool(s, name, device) for s in section.sections("pools")),
            self.attributes(section, ["hsa_agent_info_t", "hsa_amd_agent_info_t"]),
        )
        section.done()
        return agent

    def pool(self, section: Section, agent: str, device: str) -> PoolModel:
        allocatable = section.flag("allocatable", True)
        size = section.number("size")
        granule = section.number("granule", PAGE if allocatable else 0)
        pool = PoolModel(
            name=f"{agent}/{section.text('name')}",
            segment=self.segments[section.word("segment", self.segments)],
            flags=sum(self.flags[w] for w in set(section.words("flags", self.flags))),
            size=size,
            location=device,
            allocatable=allocatable,
            granule=granule,
            recommended_granule=section.number("recommended_granule", granule),
            alignment=section.number("alignment", granule),
            max_size=section.number("max_size", size if allocatable else 0),
        )
        for key in ("granule", "recommended_granule", "alignment") if allocatable else ():
            value = getattr(pool, key)
            if value < PAGE or value.bit_count() != 1:
                section.fail(key, f"expected a power of two of at least {PAGE}, not {value}")
        section.done()
        return pool

    def attributes(self, section: Section, enums: Iterable[str]) -> Mapping[str, object]:
        types = {a.name: a.type for a in self.registry.attributes.values() if a.enum in enums}
        attributes = section.mapping("attributes")
        for name, value in attributes.items():
            c_type = types.get(name)
            if c_type is None:
                section.fail(f"attributes.{name}", f"expected an attribute of {', '.join(enums)}")
            try:
                pack(self.registry, c_type, value, name)
            except ValueError as error:
                section.fail("attributes", str(error))
        return attributes

    def routes(
        self, section: Section, agents: Iterable[AgentModel]
    ) -> Mapping[tuple[str, str], Route]:
        links = {name: self.link(s) for name, s in section.named_sections("links").items()}
        owners = {p.name: a.name for a in agents for p in a.pools}
        routes: dict[tuple[str, str], Route] = {}
        for row in section.sections("access"):
            route = Route(
                row.word("access", ACCESS), tuple(links[n] for n in row.words("links", links))
            )
            pools = row.words("pools", owners)
            for agent in row.words("agents", [a.name for a in agents]):
                for pool in pools:
                    if agent == owners[pool] or (agent, pool) in routes:
                        row.fail("pools", f"the access of {agent} to {pool} is already decided")
                    routes[agent, pool] = route
            row.done()
        return routes

    def link(self, section: Section) -> Mapping[str, object]:
        link: dict[str, object] = {
            "link_type": self.link_types[section.word("type", self.link_types)]
        }
        for name in ("min_latency", "max_latency", "min_bandwidth", "max_bandwidth"):
            link[name] = section.number(name)
        for name in ("atomic_support_32bit", "atomic_support_64bit", "coherent_support"):
            link[name] = section.flag(name, True)
        link["numa_distance"] = section.number("numa_distance")
        section.done()
        return link


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


def _words(registry: Registry, enum: str, prefix: str) -> Mapping[str, int]:
    """Return the values of an enumeration by what is left of their names, in lower case."""
    return {e.name.removeprefix(prefix).lower(): e.value for e in registry.enums[enum].enumerators}
