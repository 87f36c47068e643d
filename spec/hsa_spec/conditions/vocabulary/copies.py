"""Words about locked memory, copies, shared virtual memory and interoperation."""

from hsa_spec.conditions.vocabulary.words import Term, fact, words
from hsa_spec.world import World


def _dependencies_valid(world: World, count: int, signals: int) -> bool:
    """Tell whether an array of signals to wait for is one; no signals and no array is one too."""
    if not count or not signals:
        return not count and not signals
    return all(world.find("signal", s) is not None for s in world.words(signals, count))


WORDS = words(
    Term(
        "dependencies_valid",
        ("count", "signals"),
        "bool",
        _dependencies_valid,
        "{1} is an array of {0} live signals, or both are nothing",
        "{1} is not an array of {0} live signals",
        lambda count, signals: None if count and signals else not count and not signals,
    ),
    fact(
        "reaches",
        ("agent", "address", "size"),
        "{0} can access the {2} bytes at {1}",
        "{0} cannot access the {2} bytes at {1}",
    ),
    fact(
        "engine_exists",
        ("destination", "source", "engine"),
        "copies from {1} to {0} can use engine {2}",
        "copies from {1} to {0} cannot use engine {2}",
    ),
    fact(
        "extents_fit",
        ("destination", "source", "range"),
        "the extent at {2} lies within {0} and {1}",
        "the extent at {2} does not lie within {0} and {1}",
    ),
    fact(
        "copies_valid",
        ("operations", "count"),
        "the {1} elements of {0} describe copies",
        "some of the {1} elements of {0} describes no copy",
    ),
    fact(
        "is_locked",
        ("address",),
        "{0} is the start of a locked range",
        "{0} is not the start of a locked range",
    ),
    fact(
        "is_known_memory",
        ("address",),
        "{0} lies in memory that the runtime knows",
        "{0} does not lie in memory that the runtime knows",
    ),
    fact(
        "can_export_buffer",
        ("agent", "handle"),
        "the handle {1} names a buffer that can be mapped for the agents at {0}",
        "the handle {1} names no buffer that can be mapped for the agents at {0}",
    ),
    fact(
        "is_interop_buffer",
        ("address",),
        "{0} is the start of a buffer from hsa_amd_interop_map_buffer",
        "{0} is not the start of a buffer from hsa_amd_interop_map_buffer",
    ),
    fact(
        "attributes_valid",
        ("attributes", "count"),
        "the {1} pairs at {0} are attributes that there are",
        "some of the {1} pairs at {0} is no attribute that there is",
    ),
    fact(
        "allows_retries",
        ("address",),
        "the machine lets a GPU retry faults, which pages at {0} need",
        "the machine does not let a GPU retry faults, which pages at {0} need",
    ),
    fact(
        "shares_addresses",
        ("address",),
        "the machine shares addresses such as {0} between host and GPUs",
        "the machine does not share addresses such as {0} between host and GPUs",
    ),
)
