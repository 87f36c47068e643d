"""Draws edits of C++ files that compile to something else, no two of them on one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from tests.campaign.rocr_mutants.edit import Edit
from tests.campaign.rocr_mutants.source import Source
from tests.wrong.drawing import draw


@dataclass
class Draw:
    """The edits of a draw.

    Args:
        edits: those that change what the file is compiled to.
        refused: those that do not compile.
        equal: those that are compiled to the same.

    """

    edits: list[Edit] = field(default_factory=list)
    refused: list[Edit] = field(default_factory=list)
    equal: list[Edit] = field(default_factory=list)


def draw_edits(
    sources: Sequence[Source],
    seed: int,
    count: int,
    reached: Callable[[Edit], bool] = lambda _: True,
) -> Draw:
    """Draw edits, evenly over operators, over files, and over the functions of each file.

    No line has two of them.

    Args:
        sources: the files.
        seed: of the draw; the same seed draws the same edits of the same files.
        count: how many are to be drawn; there are fewer where the files have no more.
        reached: whether an edit may be drawn at all, since a run reaches it.

    """
    by_name = {source.name: source for source in sources}
    drawn = Draw()

    def suits(edit: Edit) -> bool:
        if any(_meet(edit, other) for other in drawn.edits):
            return False
        source = by_name[edit.file]
        if not source.accepts(edit):
            drawn.refused.append(edit)
        elif not source.differs(edit):
            drawn.equal.append(edit)
        else:
            drawn.edits.append(edit)
            return True
        return False

    edits = (edit for source in sources for edit in source.edits if reached(edit))
    for _ in islice(draw(edits, _places, Random(seed), suits), count):
        pass
    return drawn


def _places(edit: Edit) -> tuple[str, ...]:
    """Return what an edit is drawn by."""
    return edit.operator, edit.file, edit.function


def _meet(edit: Edit, other: Edit) -> bool:
    """Return whether two edits have a line or a byte in common."""
    if edit.file != other.file:
        return False
    return edit.line == other.line or (edit.start < other.end and other.start < edit.end)
