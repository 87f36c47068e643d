"""Words about times of operations."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "was_profiled",
        ("signal",),
        "{0} completed an operation whose times were recorded",
        "{0} completed no operation whose times were recorded",
    ),
)
