"""Words about agents."""

from hsa_spec.conditions.vocabulary.words import Term, thing, words
from hsa_spec.world import World


def _agents_valid(world: World, agents: int, count: int) -> bool:
    return all(world.find("agent", a) is not None for a in world.words(agents, count))


def _agents_zero(world: World, agents: int, count: int) -> bool:
    return 0 in world.words(agents, count)


WORDS = words(
    thing("agent", "an agent", device=("text", "the device type of {0}")),
    Term(
        "agents_valid",
        ("agents", "count"),
        "bool",
        _agents_valid,
        "all {1} elements of {0} are agents",
        "some of the {1} elements of {0} is not an agent",
        implies=(("agents_zero", False),),
    ),
    Term(
        "agents_zero",
        ("agents", "count"),
        "bool",
        _agents_zero,
        "some of the {1} elements of {0} is the zero handle",
        "none of the {1} elements of {0} is the zero handle",
    ),
)
