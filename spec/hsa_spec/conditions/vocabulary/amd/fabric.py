"""Words about memory shared through a fabric."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "is_fabric_handle",
        ("handle",),
        "{0} names memory that a process of the fabric shares",
        "{0} names no memory that a process of the fabric shares",
    ),
)
