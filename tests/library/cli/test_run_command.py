"""`run` and `check`: what they write, print and answer."""

from __future__ import annotations

import json
import subprocess
import sys
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
