"""Some seconds of what `tox -e soak` does for half an hour."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reference.library import LibraryError
from tests.campaign.soak.campaign import ResourceUse, run


def test_random_programs_of_two_processes_crash_nothing_and_leave_nothing(tmp_path: Path) -> None:
    lines: list[str] = []
    try:
        outcome = run(tmp_path, 12, 0, "two_gpus", lines.append)
    except LibraryError as error:
        pytest.skip(str(error))

    assert () == outcome.problems
    assert all(outcome.rounds)


def test_what_a_process_holds_more_than_before_is_named() -> None:
    before = ResourceUse(memory=50 << 20, descriptors=5, mappings=300)
    after = ResourceUse(memory=50 << 20, descriptors=99, mappings=300)
    assert ["descriptors grew from 5 to 99"] == after.grown_since(before)
