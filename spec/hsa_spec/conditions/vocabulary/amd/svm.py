"""Words about shared virtual memory."""

from hsa_spec.conditions.vocabulary.words import Term, around, fact, words
from hsa_spec.world import World

#: The values of hsa_amd_svm_attribute_t that can be set, and those that can be asked for. The
#: texts contradict each other on asking for the prefetch location, which is in neither.
SETTABLE = frozenset({0, 1, 2, 3, 4, 6, 7, 0x200, 0x201, 0x202})
READABLE = frozenset({0, 1, 2, 3, 4, 6, 7, 0x203})
_PREFETCH_LOCATION = 5
#: From here on, the value of an attribute is the agent that it is about.
_OF_AGENTS = 0x200


# A hsa_amd_svm_attribute_pair_t is two words: the attribute, then its value.
def _attributes(world: World, pairs: int, count: int) -> frozenset[int]:
    return frozenset(world.words(pairs, 2 * count)[0::2] if pairs else ())


def _attributes_repeated(world: World, pairs: int, count: int) -> bool:
    """Return whether an attribute is there twice, or two attributes are for the same agent."""
    found = world.words(pairs, 2 * count) if pairs else ()
    subjects = [
        ("agent", value) if attribute >= _OF_AGENTS else ("attribute", attribute)
        for attribute, value in zip(found[0::2], found[1::2], strict=False)
    ]
    return len(set(subjects)) < len(subjects)


def _ranges_reserved(world: World, starts: int, sizes: int, count: int) -> bool:
    ranges = zip(world.words(starts, count), world.words(sizes, count), strict=False)
    for start, size in ranges:
        found = around(world, "reservation", start)
        if found is None or start + size > found.address + found.size:
            return False
    return True


WORDS = words(
    Term(
        "attributes_settable",
        ("attributes", "count"),
        "bool",
        lambda w, pairs, count: _attributes(w, pairs, count) <= SETTABLE,
        "the {1} pairs at {0} have attributes that can be set",
        "some of the {1} pairs at {0} has no attribute that can be set",
    ),
    Term(
        "attributes_readable",
        ("attributes", "count"),
        "bool",
        lambda w, pairs, count: _attributes(w, pairs, count) <= READABLE,
        "the {1} pairs at {0} have attributes that can be read",
        "some of the {1} pairs at {0} has no attribute that can be read",
    ),
    Term(
        "attributes_repeated",
        ("attributes", "count"),
        "bool",
        _attributes_repeated,
        "two of the {1} pairs at {0} are about the same attribute or the same agent",
        "no two of the {1} pairs at {0} are about the same attribute or the same agent",
    ),
    Term(
        "asks_prefetch_location",
        ("attributes", "count"),
        "bool",
        lambda w, pairs, count: _PREFETCH_LOCATION in _attributes(w, pairs, count),
        "one of the {1} pairs at {0} asks for the prefetch location",
        "none of the {1} pairs at {0} asks for the prefetch location",
    ),
    fact(
        "attribute_values_valid",
        ("attributes", "count"),
        "the {1} pairs at {0} have values that their attributes can have",
        "some of the {1} pairs at {0} has a value that its attribute cannot have",
    ),
    Term(
        "ranges_reserved",
        ("starts", "sizes", "count"),
        "bool",
        _ranges_reserved,
        "the {2} ranges that {0} and {1} describe lie within reserved ranges",
        "some of the {2} ranges that {0} and {1} describe lies within no reserved range",
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
