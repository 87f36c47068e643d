"""Draws edits of C++ files that compile, no two of them on one line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

from tests.campaign.rocr_mutants.edit import Edit
from tests.campaign.rocr_mutants.source import Source
from tests.wrong.drawing import draw


def draw_edits(sources: Sequence[Source], seed: int, count: int) -> tuple[list[Edit], list[Edit]]:
    """Return edits that compile, and those that were drawn and do not.

    No line has two of them.

    Args:
        sources: the files.
        seed: of the draw; the same seed draws the same edits of the same files.
        count: how many are to be drawn; there are fewer where the files have no more.

    """
    by_name = {source.name: source for source in sources}
    drawn: list[Edit] = []
    refused: list[Edit] = []

    def suits(edit: Edit) -> bool:
        if any(_meet(edit, other) for other in drawn):
            return False
        compiles = by_name[edit.file].accepts(edit)
        (drawn if compiles else refused).append(edit)
        return compiles

    edits = (edit for source in sources for edit in source.edits)
    chosen = draw(edits, lambda edit: (edit.operator, edit.file), Random(seed), suits)
    return [*islice(chosen, count)], refused


def _meet(edit: Edit, other: Edit) -> bool:
    """Return whether two edits have a line or a byte in common."""
    if edit.file != other.file:
        return False
    return edit.line == other.line or (edit.start < other.end and other.start < edit.end)
