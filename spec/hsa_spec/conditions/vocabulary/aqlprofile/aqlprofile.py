"""Words about performance counters."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "is_profile",
        ("profile",),
        "{0} describes counters, a command buffer and an output buffer that fit",
        "{0} does not describe counters, a command buffer and an output buffer that fit",
    ),
    fact(
        "names_block",
        ("profile", "query"),
        "the name in {1} is that of a block of the GPU in {0}",
        "the name in {1} is not that of a block of the GPU in {0}",
    ),
)
