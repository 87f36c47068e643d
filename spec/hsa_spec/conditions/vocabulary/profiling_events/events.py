"""Words about profiling events."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "configurable",
        (),
        "the runtime is in the configuration state",
        "the runtime is not in the configuration state",
    ),
    fact(
        "events_started",
        (),
        "the profiling events are initialised",
        "the profiling events are not initialised",
    ),
    fact(
        "producer_can_be_used",
        ("type", "number"),
        "the producer {1} of type {0} can give events at this time",
        "the producer {1} of type {0} can give no events at this time",
    ),
    fact(
        "producers_can_be_used",
        ("type",),
        "all producers of type {0} can give events at this time",
        "some producer of type {0} can give no events at this time",
    ),
    fact(
        "producer_registered",
        ("number",),
        "{0} is a registered producer of an application",
        "{0} is not a registered producer of an application",
    ),
    fact(
        "event_registered",
        ("number", "event"),
        "the event {1} of producer {0} is registered",
        "the event {1} of producer {0} is not registered",
    ),
    fact(
        "events_left",
        (),
        "there is an event in the buffer",
        "there is no event in the buffer",
    ),
    fact(
        "is_head_event",
        ("event",),
        "{0} holds the event that was read last",
        "{0} does not hold the event that was read last",
    ),
)
