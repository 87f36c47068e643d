"""Words about images, samplers and finalizer programs."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("image", "a live image"),
    thing("sampler", "a live sampler"),
    thing("program", "a live finalizer program"),
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
    fact(
        "image_layout_matches",
        ("agent", "descriptor", "layout"),
        "{2} is a layout of {0} for {1}",
        "{2} is no layout of {0} for {1}",
    ),
    fact(
        "sampler_supported",
        ("agent", "descriptor"),
        "{0} supports the sampler that {1} describes",
        "{0} does not support the sampler that {1} describes",
    ),
    fact("has_finalizer", (), "a finalizer is installed", "no finalizer is installed"),
    fact("is_module", ("module",), "{0} is a module of HSAIL", "{0} is no module of HSAIL"),
    fact(
        "module_fits",
        ("program", "module"),
        "{1} has the machine model and profile of {0}",
        "{1} has not the machine model and profile of {0}",
    ),
    fact(
        "module_included",
        ("program", "module"),
        "{1} is a part of {0}",
        "{1} is not a part of {0}",
    ),
    fact(
        "symbols_match",
        ("program", "module"),
        "the symbols of {1} match those of {0}",
        "some symbol of {1} does not match one of {0}",
    ),
    fact(
        "directives_match",
        ("program", "directives"),
        "the directives of {0} agree with {1}",
        "the directives of {0} do not agree with {1}",
    ),
    fact(
        "compiles",
        ("program", "isa"),
        "{0} can be compiled for {1}",
        "{0} cannot be compiled for {1}",
    ),
)
