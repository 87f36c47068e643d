"""Words about regions, and memory owned by agents."""

from hsa_spec.conditions.vocabulary.words import Term, fact, thing, words

WORDS = words(
    thing(
        "region",
        "a memory region",
        allocatable=("bool", "{0} allows the host to allocate"),
        of_host=("bool", "{0} is a region of an agent of the host"),
        max_size=("int", "the largest allocation that {0} allows"),
    ),
    thing(
        "region_block",
        "the start of a block from hsa_memory_allocate",
        segment=("text", "the segment of the block at {0}"),
    ),
    fact(
        "can_own",
        ("agent", "address"),
        "{0} can access the region of the block at {1}",
        "{0} cannot access the region of the block at {1}",
    ),
    Term(
        "are_apart",
        ("first", "second", "size"),
        "bool",
        lambda _, first, second, size: abs(first - second) >= size,
        "the {2} bytes at {0} and the {2} bytes at {1} do not overlap",
        "the {2} bytes at {0} and the {2} bytes at {1} overlap",
        lambda first, second, size: abs(first - second) >= size,
    ),
    fact(
        "is_memory",
        ("address", "size"),
        "the {1} bytes at {0} are memory that can be read and written",
        "not all of the {1} bytes at {0} are memory that can be read and written",
    ),
    fact(
        "is_registered",
        ("address", "size"),
        "the {1} bytes at {0} are a range that is registered, from its start to its end",
        "the {1} bytes at {0} are not a range that is registered, from its start to its end",
    ),
    fact(
        "overlaps_registration",
        ("address", "size"),
        "the {1} bytes at {0} overlap a registered range that is not the same",
        "the {1} bytes at {0} overlap no registered range but the same one",
    ),
)
