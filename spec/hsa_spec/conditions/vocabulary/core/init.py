"""Words about initialisation."""

from hsa_spec.conditions.vocabulary.words import Term, words

WORDS = words(
    Term(
        "initialized",
        (),
        "bool",
        lambda w: w.references > 0,
        "the runtime is initialised",
        "the runtime is not initialised",
    ),
    Term(
        "references",
        (),
        "int",
        lambda w: w.references,
        "the reference count of the runtime",
    ),
)
