"""Words about queries of the loader."""

from hsa_spec.conditions.vocabulary.words import Term, fact, thing, words
from hsa_spec.world import World


def _pointed_at(world: World, address: int) -> int | None:
    return world.words(address, 1)[0] if address else None


WORDS = words(
    thing("loaded_code_object", "a code object that a live executable loaded"),
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
)
