"""Words about transfers between memory and files."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "file_is_usable",
        ("file",),
        "{0} is an open file",
        "{0} is no open file",
    ),
    fact(
        "transfer_succeeds",
        ("file", "size"),
        "the file system carries {1} bytes of {0} out",
        "the file system does not carry {1} bytes of {0} out",
    ),
)
