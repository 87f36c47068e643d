"""Words about memory and signals shared between processes."""

from hsa_spec.conditions.vocabulary.words import fact, words

WORDS = words(
    fact(
        "is_whole_allocation",
        ("address", "size"),
        "{0} and {1} are start and size of an allocation",
        "{0} and {1} are not start and size of an allocation",
    ),
    fact(
        "is_gpu_memory",
        ("address",),
        "the memory at {0} belongs to a GPU",
        "the memory at {0} does not belong to a GPU",
    ),
    fact(
        "is_ipc_memory",
        ("handle", "size"),
        "{0} names {1} bytes of memory that a process shares",
        "{0} does not name {1} bytes of memory that a process shares",
    ),
    fact(
        "ipc_agents_reach",
        ("agents", "count", "handle"),
        "each of the {1} agents in {0} can access the memory that {2} names",
        "some of the {1} agents in {0} cannot access the memory that {2} names",
    ),
    fact(
        "is_attached",
        ("address",),
        "{0} came from hsa_amd_ipc_memory_attach",
        "{0} did not come from hsa_amd_ipc_memory_attach",
    ),
    fact(
        "is_ipc_signal",
        ("handle",),
        "{0} names a signal that a process shares",
        "{0} names no signal that a process shares",
    ),
    fact(
        "signal_is_shareable",
        ("signal",),
        "{0} was made to be shared between processes",
        "{0} was not made to be shared between processes",
    ),
)
