"""The table of `check` and the last lines of a run."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any
from unicodedata import category

import pytest

from hsa_reports import Explanation, Result, Run, Verdict, Weight
from hsa_reports.terminal import HEAVIEST, check_table, console, print_summary
from hsa_spec import Registry
from tests.unit.reports.report_samples import (
    ENDED,
    HOSTILE,
    STARTED,
    all_pass,
    hostile_run,
    make_result,
    make_run,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "500")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)


def table(run: Run, registry: Registry, stream: Any) -> str:
    console(stream).print(check_table(run, registry))
    return stream.getvalue()


def summary(run: Run, registry: Registry, stream: Any) -> str:
    print_summary(run, registry, console(stream))
    return stream.getvalue()


def rows(text: str) -> set[tuple[str, ...]]:
    return {tuple(line.split()) for line in text.splitlines()}


def test_a_row_has_expected_observed_and_verdict(registry: Registry) -> None:
    shown = rows(table(make_run(), registry, io.StringIO()))
    assert ("size-differs", "INVALID_ARGUMENT", "SUCCESS", "FAIL") in shown
    assert {("hsa_init",), ("offered", "export", "as", "expected", "PASS")} <= shown
    assert ("second-time", "INVALID_ALLOCATION", "nothing", "NOT_RUN") in shown


def test_a_terminal_gets_colour(registry: Registry) -> None:
    assert "\x1b[" in table(make_run(), registry, Terminal())
    assert "\x1b[" in summary(make_run(), registry, Terminal())


def test_a_file_gets_plain_text(registry: Registry) -> None:
    assert "\x1b" not in table(make_run(), registry, io.StringIO())
    assert "\x1b" not in summary(make_run(), registry, io.StringIO())


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_no_colour_gets_plain_text(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert "\x1b" not in table(make_run(), registry, Terminal())
    assert "\x1b" not in summary(make_run(), registry, Terminal())


def test_colour_is_not_forced_on_a_file(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in table(make_run(), registry, io.StringIO())


def test_a_narrow_terminal_folds_and_loses_nothing(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    text = table(make_run(), registry, Terminal())
    assert "…" not in text
    assert max(len(line) for line in text.splitlines()) <= 60


def test_a_file_is_as_wide_as_a_small_terminal_and_no_word_is_broken(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can make a file wider; a clause in it is still one to search for."""
    monkeypatch.delenv("COLUMNS")
    text = summary(make_run(), registry, io.StringIO())
    wide = [line for line in text.splitlines() if len(line) > 80]
    assert [] == [line for line in wide if len(line.split()) > 1]
    assert max(len(line) for line in table(make_run(), registry, io.StringIO()).splitlines()) <= 80


def test_the_last_line_says_what_the_run_shows(registry: Registry) -> None:
    lines = summary(all_pass(), registry, io.StringIO()).splitlines()
    assert lines[-2] == "29 clauses: 29 PASS"
    assert lines[-1].startswith('Passes set "all" of suite version 0.1.0: 29 of 29')


def test_notes_come_before_the_counts(registry: Registry) -> None:
    run = make_run(notices=("hsa_init failed",), end=replace(ENDED, exit_status=3, summary="stop"))
    lines = summary(run, registry, io.StringIO()).splitlines()
    assert lines[0] == "note: The run ended with exit status 3: stop"
    assert lines[1] == "note: hsa_init failed"


def test_a_result_without_failure_shows_its_reason(registry: Registry) -> None:
    result = make_result("hsa_init/no-memory", Verdict.UNTESTED)
    assert "needs fault injection" in table(make_run([result]), registry, io.StringIO())


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_of_a_library_cannot_command_the_terminal(registry: Registry, kind: str) -> None:
    run = hostile_run(HOSTILE[kind])
    for text in (table(run, registry, io.StringIO()), summary(run, registry, io.StringIO())):
        assert all(c == "\n" or category(c) != "Cc" for c in text)
    assert "\x1b[31m" not in summary(run, registry, Terminal())


def died(clause: str, got: str, known: Verdict | None = None) -> Result:
    """Return a result whose process ended; the baseline expects it where `known` says how."""
    result = make_result(clause, Verdict.XFAIL if known else Verdict.CRASH)
    assert result.failure
    failure = replace(result.failure, got=got, place=None)
    return replace(result, known=known, cause="a-page" if known else None, failure=failure)


def test_the_table_has_the_real_verdict_of_an_expected_failure(registry: Registry) -> None:
    run = make_run([died("hsa_init/first-call", "CRASH (SIGSEGV)", Verdict.CRASH)])
    shown = table(run, registry, io.StringIO())
    assert "XFAIL (CRASH SIGSEGV)" in shown


def test_the_summary_counts_what_ends_the_process(registry: Registry) -> None:
    """Whether a baseline expects it is said, and makes no difference."""
    known = died("hsa_init/first-call", "CRASH (SIGSEGV)", Verdict.CRASH)
    hangs = died("hsa_init/counts", "HANG (30 s)", Verdict.FRAGILE)
    new = died("hsa_init/offered", "CRASH (SIGABRT)")
    text = summary(make_run([known, hangs, new]), registry, io.StringIO())
    assert "2 XFAIL (1 CRASH, 1 FRAGILE)" in text
    assert "3 clauses end the process or hang (2 CRASH, 1 FRAGILE), 2 expected." in text


def test_the_summary_names_the_heaviest_causes(registry: Registry) -> None:
    """So that they need not be looked for."""
    clauses = [f"hsa_init/c{n}" for n in range(HEAVIEST + 2)]
    results = [died(clause, "CRASH (SIGABRT)") for clause in clauses]
    known = died("hsa_init/offered", "CRASH (SIGSEGV)", Verdict.CRASH)
    started = replace(STARTED, clauses=(*clauses, known.clause))
    run = make_run([*results, known], started=started)
    page = Explanation("a-page", "It dies", "It does.", weight=Weight.PROCESS)
    stream = io.StringIO()
    print_summary(run, registry, console(stream), {"a-page": page})
    assert f"Failures have {HEAVIEST + 3} causes, the heaviest {HEAVIEST}:" in stream.getvalue()
    assert "  XFAIL (CRASH SIGSEGV)  It dies (a-page)\n" in stream.getvalue()
    assert "cause" not in summary(all_pass(), registry, io.StringIO())
