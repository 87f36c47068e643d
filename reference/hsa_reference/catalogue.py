"""What never changes while a runtime lives: agents, pools and every attribute that is constant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_reference.attributes import defaults, pack, pack_all, static_text
from hsa_reference.machine import AgentModel, Machine, PoolModel, Route
from hsa_reference.objects import Agent, Pool
from hsa_spec import Registry

# Handles of different kinds differ in their first byte, and none of them can be an address.
AGENTS, POOLS, MEMORY_HANDLES, ISAS = (kind << 56 for kind in (0xA1, 0xB1, 0xC1, 0xD1))

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
class Catalogue:
    """The parts of a machine with their handles.

    Args:
        system: packed values by attribute.
        agents: in the machine's order.
        pools: of all agents, in the machine's order.
        access: "default" or "on_request" by handles of agent and pool; "never" is left out.
        routes: packed values by handles of agent and pool, then by attribute.
        status_texts: addresses of the texts of status codes, by code.

    """

    system: Mapping[int, bytes]
    agents: tuple[Agent, ...]
    pools: tuple[Pool, ...]
    access: Mapping[tuple[int, int], str]
    routes: Mapping[tuple[int, int], Mapping[int, bytes]]
    status_texts: Mapping[int, int]


def catalogue(machine: Machine, registry: Registry) -> Catalogue:
    """Give the parts of a machine their handles and pack the values of their attributes."""
    return _Builder(machine, registry).build()


class _Builder:
    def __init__(self, machine: Machine, registry: Registry) -> None:
        self.machine = machine
        self.registry = registry

    def build(self) -> Catalogue:
        models = self.machine.agents
        owned = [(a, p) for a in models for p in a.pools]
        handle = {a.name: AGENTS + 1 + i for i, a in enumerate(models)}
        pools = tuple(
            Pool(POOLS + 1 + i, i, handle[a.name], p, self.pool_attributes(p))
            for i, (a, p) in enumerate(owned)
        )
        agents = tuple(
            Agent(
                handle[a.name],
                a.device,
                tuple(p for p in pools if p.agent == handle[a.name]),
                self.agent_attributes(i, a, handle),
            )
            for i, a in enumerate(models)
        )
        routes = {
            (handle[a.name], p.handle): self.machine.route(a, p.model)
            for a in models
            for p in pools
        }
        return Catalogue(
            pack_all(
                self.registry,
                ["hsa_system_info_t"],
                {**defaults()["system"], **self.machine.system},
            ),
            agents,
            pools,
            {pair: r.access for pair, r in routes.items() if r.access != "never"},
            {pair: self.route_attributes(r) for pair, r in routes.items()},
            {
                e.value: static_text(f"{e.name}: {e.summary}")
                for e in self.registry.enums["hsa_status_t"].enumerators
            },
        )

    def agent_attributes(
        self, index: int, agent: AgentModel, handle: Mapping[str, int]
    ) -> Mapping[int, bytes]:
        values = {
            **defaults()[agent.device],
            "HSA_AGENT_INFO_NODE": index,
            "HSA_AGENT_INFO_ISA": ISAS + 1 + index if agent.device == "gpu" else 0,
            "HSA_AMD_AGENT_INFO_DRIVER_NODE_ID": index,
            "HSA_AMD_AGENT_INFO_DRIVER_UID": index,
            "HSA_AMD_AGENT_INFO_NEAREST_CPU": self.nearest_cpu(agent, handle),
            **agent.attributes,
        }
        return pack_all(self.registry, ["hsa_agent_info_t", "hsa_amd_agent_info_t"], values)

    def nearest_cpu(self, agent: AgentModel, handle: Mapping[str, int]) -> int:
        cpus = [a for a in self.machine.agents if a.device == "cpu"]
        return handle[(agent if agent in cpus else cpus[0]).name]

    def pool_attributes(self, pool: PoolModel) -> Mapping[int, bytes]:
        routes = [self.machine.route(a, pool) for a in self.machine.agents]
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
        return pack_all(self.registry, ["hsa_amd_memory_pool_info_t"], values)

    def route_attributes(self, route: Route) -> Mapping[int, bytes]:
        enum = self.registry.enums["hsa_amd_agent_memory_pool_info_t"]
        prefix = "HSA_AMD_AGENT_MEMORY_POOL_INFO_"
        values: dict[str, object] = {
            f"{prefix}ACCESS": _ACCESS[route.access],
            f"{prefix}NUM_LINK_HOPS": len(route.links),
        }
        links = (
            pack(self.registry, "hsa_amd_memory_pool_link_info_t", link, "a link")
            for link in route.links
        )
        return {
            **pack_all(self.registry, [enum.name], values),
            enum[f"{prefix}LINK_INFO"]: b"".join(links),
        }
