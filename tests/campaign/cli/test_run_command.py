"""`run` on libraries that are wrong or interrupted: what it reports, and what it leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import Verdict, read_run
from tests.library.cli.commands import Command

FREE = "hsa_amd_vmem_address_free"


def test_run_that_finds_a_failure_answers_1(
    program: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """A broken `must` clause is named, and the report gives the command that shows it again."""
    library = fake("wrong_status")
    done = program(
        *("hsa-conformance", "run", "--library", library, "--select", FREE, "--out", "broken"),
        *("--budget", "4"),
    )
    assert 1 == done.status
    assert f"FAIL: {FREE}/in-use: answered " in done.err
    assert "ERROR" not in done.err.replace("HSA_STATUS_ERROR", "")
    run = read_run(tmp_path / "broken" / "events.jsonl")
    assert run.verdicts[f"{FREE}/in-use"] is Verdict.FAIL
    failure = run.by_clause[f"{FREE}/in-use"][0].failure
    assert failure is not None
    words = failure.reproduce.split()
    assert ["hsa-conformance", "run", "--library", str(library)] == words[:4]
    assert ["--budget", "4"] == words[-2:]
    assert 1 == program(*words, "--out", "again").status


@pytest.mark.parametrize("processes", ["1", "2"])
def test_an_end_after_the_last_check_is_reported(
    program: Command, fake: Callable[..., Path], tmp_path: Path, processes: str
) -> None:
    """The process ends when its call has long returned, and nobody would call it again.

    It is chance whether a right or a wrong call is the one that shows it.
    """
    function = "hsa_amd_vmem_address_reserve"
    library = fake("hostile", FAKE_IN=f'"{function}"', FAKE_HOW="sets_alarm")
    selected = ("--select", f"{function}/success", "--select", "hsa_status_string/string")
    program(
        *("hsa-conformance", "run", "--library", library, *selected),
        *("-n", processes, "--out", "late"),
    )
    run = read_run(tmp_path / "late" / "events.jsonl")
    reasons = [result.reason or "" for results in run.by_clause.values() for result in results]
    words = f"the process ended after {function} had returned: SIGALRM"
    assert any(words in text for text in [*run.notices, *reasons])


def test_broken_should_fails_only_with_strict(
    program: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """A leak of a failed call is a WARN: exit status 0, and 1 with --strict."""
    clause = "hsa_amd_vmem_address_reserve/failure-creates-nothing"
    words = ("run", "--library", fake("leaks_descriptor"), "--select", clause)
    assert 0 == program("hsa-conformance", *words, "--out", "lenient").status
    assert 1 == program("hsa-conformance", *words, "--out", "strict", "--strict").status


def session_of(process: Path) -> str:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[3]
    except OSError:
        return ""


def wait_for(holds: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


@pytest.mark.parametrize("processes", [1, 2])
def test_interrupted_run_leaves_a_report_and_no_process(
    fake: Callable[..., Path], program: Command, tmp_path: Path, processes: int
) -> None:
    """Ctrl-C ends every process; what was found by then can be read."""
    folder = tmp_path / "run"
    words: list[str | Path]
    words = ["--library", fake("honest"), "--profile", "full", "--out", folder, f"-n{processes}"]
    # Whoever runs these tests in the background may have told them to ignore Ctrl-C.
    listening = ("env", "--default-signal=INT")
    with subprocess.Popen(
        [*listening, Path(sys.executable).with_name("hsa-conformance"), "run", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        events = folder / "events.jsonl"
        assert wait_for(lambda: events.exists() and events.read_text().count("\n") > 4, 60)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert 3 == run.returncode
    assert "hsa-conformance: interrupted" == err.splitlines()[-1]
    assert "Traceback" not in err
    assert "The run was cut short" in out

    def left() -> list[Path]:
        return [p for p in Path("/proc").glob("[0-9]*") if session_of(p) == str(run.pid)]

    assert wait_for(lambda: not left(), 20), left()
    done = program("hsa-conformance", "report", "html", folder)
    assert 0 == done.status
    assert "The run was cut short" in done.out


def test_several_processes_give_the_same_verdicts(program: Command, tmp_path: Path) -> None:
    """A run spread over two processes finds what a run in one finds."""
    for folder, words in (("one", ("-n", "1")), ("two", ("-n", "2"))):
        done = program("hsa-conformance", "run", "--select", FREE, "--out", folder, *words)
        assert 0 == done.status, done.err
    one, two = (read_run(tmp_path / name / "events.jsonl") for name in ("one", "two"))
    assert one.verdicts == two.verdicts
