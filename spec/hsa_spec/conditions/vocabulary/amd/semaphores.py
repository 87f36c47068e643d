"""Words about external semaphores."""

from hsa_spec.conditions.vocabulary.words import fact, member, thing, words

WORDS = words(
    thing("external_semaphore", "an open external semaphore"),
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
    member("semaphore_handle_type", "descriptor", 0, 4, "the type of {0}"),
    member("semaphore_os_handle", "descriptor", 8, 8, "the operating system's handle in {0}"),
)
