"""Words about memory shared with other drivers as a dma-buf."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "within_allocation",
        ("address", "size"),
        "the {1} bytes at {0} lie within one allocation",
        "the {1} bytes at {0} do not lie within one allocation",
    ),
    fact(
        "memory_is_exportable",
        ("address",),
        "the memory at {0} is on a device that can export it",
        "the memory at {0} is on a device that cannot export it",
    ),
    fact(
        "is_reached_over",
        ("address", "flags"),
        "the memory at {0} can be reached over the path that {1} names",
        "the memory at {0} cannot be reached over the path that {1} names",
    ),
    fact(
        "is_exported_buffer",
        ("descriptor",),
        "{0} is an open dma-buf of this process",
        "{0} is not an open dma-buf of this process",
    ),
)
