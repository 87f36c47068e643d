"""The regions that every system has."""

from __future__ import annotations

from hsa_conformance.engine.calls.comparing import Relation, at_most, counted, every
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.memory.generators import all_regions, owners
from hsa_conformance.topics.core.memory.state import SEGMENTS
from hsa_conformance.topics.shared.attributes import number

proves = Proofs()


def _kernel_agents(scene: Scene) -> list[int]:
    """Return the agents that take kernel dispatches."""
    bit = scene.session.registry.constants["HSA_AGENT_FEATURE_KERNEL_DISPATCH"]
    handles = [agent.handle for agent in known_agents(scene)]
    query, attribute = "hsa_agent_get_info", "HSA_AGENT_INFO_FEATURE"
    return [h for h in handles if number(scene, query, attribute, agent=h) & bit]


def _flag(scene: Scene, name: str) -> int:
    return scene.session.registry.constants[f"HSA_REGION_GLOBAL_FLAG_{name}"]


def _segment(number: int) -> str:
    return SEGMENTS[number] if number < len(SEGMENTS) else f"{number}"


def _segments(scene: Scene, agent: int) -> set[str]:
    """Return the segments of the regions of an agent."""
    regions = (r for r in all_regions(scene) if agent in owners(scene, r.handle))
    return {_segment(region.segment) for region in regions}


def _has_segment(scene: Scene, agent: int, name: str) -> Relation:
    """Return whether an agent has a region in a segment."""
    registry, number = scene.session.registry, SEGMENTS.index(name)
    own = [r for r in all_regions(scene) if agent in owners(scene, r.handle)]
    there = [r.handle for r in own if _segment(r.segment) == name]
    attribute = registry.constants["HSA_REGION_INFO_SEGMENT"]
    asked = "hsa_region_get_info", attribute, number.to_bytes(4, "little")
    lists = "hsa_agent_iterate_regions"
    return at_most(1, counted(there, registry, lists, {"agent": agent}, asked))


@proves("region/fine-grained")
def there_is_a_fine_grained_region(scene: Scene) -> None:
    """Some region of some agent is in the global segment and fine-grained."""
    fine = _flag(scene, "FINE_GRAINED")
    found = [(_segment(r.segment), f"flags {r.flags:#x}") for r in all_regions(scene)]
    there = any(_segment(r.segment) == "global" and r.flags & fine for r in all_regions(scene))
    scene.require(there, "no region is fine-grained", found)


@proves("region/kernarg")
def there_is_a_region_for_kernel_arguments(scene: Scene) -> None:
    """Where an agent takes kernel dispatches, some fine-grained region takes their arguments.

    Memory can be allocated in it.
    """
    scene.available(_kernel_agents(scene), "agent that takes kernel dispatches")
    wanted = _flag(scene, "FINE_GRAINED") | _flag(scene, "KERNARG")
    fitting = [r for r in all_regions(scene) if r.flags & wanted == wanted and r.allocatable]
    found = [(f"flags {r.flags:#x}", r.allocatable) for r in all_regions(scene)]
    scene.require(bool(fitting), "no region takes kernel arguments", found)


@proves("region/group-and-private")
def each_kernel_agent_has_group_and_private_memory(scene: Scene) -> None:
    """Each agent that takes kernel dispatches has a group region and a private region."""
    agent = scene.available(_kernel_agents(scene), "agent that takes kernel dispatches")
    found = _segments(scene, agent)
    there = [_has_segment(scene, agent, name) for name in ("group", "private")]
    scene.require(
        every(*there),
        "an agent has no region in the group segment, or none in the private segment",
        ", ".join(sorted(found)) or "no region",
    )


@proves("region/readonly")
def each_kernel_agent_has_readonly_memory_of_its_own(scene: Scene) -> None:
    """Each agent that takes kernel dispatches has a readonly region, which no other agent has."""
    agent = scene.available(_kernel_agents(scene), "agent that takes kernel dispatches")
    own = [r for r in all_regions(scene) if owners(scene, r.handle) == [agent]]
    found = sorted(_segments(scene, agent))
    scene.require(
        "readonly" in {_segment(r.segment) for r in own},
        "an agent has no readonly region of its own",
        ", ".join(found) or "no region",
        None if "readonly" in found else _has_segment(scene, agent, "readonly").demand,
    )


@proves("region/allocatable")
def memory_is_allocated_in_two_segments_alone(scene: Scene) -> None:
    """A region that lets memory be allocated is in the global or in the readonly segment."""
    region = scene.available(all_regions(scene), "memory region")
    allowed = not region.allocatable or _segment(region.segment) in ("global", "readonly")
    scene.require(allowed, "memory can be allocated in another segment", _segment(region.segment))
