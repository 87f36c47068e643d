"""A run that is killed many times, and resumed, finds what one run does."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from hsa_reports import Judged, RunEnded, RunStarted, read_events, read_run
from tests.campaign.cli.test_resume import SELECTED, found
from tests.library.cli.commands import Command
from tests.library.cli.test_resume import RUN


def test_a_run_killed_twenty_times_finds_what_one_run_does(
    command: Command, tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert 0 == command(*RUN, *SELECTED, "--out", whole).status
    seed = random.randrange(1 << 32)
    killing = [sys.executable, "-m", "tests.library.cli.killing", str(seed), "20", str(cut)]
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [*killing, *RUN, *SELECTED], cwd=root, capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, (seed, done.stderr)
    after_each = list(map(int, done.stdout.split()))
    assert sorted(after_each) == after_each, seed
    assert len(set(after_each)) > 3, seed  # some died in the midst of it

    assert 0 == command(*RUN, *SELECTED, "--out", cut, "--resume").status, seed

    assert found(whole) == found(cut), seed
    assert read_run(whole).verdicts == read_run(cut).verdicts, seed
    events = list(read_events(cut))
    assert [1, 1] == [sum(isinstance(e, t) for e in events) for t in (RunStarted, RunEnded)]
    assert {1} == set(Counter(e.clause for e in events if isinstance(e, Judged)).values())
