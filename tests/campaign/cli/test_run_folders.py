"""Folders of runs: each run has its own, and what was judged stays there whatever happens."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from hsa_conformance.cli import run_folder
from hsa_reports import Verdict, read_run
from tests.library.cli.commands import Command

PROGRAM = Path(sys.executable).with_name("hsa-conformance")
SHORT = ("--select", "hsa_shut_down", "--select", "hsa_init")


def test_two_runs_of_one_second_have_their_own_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class FrozenDatetime(datetime):
        @classmethod
        def now(cls, tz: object = None) -> FrozenDatetime:
            return cls(2026, 1, 2, 3, 4, 5)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_folder, "datetime", FrozenDatetime)
    options = argparse.Namespace(out=None, library=None, adapter="reference", resume=False)

    names = [run_folder.new_folder(options)[0].name for _ in range(3)]

    first = "20260102-030405-reference"
    assert [first, f"{first}-2", f"{first}-3"] == names


def test_of_two_runs_into_one_folder_one_is_refused(tmp_path: Path) -> None:
    """The other one is as if it had been alone."""
    command = [PROGRAM, "run", *SHORT, "--out", "one"]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    runs = [subprocess.Popen(command, cwd=tmp_path, text=True, **pipes) for _ in range(2)]  # type: ignore[call-overload]
    words = [run.communicate(timeout=100)[1] for run in runs]

    assert [0, 2] == sorted(run.returncode for run in runs), words
    assert read_run(tmp_path / "one").end is not None
    [refusal] = [w for run, w in zip(runs, words, strict=True) if run.returncode]
    assert "already holds a run" in refusal


def test_a_full_disk_ends_the_run_in_one_line(program: Command, tmp_path: Path) -> None:
    """What was judged by then is kept and can be read."""
    words = ["--select", "hsa_init", "--select", "hsa_shut_down", "--out"]
    assert 0 == program("hsa-conformance", "run", *words, "whole").status
    beginning = (tmp_path / "whole/events.jsonl").read_bytes().index(b"\n")
    limit = f'ulimit -f {beginning // 1024 + 3} && exec "$0" "$@"'  # KiB
    done = subprocess.run(
        ["/bin/bash", "-c", limit, PROGRAM, "run", *words, "full"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 3 == done.returncode, done.stderr
    [line] = [line for line in done.stderr.splitlines() if line.startswith("hsa-conformance: ")]
    assert "cannot write events any more: File too large; what was judged so far is kept" in line
    assert "no report: File too large; make it elsewhere with hsa-conformance report html" in line
    assert "Traceback" not in done.stderr
    assert "The run was cut short" in done.stdout
    run = read_run(tmp_path / "full")
    assert (None, True) == (run.end, len(run.results) > 1)
    assert 0 == program("hsa-conformance", "report", "markdown", "full").status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_leaves_a_report(
    fake: Callable[..., Path], tmp_path: Path, number: int
) -> None:
    """It ends as after Ctrl-C."""
    command = [PROGRAM, "run", "--library", fake("honest"), "--out", "run"]
    listening = ("env", "--default-signal=INT,TERM,HUP")
    with subprocess.Popen(
        [*listening, *map(str, command)],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as run:
        events = tmp_path / "run" / "events.jsonl"
        until = time.monotonic() + 60
        while time.monotonic() < until and not (
            events.exists() and events.read_bytes().count(b"\n") > 2
        ):
            time.sleep(0.05)
        run.send_signal(number)
        _, complaint = run.communicate(timeout=60)

    assert (3, b"hsa-conformance: interrupted") == (run.returncode, complaint.splitlines()[-1])
    assert (tmp_path / "run" / "report.html").exists()
    assert Verdict.NOT_RUN in read_run(tmp_path / "run").verdicts.values()


def test_a_run_ends_when_its_time_is_over(program: Command, tmp_path: Path) -> None:
    """What was not begun by then is NOT_RUN, which is no success."""
    done = program("hsa-conformance", "run", *SHORT, "--limit", "0.001", "--out", "late")

    assert 3 == done.status, done.err
    run = read_run(tmp_path / "late")
    assert {Verdict.NOT_RUN} == set(run.verdicts.values())
    assert {"the run took longer than its limit of 0.001 s; --resume judges it"} == {
        (result.reason or "").partition(",")[0] for result in run.results
    }
    assert run.end is not None
    assert f"{len(run.verdicts)} clauses not run: the run took longer" in run.end.summary
