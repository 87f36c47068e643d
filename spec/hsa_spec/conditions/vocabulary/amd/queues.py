"""Words about queues from descriptors, counted and intercepted ones, and their compute units."""

from hsa_spec.conditions.vocabulary.words import Term, fact, member, words
from hsa_spec.world import World

#: A hsa_amd_queue_create_desc_t is twelve words. Engines: 0 computes, 1 copies, 2 is an AI engine.
_DESCRIPTOR_WORDS = 12
_COMPUTE, _COPIES, _AIE = range(3)
_PACKET = 64


def _half(words: list[int], offset: int) -> int:
    return words[offset // 8] >> 8 * (offset % 8) & 0xFFFFFFFF


def _descriptor_valid(words: list[int]) -> bool:
    head, engine, size = _half(words, 0), _half(words, 4), _half(words, 8)
    known = head & 0xFFFF == 1 and engine in (_COMPUTE, _COPIES, _AIE)
    sized = size > 0 and size & (size - 1) == 0
    # The traffic class and the rest up to the end are reserved.
    unused = [_half(words, offset) for offset in range(72, 96, 4)]
    match engine:
        case 0:
            fits = size % _PACKET == 0 and _half(words, 48) <= 2 and _half(words, 56) % 32 == 0
            unused += [_half(words, offset) for offset in range(60, 72, 4)]
        case 1:
            fits = True
            unused += [_half(words, offset) for offset in range(44, 72, 4)]
        case _:
            fits = True
            unused += [_half(words, offset) for offset in range(40, 72, 4)]
    return known and sized and fits and _half(words, 12) <= 2 and not any(unused)


def _descriptors_valid(world: World, descriptors: int, count: int) -> bool:
    if not descriptors or not count:
        return False
    found = world.words(descriptors, _DESCRIPTOR_WORDS * count)
    each = range(0, len(found), _DESCRIPTOR_WORDS)
    return all(_descriptor_valid(list(found[i : i + _DESCRIPTOR_WORDS])) for i in each)


WORDS = words(
    fact(
        "queue_descriptors_supported",
        ("agent", "descriptors", "count"),
        "{0} supports the queues that the {2} elements of {1} describe",
        "{0} does not support some queue that the {2} elements of {1} describe",
    ),
    Term(
        "queue_descriptors_valid",
        ("descriptors", "count"),
        "bool",
        _descriptors_valid,
        "all {1} elements of {0} describe queues with known values only",
        "some of the {1} elements of {0} has a value that is unknown, or not allowed",
    ),
    fact(
        "queue_has_attribute",
        ("queue", "attribute"),
        "{0} is of a kind that has the attribute {1}",
        "{0} is of a kind that does not have the attribute {1}",
    ),
    fact(
        "is_counted_queue",
        ("queue",),
        "{0} is a queue from hsa_amd_counted_queue_acquire that was not given back",
        "{0} is not a queue that hsa_amd_counted_queue_acquire gave and the caller still holds",
    ),
    fact(
        "interceptable",
        ("queue",),
        "{0} was made to be intercepted",
        "{0} was not made to be intercepted",
    ),
    fact(
        "enables_masked_units",
        ("queue", "count", "mask"),
        "the {1} bits at {2} enable a compute unit of {0} that HSA_CU_MASK disables",
        "the {1} bits at {2} enable no compute unit of {0} that HSA_CU_MASK disables",
    ),
    fact(
        "units_in_pairs",
        ("queue", "count", "mask"),
        "the {1} bits at {2} name compute units as the agent of {0} groups them",
        "the {1} bits at {2} part compute units that the agent of {0} keeps together",
    ),
    member("queue_descriptor_version", "descriptor", 0, 2, "the version member of {0}"),
)
