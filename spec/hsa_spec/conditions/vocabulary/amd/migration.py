"""Words about blocks that move to another pool."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "can_migrate",
        ("address", "pool"),
        "hsa_amd_memory_pool_can_migrate allows the block at {0} to move to {1}",
        "hsa_amd_memory_pool_can_migrate does not allow the block at {0} to move to {1}",
    ),
)
