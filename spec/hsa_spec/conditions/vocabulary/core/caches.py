"""Words about caches."""

from hsa_spec.conditions.vocabulary.words import thing, words

WORDS = words(
    thing("cache", "a cache"),
)
