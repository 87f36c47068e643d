"""Words about images with a layout that the caller chose."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "image_layout_matches",
        ("agent", "descriptor", "layout"),
        "{2} is a layout of {0} for {1}",
        "{2} is no layout of {0} for {1}",
    ),
)
