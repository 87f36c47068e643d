"""Words about finalizer programs."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("program", "a live finalizer program"),
    thing("code_object_writer", "a live code object writer"),
    fact(
        "file_writable",
        ("file",),
        "{0} is a file that is open for writing",
        "{0} is no file that is open for writing",
    ),
    fact(
        "options_match",
        ("program", "options"),
        "the options at {1} agree with the control directives of {0}",
        "the options at {1} do not agree with the control directives of {0}",
    ),
    fact(
        "globals_compile",
        ("program",),
        "the variables of {0} that are allocated for the program can be compiled",
        "the variables of {0} that are allocated for the program cannot be compiled",
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
