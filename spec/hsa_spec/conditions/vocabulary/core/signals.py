"""Words about signals and groups of signals."""

from hsa_spec.conditions.vocabulary.words import Term, never_zero, thing, words
from hsa_spec.world import World


def _signals_valid(world: World, signals: int, count: int) -> bool:
    return all(world.find("signal", s) is not None for s in world.words(signals, count))


def _agents_listed(world: World, count: int, agents: int) -> bool:
    """Return whether an array of agents is one; no agents need no array."""
    return not count or (
        agents != 0 and all(world.find("agent", a) is not None for a in world.words(agents, count))
    )


def _distinct(world: World, array: int, count: int) -> bool:
    handles = world.words(array, count) if array else ()
    return len(set(handles)) == len(handles)


def _listed_for_certain(count: int, array: int) -> bool | None:
    return None if count and array else not count


WORDS = words(
    thing("signal", "a live signal"),
    thing("signal_group", "a live signal group"),
    Term(
        "signals_valid",
        ("signals", "count"),
        "bool",
        _signals_valid,
        "all {1} elements of {0} are live signals",
        "some of the {1} elements of {0} is not a live signal",
        never_zero,
    ),
    Term(
        "signals_distinct",
        ("signals", "count"),
        "bool",
        _distinct,
        "no two of the {1} elements of {0} are the same",
        "two of the {1} elements of {0} are the same",
        lambda signals, count: None if signals and count > 1 else True,
    ),
    Term(
        "agents_listed",
        ("count", "agents"),
        "bool",
        _agents_listed,
        "{1} is an array of {0} agents, which may be none",
        "{1} is not an array of {0} agents",
        _listed_for_certain,
    ),
    Term(
        "agents_distinct",
        ("agents", "count"),
        "bool",
        _distinct,
        "no two of the {1} elements of {0} are the same",
        "two of the {1} elements of {0} are the same",
        lambda agents, count: None if agents and count > 1 else True,
    ),
)
