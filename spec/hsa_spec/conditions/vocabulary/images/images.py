"""Words about images."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("image", "a live image"),
    fact(
        "image_format_supported",
        ("agent", "descriptor", "access"),
        "{0} supports the format of {1} with access {2}",
        "{0} does not support the format of {1} with access {2}",
    ),
    fact(
        "image_size_supported",
        ("agent", "descriptor"),
        "{0} supports the dimensions of {1}",
        "{0} does not support the dimensions of {1}",
    ),
    fact(
        "image_pitch_supported",
        ("agent", "descriptor", "row", "slice"),
        "{0} supports a row pitch of {2} and a slice pitch of {3} with {1}",
        "{0} does not support a row pitch of {2} and a slice pitch of {3} with {1}",
    ),
    fact(
        "image_data_aligned",
        ("agent", "descriptor", "data"),
        "{2} has the alignment that {0} asks for with {1}",
        "{2} does not have the alignment that {0} asks for with {1}",
    ),
    fact(
        "mipmap_levels_fit",
        ("descriptor",),
        "{0} asks for no more levels than its dimensions allow",
        "{0} asks for more levels than its dimensions allow",
    ),
    fact(
        "points_at_image",
        ("address",),
        "{0} points at a live image",
        "{0} does not point at a live image",
    ),
    fact(
        "has_level",
        ("image", "level"),
        "{0} points at an image with a level {1}",
        "{0} does not point at an image with a level {1}",
    ),
)
