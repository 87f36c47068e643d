"""Words about streaming performance counters."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "holds_counters",
        ("agent",),
        "this process holds the streaming counters of {0}",
        "this process does not hold the streaming counters of {0}",
    ),
)
