"""Words about regions, and memory owned by agents."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing(
        "region",
        "a memory region",
        allocatable=("bool", "{0} allows the host to allocate"),
        max_size=("int", "the largest allocation that {0} allows"),
    ),
    thing("region_block", "the start of a block from hsa_memory_allocate"),
    fact(
        "is_registered",
        ("address", "size"),
        "the {1} bytes at {0} are registered",
        "the {1} bytes at {0} are not registered",
    ),
)
