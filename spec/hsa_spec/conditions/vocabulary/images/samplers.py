"""Words about samplers."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("sampler", "a live sampler"),
    fact(
        "sampler_supported",
        ("agent", "descriptor"),
        "{0} supports the sampler that {1} describes",
        "{0} does not support the sampler that {1} describes",
    ),
)
