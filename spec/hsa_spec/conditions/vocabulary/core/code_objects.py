"""Words about code objects, their symbols, and what holds one."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("code_object", "a live code object"),
    thing("code_symbol", "a symbol of a live code object"),
    fact(
        "file_is_readable",
        ("file",),
        "{0} is a file that is open for reading",
        "{0} is no file that is open for reading",
    ),
    fact(
        "whole_file_holds_code",
        ("file",),
        "the contents of {0} are a code object",
        "the contents of {0} are not a code object",
    ),
    fact(
        "file_holds_code",
        ("file", "offset", "size"),
        "the {2} bytes at {1} of {0} are a code object",
        "the {2} bytes at {1} of {0} are not a code object",
    ),
    fact(
        "holds_code",
        ("address", "size"),
        "the {1} bytes at {0} are a code object",
        "the {1} bytes at {0} are not a code object",
    ),
    fact(
        "object_is_loadable_on",
        ("executable", "object", "agent"),
        "the code object {1} fits {0} and {2}",
        "the code object {1} does not fit {0} or {2}",
    ),
    fact(
        "object_has_symbol",
        ("object", "name"),
        "the code object {0} has a symbol with the name at {1}",
        "the code object {0} has no symbol with the name at {1}",
    ),
    fact(
        "object_has_symbol_in",
        ("object", "module", "name"),
        "the code object {0} has a symbol of the module at {1} with the name at {2}",
        "the code object {0} has no symbol of the module at {1} with the name at {2}",
    ),
)
