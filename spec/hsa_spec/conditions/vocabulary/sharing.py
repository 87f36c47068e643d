"""Words about memory shared between processes and with other drivers."""

from hsa_spec.conditions.vocabulary.words import fact, member, thing, words

WORDS = words(
    thing("external_semaphore", "an open external semaphore"),
    fact(
        "is_whole_allocation",
        ("address", "size"),
        "{0} and {1} are start and size of an allocation",
        "{0} and {1} are not start and size of an allocation",
    ),
    fact(
        "within_allocation",
        ("address", "size"),
        "the {1} bytes at {0} lie within one allocation",
        "the {1} bytes at {0} do not lie within one allocation",
    ),
    fact(
        "memory_is_exportable",
        ("address",),
        "the memory at {0} is on a device that can export it",
        "the memory at {0} is on a device that cannot export it",
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
        "is_exported_buffer",
        ("descriptor",),
        "{0} is an open dma-buf of this process",
        "{0} is not an open dma-buf of this process",
    ),
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
    fact(
        "semaphore_is_importable",
        ("agent", "descriptor"),
        "{1} describes a semaphore that the driver of {0} can import",
        "{1} describes no semaphore that the driver of {0} can import",
    ),
    fact(
        "semaphore_fits",
        ("queue", "semaphore"),
        "{1} was imported by the device of {0}",
        "{1} was not imported by the device of {0}",
    ),
    fact(
        "driver_takes_semaphores",
        ("handle",),
        "the driver offers external semaphores such as {0}",
        "the driver does not offer external semaphores such as {0}",
    ),
    fact(
        "file_is_usable",
        ("file",),
        "{0} is an open file",
        "{0} is no open file",
    ),
    fact(
        "transfer_succeeds",
        ("file", "size"),
        "the file system carries {1} bytes of {0} out",
        "the file system does not carry {1} bytes of {0} out",
    ),
    fact(
        "is_fabric_handle",
        ("handle",),
        "{0} names memory that a process of the fabric shares",
        "{0} names no memory that a process of the fabric shares",
    ),
    fact(
        "is_gpu_memory",
        ("address",),
        "the memory at {0} belongs to a GPU",
        "the memory at {0} does not belong to a GPU",
    ),
    fact(
        "is_known_start",
        ("address",),
        "{0} is the start of memory that the runtime knows",
        "{0} is not the start of memory that the runtime knows",
    ),
    fact(
        "holds_counters",
        ("agent",),
        "this process holds the streaming counters of {0}",
        "this process does not hold the streaming counters of {0}",
    ),
    fact(
        "reclaims_scratch",
        ("agent",),
        "scratch memory of {0} can be reclaimed while it runs",
        "scratch memory of {0} cannot be reclaimed while it runs",
    ),
    member("semaphore_handle_type", "descriptor", 0, 4, "the type of {0}"),
    member("semaphore_os_handle", "descriptor", 8, 8, "the operating system's handle in {0}"),
)
