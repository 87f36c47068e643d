"""Words about copies, and the signals that they wait for."""

from hsa_spec.conditions.vocabulary.words import Term, fact, member, words
from hsa_spec.world import World


def _dependencies_valid(world: World, count: int, signals: int) -> bool:
    """Return whether an array of signals to wait for is one; no signals and no array is one too."""
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
    member("pitched_base", "pitched", 0, 8, "the base of {0}"),
    member("pitched_pitch", "pitched", 8, 8, "the pitch of {0}"),
    member("copy_version", "operation", 0, 2, "the version of {0}"),
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
)
