"""Draws edits of C++ files, evenly over operators and files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from random import Random

from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.source import Source


def draw(sources: Sequence[Source], seed: int, count: int) -> tuple[list[Edit], list[Edit]]:
    """Return edits that compile, and those that were drawn and do not.

    The operators take turns. Each takes a file from which least has been drawn, and there an
    edit on a line that has none.

    Args:
        sources: the files.
        seed: of the draw; the same seed draws the same edits of the same files.
        count: how many are to be drawn; there are fewer where the files have no more.

    """
    random = Random(seed)
    left = {
        (operator, source.name): random.sample(edits, len(edits))
        for source in sources
        for operator in Operator
        if (edits := [e for e in source.edits if e.operator is operator])
    }
    by_name = {source.name: source for source in sources}
    drawn: list[Edit] = []
    refused: list[Edit] = []
    per_file: Counter[str] = Counter()
    for operator in cycle(Operator):
        if len(drawn) == count or not left:
            return drawn, refused
        names = [name for other, name in left if other is operator]
        while names:
            least = min(per_file[name] for name in names)
            name = random.choice([name for name in names if per_file[name] == least])
            edit = left[operator, name].pop()
            if not left[operator, name]:
                del left[operator, name]
                names.remove(name)
            if any(_meet(edit, other) for other in drawn):
                continue
            if by_name[name].accepts(edit):
                drawn.append(edit)
                per_file[name] += 1
                break
            refused.append(edit)
    raise AssertionError("the operators never end")


def _meet(edit: Edit, other: Edit) -> bool:
    """Return whether two edits have a line or a byte in common."""
    if edit.file != other.file:
        return False
    return edit.line == other.line or (edit.start < other.end and other.start < edit.end)
