"""`reproduce`: programs from the event file of a run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import read_run
from tests.cli.commands import Command
from tests.reports.page_reader import data_of, texts_in

CLAUSE = "hsa_amd_vmem_address_free/in-use"


@pytest.fixture
def broken(program: Command, fake: Callable[..., Path], tmp_path: Path) -> Path:
    """Return the library of a run in which one clause failed."""
    library = fake("wrong_status")
    words = ("--library", library, "--select", CLAUSE, "--out", "broken")
    assert 1 == program("hsa-conformance", "run", *words).status
    return library


def test_the_command_of_a_failure_makes_a_program(
    broken: Path, command: Command, tmp_path: Path
) -> None:
    """The command that stands in the events and in the report writes C that compiles and fails."""
    failure = read_run(tmp_path / "broken" / "events.jsonl").by_clause[CLAUSE][0].failure
    assert failure is not None
    assert failure.program is not None
    page = (tmp_path / "broken" / "report.html").read_text("utf-8")
    assert failure.program in texts_in(data_of(page))
    name, *words = failure.program.split()
    assert ("hsa-conformance", "reproduce", CLAUSE, "--c") == (name, words[0], *words[2:])
    done = command(*words, "--out", "it.c")
    assert (0, "") == (done.status, done.out)
    subprocess.run(["cc", "-std=c11", "-o", "it", "it.c", "-ldl"], cwd=tmp_path, check=True)
    assert 1 == subprocess.run([tmp_path / "it", broken], check=False).returncode


def test_python_comes_on_standard_output(broken: Path, command: Command, tmp_path: Path) -> None:
    """A run's folder does as well as its event file."""
    done = command("reproduce", "broken", CLAUSE, "--python")
    assert 0 == done.status
    (tmp_path / "it.py").write_text(done.out, encoding="utf-8")
    words: list[str | Path] = [sys.executable, "it.py", broken]
    assert 1 == subprocess.run(words, cwd=tmp_path, check=False).returncode


def test_bad_input_of_reproduce(broken: Path, command: Command, tmp_path: Path) -> None:
    """Each says what is there, or what to do."""
    for words, status, message in (
        (("broken", "hsa_init/success"), 2, f"clauses with one: {CLAUSE}"),
        (("nowhere", CLAUSE), 2, "cannot read the event file"),
        (("broken", CLAUSE, "--out", "no/where.c"), 2, "cannot write no/where.c"),
        (("broken", CLAUSE, "--c", "--python"), 2, "not allowed with"),
    ):
        done = command("reproduce", *words)
        assert (status, "") == (done.status, done.out)
        assert message in done.err


def test_failure_of_an_older_version(broken: Path, command: Command, tmp_path: Path) -> None:
    """Steps in words make no program, and the way out is named."""
    events = tmp_path / "broken" / "events.jsonl"
    documents = [json.loads(line) for line in events.read_text("utf-8").splitlines()]
    for failure in filter(None, (document.get("failure") for document in documents)):
        for step in failure["steps"]:
            del step["action"]
    events.write_text("".join(json.dumps(d) + "\n" for d in documents), encoding="utf-8")
    done = command("reproduce", "broken", CLAUSE)
    assert 3 == done.status
    assert "make the run again with this one (hsa-conformance run --library " in done.err
