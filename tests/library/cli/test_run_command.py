"""`run` and `check`: what they write, print and answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import Verdict, read_run
from hsa_spec import load
from tests.library.cli.commands import Command

FREE = "hsa_amd_vmem_address_free"
MAP = "hsa_amd_vmem_map"
UNDEFINED = "hsa_amd_agents_allow_access/agents-dangling"


def test_run_on_the_reference_succeeds(program: Command, tmp_path: Path) -> None:
    """A run writes the events and the report, and says where the report is."""
    done = program("hsa-conformance", "run", "--select", FREE, "--out", "here")
    assert 0 == done.status, done.err
    assert ["events.jsonl", "report.html"] == sorted(p.name for p in (tmp_path / "here").iterdir())
    assert f"Report: {Path('here') / 'report.html'}" in done.out
    run = read_run(tmp_path / "here" / "events.jsonl")
    assert run.passes
    assert {Verdict.PASS, Verdict.NOT_APPLICABLE, Verdict.UNTESTED} == set(run.verdicts.values())
    assert "<!doctype html>" in (tmp_path / "here" / "report.html").read_text().lower()


def test_events_are_json_lines(run_folder: Path) -> None:
    """Every line of the event file is a JSON object with its type."""
    lines = (run_folder / "events.jsonl").read_text().splitlines()
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_run_without_out_makes_a_folder_of_its_own(program: Command, tmp_path: Path) -> None:
    """The default folder lies under `runs` and carries the name of what is tested."""
    assert 0 == program("hsa-conformance", "run", "--select", "hsa_shut_down/success").status
    [folder] = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("-reference")


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


def test_finding_about_a_clause_not_selected_is_a_notice(
    program: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """What a near miss shows about another clause is told, and is no verdict of this run."""
    done = program(
        *("hsa-conformance", "run", "--library", fake("wrong_status")),
        *("--select", f"{FREE}/success", "--out", "one"),
    )
    assert 0 == done.status
    run = read_run(tmp_path / "one" / "events.jsonl")
    assert {f"{FREE}/success": Verdict.PASS} == run.verdicts
    [notice] = run.notices
    assert notice.startswith(f"FAIL: {FREE}/in-use, which was not selected: answered ")


def test_time_is_estimated_where_it_was_measured(
    command: Command, fake: Callable[..., Path]
) -> None:
    """The first line of a run, and a dry one, say how long the reference takes, and no other."""
    words = ("run", "--select", "hsa_shut_down")
    for more, estimated in (((), True), (("--library", fake("succeeds")), False)):
        dry = command(*words, "--dry-run", *more)
        wet = command(*words, "--out", f"run{estimated}", *more)
        assert estimated == ("about" in dry.out.splitlines()[-1])
        assert estimated == ("about" in wet.err.splitlines()[0])


@pytest.mark.parametrize(
    ("option", "library"),
    [("--claim", True), ("--machine", True), ("--virtual-kfd", True), ("--machine", False)],
)
def test_a_dry_run_refuses_a_wrong_file_as_the_run_does(
    command: Command, fake: Callable[..., Path], tmp_path: Path, option: str, library: bool
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("nonsense: 1\n", "utf-8")
    words: tuple[str | Path, ...] = ("run", "--select", "hsa_shut_down/exported", option, file)
    if library:
        words = (*words, "--library", fake("succeeds"))
    dry, wet = command(*words, "--dry-run"), command(*words, "--out", "x")
    assert (2, "", 1) == (dry.status, dry.out, len(dry.err.splitlines()))
    assert (wet.status, wet.err) == (dry.status, dry.err)


def test_missing_symbol_is_a_verdict(
    program: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """A library without a function that its version has is judged, not refused."""
    name = "hsa_amd_vmem_address_reserve_align"
    claim = tmp_path / "claim.yaml"
    claim.write_text("implementation: mine\nsets: [base, amd-vmem-1.6]\n", "utf-8")
    options = ("--library", fake("lies_about_version"), "--claim", claim, "--select", name)
    done = program("hsa-conformance", "run", *options, "--out", "x")
    assert 1 == done.status
    run = read_run(tmp_path / "x" / "events.jsonl")
    assert Verdict.FAIL is run.verdicts[f"{name}/exported"]
    assert Verdict.BLOCKED is run.verdicts[f"{name}/success"]


def test_run_that_judges_nothing_answers_3(program: Command) -> None:
    """A run of clauses that cannot be tested is no success, and the first line says so."""
    done = program("hsa-conformance", "run", "--select", UNDEFINED, "--out", "x")
    assert 3 == done.status
    assert "NOTHING WAS JUDGED" in done.out


def test_death_at_the_start_is_no_missing_device(
    program: Command, fake: Callable[..., Path]
) -> None:
    """Only a refusal of hsa_init is what --expect-no-device foresees."""
    library = fake("crashes", FAKE_CRASH_IN_CALL=1)
    words = ("--library", library, "--select", f"{FREE}/success", "--expect-no-device")
    done = program("hsa-conformance", "run", *words, "--out", "x")
    assert 1 == done.status
    assert "NOTHING WAS JUDGED" in done.out


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


def test_check_prints_a_table(program: Command, tmp_path: Path) -> None:
    """`check` shows every clause of the group with its verdict, and leaves no files."""
    done = program("hsa-conformance", "check", FREE)
    assert 0 == done.status, done.err
    assert "in-use" in done.out
    assert "RESOURCE_FREE" in done.out
    assert "PASS" in done.out
    assert [] == list(tmp_path.iterdir())


def test_check_of_one_status(program: Command, tmp_path: Path) -> None:
    """`check --status` judges the clauses of the group that lead to the status, and no others."""
    words = ("check", MAP, "--status", "INVALID_ARGUMENT", "--out", "run")
    done = program("hsa-conformance", *words)
    assert 0 == done.status, done.err
    leading = load().answering(MAP, "HSA_STATUS_ERROR_INVALID_ARGUMENT")
    assert {clause.id for clause in leading} == read_run(tmp_path / "run").verdicts.keys()


def test_help_names_every_command(command: Command) -> None:
    """The help lists the commands and the exit statuses."""
    done = command("--help")
    assert 0 == done.status
    for name in ("run", "check", "compare", "spec", "report", "reference-library", "hosts"):
        assert name in done.out
    assert "exit status" in done.out


def test_no_command_is_wrong_use(command: Command) -> None:
    """Without a command the usage is shown."""
    done = command()
    assert 2 == done.status
    assert "usage: hsa-conformance" in done.err


def test_output_that_nobody_reads_is_no_error(tmp_path: Path) -> None:
    """A pipe that closes early ends the command quietly."""
    import subprocess

    script = Path(sys.executable).with_name("hsa-conformance")
    done = subprocess.run(
        ["/bin/sh", "-c", '"$1" spec list --json | head -c 1', "sh", script],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("[", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize("word", ["NO_COLOR", "CI"])
def test_output_in_a_pipe_has_no_colour(
    command: Command, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """Where there is no terminal, there is no escape sequence."""
    monkeypatch.setenv(word, "1")
    assert "\x1b" not in command("spec", "coverage", "init").out
