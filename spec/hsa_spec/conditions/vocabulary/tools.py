"""Words about loader queries, performance counters and sampling."""

from hsa_spec.conditions.vocabulary.words import Term, fact, thing, words
from hsa_spec.world import World


def _pointed_at(world: World, address: int) -> int | None:
    return world.words(address, 1)[0] if address else None


WORDS = words(
    thing("sampling_session", "a live sampling session"),
    Term("number_at", ("address",), "int", _pointed_at, "the number at {0}"),
    fact(
        "is_loaded_address",
        ("address",),
        "{0} lies in code that is loaded",
        "{0} does not lie in code that is loaded",
    ),
    fact(
        "is_segment_count",
        ("number",),
        "{0} is how many segments are loaded",
        "{0} is not how many segments are loaded",
    ),
    fact(
        "is_kernel_address",
        ("address",),
        "{0} lies in the code of a loaded kernel",
        "{0} does not lie in the code of a loaded kernel",
    ),
    fact(
        "is_profile",
        ("profile",),
        "{0} describes counters, a command buffer and an output buffer that fit",
        "{0} does not describe counters, a command buffer and an output buffer that fit",
    ),
    fact(
        "names_block",
        ("profile", "query"),
        "the name in {1} is that of a block of the GPU in {0}",
        "the name in {1} is not that of a block of the GPU in {0}",
    ),
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
