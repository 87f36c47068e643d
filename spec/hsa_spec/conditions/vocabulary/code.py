"""Words about code objects, executables and their symbols."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("executable", "a live executable", frozen=("bool", "{0} is frozen")),
    thing("code_object_reader", "a live code object reader"),
    thing("executable_symbol", "a symbol of a live executable"),
    thing("code_object", "a live code object"),
    thing("code_symbol", "a symbol of a live code object"),
    thing("loaded_code_object", "a code object that a live executable loaded"),
    fact(
        "file_is_readable",
        ("file",),
        "{0} is a file that is open for reading",
        "{0} is no file that is open for reading",
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
        "code_is_loadable",
        ("executable", "reader"),
        "the code of {1} fits {0} and the implementation",
        "the code of {1} does not fit {0} or the implementation",
    ),
    fact(
        "code_is_loadable_on",
        ("executable", "reader", "agent"),
        "the code of {1} fits {0} and {2}",
        "the code of {1} does not fit {0} or {2}",
    ),
    fact(
        "object_is_loadable_on",
        ("executable", "object", "agent"),
        "the code object {1} fits {0} and {2}",
        "the code object {1} does not fit {0} or {2}",
    ),
    fact(
        "variables_defined",
        ("executable",),
        "every variable of {0} is defined",
        "some variable of {0} is not defined",
    ),
    fact(
        "has_variable",
        ("executable", "name"),
        "{0} has a variable with the name at {1}",
        "{0} has no variable with the name at {1}",
    ),
    fact(
        "variable_is_defined",
        ("executable", "name"),
        "the variable of {0} with the name at {1} is defined",
        "the variable of {0} with the name at {1} is not defined",
    ),
    fact(
        "has_symbol",
        ("executable", "name"),
        "{0} has a symbol with the name at {1}",
        "{0} has no symbol with the name at {1}",
    ),
    fact(
        "object_has_symbol",
        ("object", "name"),
        "the code object {0} has a symbol with the name at {1}",
        "the code object {0} has no symbol with the name at {1}",
    ),
)
