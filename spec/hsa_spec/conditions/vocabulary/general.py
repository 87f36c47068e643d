"""Words about the machine and about numbers, which belong to no topic."""

from hsa_spec.conditions.vocabulary.words import Term, words
from hsa_spec.world import World

#: The parameters of terms that are words; all others are numbers.
TEXTS = frozenset({"resource", "feature"})

#: The usual size of a page, which has to be told from others only on a machine that has it.
_PAGE = 4096


def _is_alignment(world: World, number: int) -> bool:
    return number == 0 or (number >= world.page_size and number & (number - 1) == 0)


WORDS = words(
    Term("page_size", (), "int", lambda w: w.page_size, "the page size", certain=lambda: _PAGE),
    Term(
        "exhausted",
        ("resource",),
        "bool",
        lambda w, resource: w.exhausted(resource),
        "the machine has run out of {0}",
        "the machine has {0} to spare",
    ),
    Term(
        "supports",
        ("feature",),
        "bool",
        lambda w, feature: w.supports(feature),
        "the machine supports {0}",
        "the machine does not support {0}",
    ),
    Term(
        "is_power_of_two",
        ("number",),
        "bool",
        lambda _, n: n > 0 and n & (n - 1) == 0,
        "{0} is a power of two",
        "{0} is not a power of two",
        lambda n: n > 0 and n & (n - 1) == 0,
    ),
    Term(
        "is_alignment",
        ("number",),
        "bool",
        _is_alignment,
        "{0} is zero or a power of two of at least a page",
        "{0} is neither zero nor a power of two of at least a page",
        lambda n: n == 0 or (n >= _PAGE and n & (n - 1) == 0),
    ),
)
