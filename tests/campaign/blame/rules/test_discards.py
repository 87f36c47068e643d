"""Ranges that are given up: a reference that does it wrongly is blamed for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from hsa_conformance.subjects import Options
from hsa_reference.amd import svm
from hsa_reference.amd.copies.jobs import Jobs, Piece
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reports import Verdict

DISCARD = "hsa_amd_svm_discard_batch_async"
#: A machine whose GPUs retry faults.
RETRYING = Options(machine="gfx942-4")
START: Callable[..., None] = Jobs.start
GIVE_UP: Callable[..., None] = svm._discard


def at_once(self: Jobs, after: Sequence[int], *pieces: Piece) -> None:
    """Wait for the first signal only."""
    START(self, after[:1], *pieces)


def unsignalled(self: Jobs, after: Sequence[int], *pieces: Piece) -> None:
    """Tell nobody of the end."""
    START(self, after, *(piece._replace(done=0) for piece in pieces))


def freed(state: Any, ranges: list[tuple[int, int]], era: int) -> None:
    """Give the last range up with its addresses."""
    GIVE_UP(state, ranges, era)
    reservations = state.part(VirtualMemory).reservations
    if (last := reservations.at(ranges[-1][0])) is not None:
        reservations.remove(last)


MISTAKES: Mapping[str, tuple[object, str, object]] = {
    "after-dependencies": (Jobs, "start", at_once),
    "completion": (Jobs, "start", unsignalled),
    "still-reserved": (svm, "_discard", freed),
}


@pytest.mark.parametrize("slug", MISTAKES)
def test_a_mistake_of_a_discard_is_blamed(
    judged: Callable[[str, Options], Verdict], monkeypatch: pytest.MonkeyPatch, slug: str
) -> None:
    monkeypatch.setattr(*MISTAKES[slug])
    # What is expected by convention alone is a warning.
    assert judged(f"{DISCARD}/{slug}", RETRYING) in {Verdict.FAIL, Verdict.WARN}
