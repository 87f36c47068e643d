"""Words about performance counters."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

WORDS = words(
    thing("counter_session", "a live session context"),
    fact(
        "counters_started",
        (),
        "the performance counters are initialised",
        "the performance counters are not initialised",
    ),
    fact(
        "counter_exists",
        ("index",),
        "{0} is the index of a performance counter",
        "{0} is not the index of a performance counter",
    ),
    fact(
        "counter_has_type",
        ("index", "type"),
        "the values of performance counter {0} are of type {1}",
        "the values of performance counter {0} are not of type {1}",
    ),
    fact(
        "counter_can_be_sampled",
        ("context", "index"),
        "performance counter {1} can be sampled in {0} at this time",
        "performance counter {1} cannot be sampled in {0} at this time",
    ),
    fact(
        "counters_go_together",
        ("context",),
        "the counters of {0} go together, and with those of other sessions",
        "the counters of {0} do not go together, or not with those of another session",
    ),
    fact(
        "session_enabled",
        ("context",),
        "{0} is enabled",
        "{0} is not enabled",
    ),
    fact(
        "session_runs",
        ("context",),
        "{0} is running",
        "{0} is not running",
    ),
    fact(
        "session_can_stop",
        ("context",),
        "the system can stop {0} at this time",
        "the system cannot stop {0} at this time",
    ),
    fact(
        "sessions_listed",
        ("number", "list"),
        "the {0} contexts at {1} are live",
        "some of the {0} contexts at {1} is not live",
    ),
)
