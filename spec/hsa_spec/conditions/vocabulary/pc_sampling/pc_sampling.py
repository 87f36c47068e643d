"""Words about sampling of program counters."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("sampling_session", "a live sampling session"),
    fact(
        "can_be_sampled",
        ("agent",),
        "{0} lists ways to sample it",
        "{0} lists no way to sample it",
    ),
    fact(
        "sampling_supported",
        ("agent", "method", "unit", "interval"),
        "{0} can sample by method {1} with {3} of unit {2} between samples",
        "{0} cannot sample by method {1} with {3} of unit {2} between samples",
    ),
    fact(
        "sampling_is_reserved",
        ("number", "agent"),
        "{0} is the driver's number for sampling that is reserved on {1}",
        "{0} is not the driver's number for sampling that is reserved on {1}",
    ),
    fact(
        "is_being_sampled",
        ("agent",),
        "{0} is being sampled in another way",
        "{0} is not being sampled in another way",
    ),
    fact(
        "sampling_runs",
        ("session",),
        "{0} is running",
        "{0} is not running",
    ),
)
