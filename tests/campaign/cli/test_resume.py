"""`run --resume`: nothing is lost, and nothing is there twice, whenever a run was killed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import (
    EventWriter,
    Judged,
    Result,
    RunEnded,
    Verdict,
    read_events,
    read_run,
)
from tests.library.cli.commands import Command
from tests.library.cli.killing import judged
from tests.library.cli.test_resume import RUN, SHORT

FUNCTIONS = "function:hsa_init or function:hsa_shut_down or function:hsa_system_get_info"
#: How far calls of several threads overlap is chance, and differs between runs.
SELECTED = ("--select", f"({FUNCTIONS}) and not clause:*/threads")
PYTEST = ("--pyargs", "hsa_conformance", "-p", "no:cacheprovider", "--hsa-adapter=reference")


def found(folder: Path) -> Counter[tuple[str, str, Verdict, int, int, str | None]]:
    """Return what a run found, without how long it took."""
    return Counter(
        (r.clause, r.check, r.verdict, r.satisfied, r.near_misses, r.reason)
        for r in read_run(folder).results
    )


def test_a_process_that_dies_costs_its_clause_until_the_run_is_resumed(
    program: Command, tmp_path: Path
) -> None:
    (tmp_path / "dying.py").write_text(
        "import os, signal\n"
        "def pytest_runtest_call(item):\n"
        "    if 'hsa_init/success' in item.nodeid:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    selected = ("--hsa-select=hsa_shut_down", "--hsa-select=hsa_init")
    how = ("-n", "2", "--hsa-events=events.jsonl")
    words = ("python", "-m", "pytest", *PYTEST, *selected, *how)
    assert 3 == program(*words, "-p", "dying").status
    events = tmp_path / "events.jsonl"
    before = read_run(events)
    assert Verdict.NOT_RUN is before.verdicts["hsa_init/success"]
    assert any("hsa_init/success was not judged" in text for text in before.notices)

    resumed = program(*words, "--hsa-resume")

    assert 0 == resumed.status, resumed.out
    after = read_run(events)
    assert Verdict.PASS is after.verdicts["hsa_init/success"]
    assert not any("was not judged" in text for text in after.notices)
    assert [0] == [e.exit_status for e in read_events(events) if isinstance(e, RunEnded)]


def test_a_run_in_several_processes_is_killed_and_resumed(command: Command, tmp_path: Path) -> None:
    words = ("run", *SELECTED, "-n", "2", "--out", str(tmp_path / "run"))
    program = Path(sys.executable).with_name("hsa-conformance")
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([program, *words], **silent) as run:  # type: ignore[call-overload]
        until = time.monotonic() + 100
        while judged(tmp_path / "run") < 3 and time.monotonic() < until:
            time.sleep(0.01)
        run.kill()
    before = judged(tmp_path / "run")

    assert 0 == command(*words, "--resume").status

    events = list(read_events(tmp_path / "run"))
    times = Counter(e.clause for e in events if isinstance(e, Judged))
    assert {1} == set(times.values())
    assert 3 <= before < len(times)
    assert Verdict.NOT_RUN not in read_run(tmp_path / "run").verdicts.values()


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--seed", "7"), "seed is 7, not 0"),
        (("--profile", "full"), "profile is full, not quick"),
        (("--strict",), "strict is True, not False"),
        (("--budget", "3"), "--budget is 3, not not given"),
        (("--select", "hsa_init"), "32 clauses are selected, not 2"),
        (("--machine", "two-cpus"), "--machine is two-cpus"),
    ],
)
def test_another_run_is_not_resumed(
    command: Command, run_folder: Path, words: tuple[str, ...], what: str
) -> None:
    before = (run_folder / "events.jsonl").read_bytes()
    selected = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")

    done = command("run", *selected, *words, "--out", run_folder, "--resume")

    assert (2, True) == (done.status, what in done.err), done.err
    assert "choose another place with --out" in done.err
    assert before == (run_folder / "events.jsonl").read_bytes()


def test_a_run_against_another_one_is_not_resumed(command: Command, run_folder: Path) -> None:
    """What that run found is part of what was asked for."""
    selected = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")

    done = command("run", *selected, "--against", run_folder, "--out", run_folder, "--resume")

    assert (2, True) == (done.status, "--against is events.jsonl (SHA-256" in done.err), done.err


@pytest.mark.parametrize("build_id", [True, False])
def test_another_build_of_a_library_is_not_resumed(
    command: Command, fake: Callable[..., Path], tmp_path: Path, build_id: bool
) -> None:
    """It lies where the other one did; without a build id, its content tells."""

    def put(name: str) -> None:
        library.write_bytes(fake(name).read_bytes())
        if not build_id:
            strip = ["objcopy", "--remove-section=.note.gnu.build-id", str(library)]
            subprocess.run(strip, check=True)

    library = tmp_path / "libfake.so"
    put("honest")
    words = ("run", "--library", library, "--claim", "exported", "--select", "hsa_init/exported")
    command(*words, "--out", "run")
    put("wrong_status")

    done = command(*words, "--out", "run", "--resume")

    what = "build id is" if build_id else "--library is libfake.so ("
    assert (2, True) == (done.status, what in done.err), done.err


def test_a_run_that_goes_on_is_not_resumed(command: Command, run_folder: Path) -> None:
    words = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")
    with EventWriter(run_folder / "events.jsonl", resume=True):
        done = command("run", *words, "--out", run_folder, "--resume")

    assert (2, True) == (done.status, "the run still goes on" in done.err), done.err


def test_a_run_whose_time_was_over_is_resumed(command: Command, tmp_path: Path) -> None:
    assert 3 == command(*RUN, *SHORT, "--limit", "0.001", "--out", "late").status

    assert 0 == command(*RUN, *SHORT, "--out", "late", "--resume").status

    assert Verdict.NOT_RUN not in read_run(tmp_path / "late").verdicts.values()


def test_without_a_folder_the_last_run_is_resumed(command: Command) -> None:
    done = command("run", *SHORT, "--resume")
    assert (2, True) == (done.status, "no run of reference in runs; say which" in done.err)
    assert 0 == command("run", *SHORT).status

    done = command("run", *SHORT, "--resume")

    assert (0, True) == (done.status, "nothing was judged again" in done.err), done.err


def test_a_folder_without_a_run_gets_one(command: Command, tmp_path: Path) -> None:
    """So that a batch system may start the same command again."""
    assert 0 == command("run", *SHORT, "--out", "new", "--resume").status
    assert read_run(tmp_path / "new").end is not None


def test_what_an_older_version_wrote_is_not_thrown_away(command: Command, run_folder: Path) -> None:
    events = run_folder / "events.jsonl"
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join(line for line in lines if b'{"event":"judged"' not in line))
    words = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")

    done = command("run", *words, "--out", run_folder, "--resume")

    assert (2, True) == (done.status, "an older version wrote it" in done.err), done.err
    assert any(isinstance(event, Result) for event in read_events(events))
