"""Words about executables: what is loaded into them, their variables and symbols."""

from hsa_spec.conditions.vocabulary.words import Term, fact, never_zero, thing, words

WORDS = words(
    thing("executable", "a live executable", frozen=("bool", "{0} is frozen")),
    thing("code_object_reader", "a live code object reader"),
    thing("executable_symbol", "a symbol of a live executable"),
    fact(
        "reads_code",
        ("reader",),
        "what {0} reads is a code object",
        "what {0} reads is not a code object",
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
        "program_code_was_loaded",
        ("executable",),
        "a program code object was loaded into {0}",
        "no program code object was loaded into {0}",
    ),
    fact(
        "code_was_loaded",
        ("executable", "code", "agent"),
        "the code of {1} was loaded into {0} for {2} before",
        "the code of {1} was not loaded into {0} for {2} before",
    ),
    fact(
        "declarations_are_met",
        ("executable", "code", "agent"),
        "all that the code of {1} declares is defined in {0} for {2}",
        "something that the code of {1} declares is not defined in {0} for {2}",
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
        "has_variable_for",
        ("executable", "agent", "name"),
        "{0} has, for {1}, a variable with the name at {2}",
        "{0} has, for {1}, no variable with the name at {2}",
    ),
    fact(
        "variable_is_defined_for",
        ("executable", "agent", "name"),
        "the variable of {0} for {1} with the name at {2} is defined",
        "the variable of {0} for {1} with the name at {2} is not defined",
    ),
    Term(
        "points_to_agent",
        ("address",),
        "bool",
        lambda world, address: any(
            world.find("agent", handle) is not None
            for handle in (world.words(address, 1) if address else ())
        ),
        "{0} is the address of an agent's handle",
        "{0} is not the address of an agent's handle",
        never_zero,
    ),
    fact(
        "has_symbol",
        ("executable", "name"),
        "{0} has a symbol with the name at {1}",
        "{0} has no symbol with the name at {1}",
    ),
    fact(
        "has_symbol_in",
        ("executable", "module", "name", "agent"),
        "{0} has a symbol of the module at {1} with the name at {2} that is for {3} or any agent",
        "{0} has no symbol of the module at {1} with the name at {2} that is for {3} or any agent",
    ),
    fact(
        "has_symbol_for",
        ("executable", "name", "agent"),
        "{0} has a symbol with the name at {1} for the agent at {2}, or for all if that is NULL",
        "{0} has no symbol with the name at {1} for the agent at {2}, or for all if that is NULL",
    ),
    fact(
        "suits_symbol",
        ("attribute", "symbol"),
        "{0} is an attribute of symbols of the kind of {1}",
        "{0} is no attribute of symbols of the kind of {1}",
    ),
)
