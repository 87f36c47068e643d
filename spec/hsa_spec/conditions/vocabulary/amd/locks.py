"""Words about locked memory."""

from hsa_spec.conditions.vocabulary.amd.pools import all_reach
from hsa_spec.conditions.vocabulary.words import Term, fact, words
from hsa_spec.world import World


def _agents_reach_pool(world: World, agents: int, count: int, pool: int) -> bool:
    return all_reach(world, world.words(agents, count), pool)


WORDS = words(
    Term(
        "agents_reach_pool",
        ("agents", "count", "pool"),
        "bool",
        _agents_reach_pool,
        "each of the {1} agents in {0} can be given access to {2}",
        "some of the {1} agents in {0} can never access {2}",
    ),
    fact(
        "is_locked",
        ("address",),
        "{0} is the start of a locked range",
        "{0} is not the start of a locked range",
    ),
)
