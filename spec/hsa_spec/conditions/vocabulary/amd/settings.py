"""Words about settings of the runtime."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "reclaims_scratch",
        ("agent",),
        "scratch memory of {0} can be reclaimed while it runs",
        "scratch memory of {0} cannot be reclaimed while it runs",
    ),
)
