"""Words about queues."""

from hsa_spec.conditions.vocabulary.words import fact, thing, words

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
)
