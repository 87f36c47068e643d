"""The traversal of the caches of an agent, and their attributes."""

from __future__ import annotations

from hsa_conformance.engine.calls.comparing import equal, is_ended, is_text, part, text_length
from hsa_conformance.engine.calls.values import PATTERN, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.caches import generators as caches
from hsa_conformance.topics.shared.attributes import (
    ask,
    attributes,
    content,
    number,
    require_no_overrun,
)
from hsa_conformance.topics.shared.traversal import Traversal, require_known

proves = Proofs()

ITERATE = "hsa_agent_iterate_caches"
QUERY = "hsa_cache_get_info"
NAME = "HSA_CACHE_INFO_NAME"


def _traversal(scene: Scene, *, rather_several: bool = False) -> Traversal:
    agent = scene.available(caches.agents(scene, rather_several=rather_several), "cache")
    return Traversal(scene, ITERATE, "hsa_cache_callback", agent=agent)


@proves("hsa_agent_iterate_caches/each-once")
def each_cache_is_reported_once(scene: Scene) -> None:
    """Each cache of an agent is reported once, and every traversal reports the same caches.

    There is one for each level for which the agent tells a size.
    """
    told = {a.handle: _levels_of_agent(scene, a.handle) for a in known_agents(scene)}
    able = [a for a, levels in told.items() if levels or caches.reported(scene, a)]
    agent = scene.available(able, "cache")
    traversal = Traversal(scene, ITERATE, "hsa_cache_callback", agent=agent)
    handles = traversal.handles()
    traversal.reports_once(set(handles))
    levels = {number(scene, QUERY, "HSA_CACHE_INFO_LEVEL", cache=h) for h in handles}
    scene.require(
        told[agent] <= levels,
        "no cache is reported of a level of which HSA_AGENT_INFO_CACHE_SIZE has a size",
        f"sizes of levels {sorted(told[agent])}, caches of {sorted(levels) or 'none'}",
    )


def _levels_of_agent(scene: Scene, agent: int) -> set[int]:
    """Return the levels of which an agent tells the size of a cache; 0 is for what is unknown."""
    answer = ask(scene, "hsa_agent_get_info", "HSA_AGENT_INFO_CACHE_SIZE", agent=agent)
    sizes = answer.content("value") if answer.ok else b""
    return {place // 4 + 1 for place in range(0, 16, 4) if any(sizes[place : place + 4])}


@proves("hsa_agent_iterate_caches/valid-caches")
def what_is_reported_is_a_cache(scene: Scene) -> None:
    """Each handle that the traversal reports is a cache that has a level."""
    answers = [
        ask(scene, QUERY, "HSA_CACHE_INFO_LEVEL", cache=handle)
        for handle in _traversal(scene).handles()
    ]
    require_known(scene, answers, "HSA_STATUS_ERROR_INVALID_CACHE")


@proves("hsa_agent_iterate_caches/passes-data")
def caches_come_with_the_data_of_the_caller(scene: Scene) -> None:
    """Each call of the callback gets the caller's data unchanged, NULL included."""
    _traversal(scene).passes_data()


@proves("hsa_agent_iterate_caches/stops-early")
def the_callback_ends_the_traversal_of_caches(scene: Scene) -> None:
    """No cache is reported after the callback answers anything but success."""
    _traversal(scene, rather_several=True).stops()


@proves("hsa_agent_iterate_caches/returns-callback-status")
def the_traversal_of_caches_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal of caches answers the status with which the callback ended it."""
    _traversal(scene).returns_callback_status()


@proves("hsa_agent_iterate_caches/ascending")
def caches_come_in_the_order_of_their_levels(scene: Scene) -> None:
    """Caches are reported in the order of their levels, nearest to the agent first."""
    handles = _traversal(scene, rather_several=True).handles()
    levels = [number(scene, QUERY, "HSA_CACHE_INFO_LEVEL", cache=h) for h in handles]
    scene.require(levels == sorted(levels), "a cache comes after one of a greater level", levels)


@proves("hsa_cache_get_info/level")
def the_level_is_not_0(scene: Scene) -> None:
    """The level of a cache is 1 or more."""
    level = number(scene, QUERY, "HSA_CACHE_INFO_LEVEL", cache=caches.cache(scene))
    scene.require(level >= 1, "the level of a cache is 0", level)


def _name(scene: Scene, cache: int) -> bytes:
    """Return the bytes that the query of the name writes."""
    attribute = scene.session.registry.constants[NAME]
    answer = scene.set_up(QUERY, cache=cache, attribute=attribute, value=Out())
    return answer.content("value")


@proves("hsa_cache_get_info/name")
def the_name_is_characters_and_a_nul_byte(scene: Scene) -> None:
    """The name of a cache is printable text that ends with a NUL byte."""
    written = _name(scene, caches.cache(scene))
    name = written.rstrip(bytes([PATTERN]))
    text, _, rest = name.partition(b"\0")
    readable = text.decode("utf-8", "replace")
    printable = readable.isprintable() and "\N{REPLACEMENT CHARACTER}" not in readable
    summary, got = "the name of a cache is not characters and a NUL byte", f"bytes {name.hex(' ')}"
    scene.require(is_ended(written), summary, got)
    scene.require(printable, summary, got, is_text(written).demand)
    scene.require(not rest.strip(b"\0"), summary, got)


@proves("hsa_cache_get_info/name-length")
def the_name_of_a_cache_is_as_long_as_its_length(scene: Scene) -> None:
    """The length of a cache's name counts its characters without the NUL byte."""
    cache = caches.cache(scene)
    written = _name(scene, cache)
    name = written.rstrip(bytes([PATTERN])).partition(b"\0")[0]
    told = number(scene, QUERY, "HSA_CACHE_INFO_NAME_LENGTH", cache=cache)
    scene.require(
        equal(told, text_length(written)),
        f"HSA_CACHE_INFO_NAME_LENGTH is not the {len(name)} characters of the name",
        f"{told} for bytes {name.hex(' ')}",
    )


def _told_twice(scene: Scene, agent: int) -> dict[int, tuple[int, int]]:
    """Return what agent and cache say, by levels that have one cache; 0 is for what is unknown."""
    handles = caches.reported(scene, agent)
    levels = [number(scene, QUERY, "HSA_CACHE_INFO_LEVEL", cache=h) for h in handles]
    sizes = content(scene, "hsa_agent_get_info", "HSA_AGENT_INFO_CACHE_SIZE", agent=agent)
    both = {
        level: (
            part(sizes, 4 * level - 4, 4),
            number(scene, QUERY, "HSA_CACHE_INFO_SIZE", cache=handle),
        )
        for handle, level in zip(handles, levels, strict=True)
        if levels.count(level) == 1
    }
    return {level: pair for level, pair in both.items() if all(pair)}


@proves("hsa_cache_get_info/size")
def cache_and_agent_have_the_same_size(scene: Scene) -> None:
    """The only cache of a level has the size that its agent has for the level."""
    known = {agent: _told_twice(scene, agent) for agent in caches.agents(scene)}
    agent = scene.available([a for a, levels in known.items() if levels], "cache of known size")
    levels = {f"L{level}": (level, *both) for level, both in known[agent].items()}
    for level, of_agent, of_cache in scene.parts("level", levels):
        scene.require(
            equal(of_agent, of_cache),
            f"HSA_CACHE_INFO_SIZE differs from HSA_AGENT_INFO_CACHE_SIZE of level {level}",
            f"{of_cache}, and {of_agent} of the agent",
        )


@proves("hsa_cache_get_info/value-of-type")
def nothing_is_written_behind_a_caches_value(scene: Scene) -> None:
    """A query of a cache leaves the bytes behind the attribute's type as they were."""
    attribute = scene.choose(attributes(scene.session, "hsa_cache_info_t"))
    answer = ask(scene, QUERY, attribute, cache=caches.cache(scene))
    require_no_overrun(scene, answer, attribute)
