"""Words about memory pools and blocks from them."""

from collections.abc import Iterable

from hsa_spec.conditions.vocabulary.words import Term, place, thing, words
from hsa_spec.world import World


def all_reach(world: World, agents: Iterable[int], pool: int) -> bool:
    """Return whether each of these agents can be given access to the buffers of a pool."""
    return all(world.holds("reaches_pool", agent, pool) for agent in agents)


def _agents_reach(world: World, agents: int, count: int, pointer: int) -> bool:
    block = world.find("allocation", pointer)
    return block is not None and all_reach(world, world.words(agents, count), block.pool)


WORDS = words(
    thing(
        "pool",
        "a memory pool",
        allocatable=("bool", "{0} allows allocation"),
        granule=("int", "the allocation granule of {0}"),
        max_size=("int", "the largest allocation that {0} allows"),
        location=("text", "the location of {0}"),
        agent=("int", "the agent of {0}"),
    ),
    place(
        "allocation",
        "a block from hsa_amd_memory_pool_allocate",
        "the block at {0}",
        address=("int", "the start of {0}"),
        size=("int", "the size of {0}"),
        pool=("int", "the pool of {0}"),
    ),
    Term(
        "agents_reach",
        ("agents", "count", "pointer"),
        "bool",
        _agents_reach,
        "each of the {1} agents in {0} can be given access to the pool of {2}",
        "some of the {1} agents in {0} can never access the pool of {2}",
    ),
)
