"""Code whose variables lie all over its segments, and have all sizes and alignments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.code_objects import Code, Kernel, Variable
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.shared.code import generators as code

#: The name of the variable that lies in a place of its own.
PLACED: Final = "placed"

_PAGE: Final = 4096
_MANY: Final = 100
_SIZES: Final = (8, 1, 4, 3, 64, _PAGE + 1)
_ALIGNMENTS: Final = (8, 1, 64, 256, _PAGE, 4 * _PAGE)
_EMPTY: Final = {
    "memory that the file has no bytes for": (_PAGE + 1, 8),
    "the last byte": (1, 1),
    "behind the last byte, of no bytes": (0, 1),
}


def spread(fixtures: Fixtures, agent: int) -> Code:
    """Return code for an agent, with a variable PLACED in a place of its own.

    Args:
        fixtures: where choices come from.
        agent: an agent that code can be made for.

    """
    target = code.target(fixtures, agent)
    assert target is not None, "code cannot be made for the agent"
    placed = fixtures.each("place of a variable", _places(fixtures))
    # So many that no table of a loader has room for all of them beforehand.
    count = fixtures.draw(drawing.sampled_from([0, 1, 2, 3, _MANY]))
    others = tuple(_other(fixtures, n) for n in range(count))
    kernels = (Kernel("first"), Kernel("second", 32, 256, 64))[
        : fixtures.draw(drawing.integers(0, 2))
    ]
    variables = (*others, placed) if placed.place == "end" else (placed, *others)
    return Code(target, kernels, variables, fixtures.one_of([4, 5]))


def _places(fixtures: Fixtures) -> Mapping[str, Variable]:
    """Return the variable that lies in a place, by what reports call the place."""
    size, align = fixtures.one_of(_SIZES), fixtures.one_of(_ALIGNMENTS)
    return {
        "the start of a segment": Variable(PLACED, 21, size=size, align=align),
        "among constants": Variable(PLACED, 22, constant=True, size=size, align=align),
        "address 0": Variable(PLACED, 23, constant=True, size=size, place="start"),
        **{
            words: Variable(PLACED, size=size, align=align, place="end")
            for words, (size, align) in _EMPTY.items()
        },
    }


def _other(fixtures: Fixtures, number: int) -> Variable:
    return Variable(
        f"other{number}",
        31 + number,
        constant=fixtures.one_of([False, True]),
        size=fixtures.one_of(_SIZES),
        align=fixtures.one_of(_ALIGNMENTS),
    )
