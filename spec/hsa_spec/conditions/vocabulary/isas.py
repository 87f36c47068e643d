"""Words about instruction set architectures, wavefronts, caches and extensions."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("isa", "an instruction set architecture"),
    thing("wavefront", "a wavefront"),
    thing("cache", "a cache"),
    fact(
        "names_isa",
        ("name",),
        "the text at {0} names an instruction set architecture",
        "the text at {0} names no instruction set architecture",
    ),
    fact(
        "has_call_convention",
        ("isa", "index"),
        "{0} has a call convention {1}",
        "{0} has no call convention {1}",
    ),
    fact(
        "extension_offered",
        ("number",),
        "the implementation supports some version of the extension numbered {0}",
        "the implementation supports no version of the extension numbered {0}",
    ),
    fact(
        "extension_supported",
        ("number", "major", "minor"),
        "version {1}.{2} of the extension numbered {0} is supported",
        "version {1}.{2} of the extension numbered {0} is not supported",
    ),
    fact(
        "major_extension_supported",
        ("number", "major"),
        "major version {1} of the extension numbered {0} is supported",
        "major version {1} of the extension numbered {0} is not supported",
    ),
)
