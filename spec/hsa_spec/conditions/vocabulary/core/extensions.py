"""Words about extensions."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
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
