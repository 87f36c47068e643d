"""Words about what is known of an address."""

from hsa_spec.conditions.vocabulary.words import Term, fact, words
from hsa_spec.world import World


# A hsa_amd_pointer_info_t starts with its own size, in 32 bits.
def _pointer_info_size(world: World, info: int) -> int | None:
    return world.words(info, 1)[0] & 0xFFFFFFFF if info else None


WORDS = words(
    Term(
        "pointer_info_size",
        ("info",),
        "int",
        _pointer_info_size,
        "the size member of {0}",
    ),
    fact(
        "is_known_memory",
        ("address",),
        "{0} lies in memory that the runtime knows",
        "{0} does not lie in memory that the runtime knows",
    ),
    fact(
        "is_known_start",
        ("address",),
        "{0} is the start of memory that the runtime knows",
        "{0} is not the start of memory that the runtime knows",
    ),
)
