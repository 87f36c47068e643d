"""The caches of agents and their attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_reference.attributes import answer, pack_all
from hsa_reference.callbacks import iterate
from hsa_reference.core.agents import Agents
from hsa_reference.effects import unlocked
from hsa_reference.handles import CACHES
from hsa_reference.machine import CacheModel
from hsa_reference.state import Part, State
from hsa_reference.status import Answer
from hsa_spec import Registry


@dataclass(frozen=True)
class Cache:
    """A cache: its handle, that of its agent, and its packed attributes."""

    handle: int
    agent: int
    attributes: Mapping[int, bytes]


class Caches(Part):
    """The caches of all agents.

    Attributes:
        by_handle: in the machine's order.

    """

    def __init__(self, state: State) -> None:
        agents = state.part(Agents).handle
        owned = [(agents[a.name], c) for a in state.machine.agents for c in a.caches]
        caches = (
            Cache(CACHES + 1 + i, agent, _attributes(state.registry, cache))
            for i, (agent, cache) in enumerate(owned)
        )
        self.by_handle = {c.handle: c for c in caches}
        state.things["cache"] = self.by_handle.get

    def of(self, agent: int) -> list[int]:
        """Return the handles of an agent's caches."""
        return [c.handle for c in self.by_handle.values() if c.agent == agent]


PART = Caches


@unlocked
def hsa_agent_iterate_caches(state: State, agent: int, callback: int, data: int) -> Answer:
    """Call the application with each cache of an agent."""
    return iterate(callback, state.part(Caches).of(agent), data)


@unlocked
def hsa_cache_get_info(state: State, cache: int, attribute: int, value: int) -> Answer:
    """Write the value of a cache's attribute."""
    return answer(state.part(Caches).by_handle[cache].attributes.get(attribute), value)


def _attributes(registry: Registry, cache: CacheModel) -> Mapping[int, bytes]:
    name = cache.name.encode("ascii")
    values: dict[str, object] = {
        "HSA_CACHE_INFO_NAME_LENGTH": len(name),
        "HSA_CACHE_INFO_LEVEL": cache.level,
        "HSA_CACHE_INFO_SIZE": cache.size,
    }
    enum = registry.enums["hsa_cache_info_t"]
    return {
        **pack_all(registry, [enum.name], values),
        enum["HSA_CACHE_INFO_NAME"]: name + b"\0",
    }
