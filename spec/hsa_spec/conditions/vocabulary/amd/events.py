"""Words about handlers of events."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "has_event_handler",
        ("handler",),
        "a handler of system events such as {0} is registered",
        "no handler of system events is registered when {0} is given",
    ),
    fact(
        "is_deallocation_callback",
        ("address", "callback"),
        "{1} is registered for the memory at {0}",
        "{1} is not registered for the memory at {0}",
    ),
)
