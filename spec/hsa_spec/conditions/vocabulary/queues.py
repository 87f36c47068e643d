"""Words about queues, packets and profiling."""

from hsa_spec.conditions.vocabulary.words import fact, member, thing, words

WORDS = words(
    thing(
        "queue",
        "a live queue",
        size=("int", "the number of packets that {0} holds"),
        agent=("int", "the agent of {0}"),
        on_gpu=("bool", "{0} belongs to a GPU"),
    ),
    fact(
        "queue_type_supported",
        ("agent", "type"),
        "{0} supports queues of type {1}",
        "{0} does not support queues of type {1}",
    ),
    fact(
        "queue_size_supported",
        ("agent", "size"),
        "{0} supports queues of {1} packets",
        "{0} does not support queues of {1} packets",
    ),
    fact(
        "queue_descriptors_supported",
        ("agent", "descriptors", "count"),
        "{0} supports the queues that the {2} elements of {1} describe",
        "{0} does not support some queue that the {2} elements of {1} describe",
    ),
    fact(
        "is_counted_queue",
        ("queue",),
        "{0} is a queue from hsa_amd_counted_queue_acquire that was not given back",
        "{0} is not a queue that hsa_amd_counted_queue_acquire gave and the caller still holds",
    ),
    fact(
        "interceptable",
        ("queue",),
        "{0} was made to be intercepted",
        "{0} was not made to be intercepted",
    ),
    fact(
        "enables_masked_units",
        ("queue", "count", "mask"),
        "the {1} bits at {2} enable a compute unit of {0} that HSA_CU_MASK disables",
        "the {1} bits at {2} enable no compute unit of {0} that HSA_CU_MASK disables",
    ),
    fact(
        "units_in_pairs",
        ("queue", "count", "mask"),
        "the {1} bits at {2} name compute units as the agent of {0} groups them",
        "the {1} bits at {2} part compute units that the agent of {0} keeps together",
    ),
    fact(
        "was_profiled",
        ("signal",),
        "{0} completed an operation whose times were recorded",
        "{0} completed no operation whose times were recorded",
    ),
    member("queue_descriptor_version", "descriptor", 0, 2, "the version member of {0}"),
)
