"""`run` tries the shortest program of each unexpected cause at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hsa_conformance.cli import trying
from hsa_reports import Failure, ProgramRun, Verdict, read_run, render_junit, render_markdown
from hsa_spec import Registry
from tests.library.cli.commands import Command
from tests.unit.reports.page_reader import data_of, texts_in

CLAUSE = "hsa_amd_vmem_address_free/in-use"
EXPECTED = f"""\
implementation: a fake
releases: ["6.1.2"]
entries:
  - {{clause: {CLAUSE}, verdict: FAIL, got: "HSA_STATUS*", class: library, reason: a fake}}
"""
ENDED = "The program in C was run here and ended with 1, the defect is there: "


@pytest.fixture
def words(fake: Callable[..., Path]) -> Sequence[str]:
    """Return the words that judge a library in which one clause fails."""
    library = str(fake("wrong_status"))
    return ("run", "--library", library, "--release", "6.1.2", "--select", CLAUSE, "--out", "out")


def failure_in(folder: Path) -> Failure:
    [failure] = [r.failure for r in read_run(folder).by_clause[CLAUSE] if r.failure]
    return failure


def test_the_program_of_an_unexpected_failure_is_tried(
    words: Sequence[str], command: Command, tmp_path: Path, registry: Registry
) -> None:
    """Its exit stands in the events, on the terminal, and in each form of the report."""
    done = command(*words)
    line = "Programs of 1 unexpected cause: 1 ended with 1 (the defect is there)"
    assert (1, True) == (done.status, line in done.out.splitlines())
    ran = failure_in(tmp_path / "out").ran
    assert ran is not None
    assert ("c", 1) == (ran.form, ran.exit)
    page = texts_in(data_of((tmp_path / "out" / "report.html").read_text("utf-8")))
    assert any(text.startswith(ENDED) for text in page)
    run = read_run(tmp_path / "out")
    assert f"  - {ENDED}{CLAUSE}: " in render_markdown(run, registry).replace("\\", "")
    tree = ET.fromstring(render_junit(run, registry))
    assert f"\n{ENDED}" in "".join(failure.text or "" for failure in tree.iter("failure"))


def test_what_is_expected_is_not_tried(
    words: Sequence[str], command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run whose failures are all expected spends no time, and says that nothing was run."""
    monkeypatch.setattr(trying, "_tried", None)
    (tmp_path / "known.yaml").write_text(EXPECTED, encoding="utf-8")
    done = command(*words, "--baseline", "known.yaml")
    assert (0, False) == (done.status, "Programs of" in done.out)
    failure = failure_in(tmp_path / "out")
    assert (None, "The program was not run.") == (failure.ran, failure.tried)


@pytest.mark.parametrize(
    ("bound", "value", "ran"),
    [
        ("TIMEOUT", 0.0, ProgramRun("c", None, "not run: no time was left for it")),
        ("TIMEOUT", 0.001, ProgramRun("c", None, "not run: no time was left for it")),
        ("MOST", 0, None),
    ],
)
def test_time_and_number_are_bounded(
    words: Sequence[str],
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    value: float,
    ran: ProgramRun | None,
) -> None:
    """What is left out says so."""
    monkeypatch.setattr(trying, bound, value)
    done = command(*words)
    assert "Programs of 1 unexpected cause: 1 not run" in done.out.splitlines()
    assert ran == failure_in(tmp_path / "out").ran


def test_a_resumed_run_tries_nothing_again(
    words: Sequence[str], command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came of a program stays, and with it the verdict."""
    command(*words)
    ran = failure_in(tmp_path / "out").ran
    monkeypatch.setattr(trying, "_tried", None)
    done = command(*words, "--resume")
    assert (1, ran) == (done.status, failure_in(tmp_path / "out").ran)
    assert Verdict.FAIL is read_run(tmp_path / "out").verdicts[CLAUSE]
