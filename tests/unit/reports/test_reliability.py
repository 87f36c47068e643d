"""What holds in which run, for authors of clients."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hsa_reports import Result, Run, Verdict
from hsa_reports.reliability import Matrix, Standing, render_html, render_markdown, to_json
from hsa_reports.reliability.matrix import Cell, ClauseRow
from tests.unit.reports.report_samples import FULL, make_registry, make_result, make_run

NAMES = ("1", "2", "3", "4")
H, F, M, U, A = (
    Standing.HOLDS,
    Standing.FAILS,
    Standing.IMITATED,
    Standing.UNKNOWN,
    Standing.ABSENT,
)
CLAUSE = "hsa_init/first-call"


def matrix(*results: list[Result], wanted: tuple[str, ...] = (CLAUSE,)) -> Matrix:
    runs: tuple[Run, ...] = tuple(make_run(each) for each in results)
    return Matrix(NAMES[: len(runs)], runs, make_registry(), wanted)


def cell(*results: Result) -> Cell:
    [function] = matrix([*results]).functions
    return function.clauses[0].cells[0]


@pytest.mark.parametrize(
    ("standings", "span", "first", "last"),
    [
        ((H, H, H, H), "always", "1", "4"),
        ((A, H, H, H), "since 2", "2", "4"),
        ((F, F, H, H), "since 3", "3", "4"),
        ((H, F, F, F), "until 1", "1", "1"),
        ((F, H, F, F), "in 2", "2", "2"),
        ((F, H, F, H), "in 2, 4", "2", "4"),
        ((U, H, H, H), "in 2, 3, 4", "2", "4"),
        ((H, U, H, H), "in 1, 3, 4", "1", "4"),
        ((H, H, M, F), "in 1, 2", "1", "2"),
        ((F, U, A, F), "never", None, None),
        ((U, M, A, U), "imitated", None, None),
        ((U, U, A, U), "not known", None, None),
    ],
)
def test_since_and_until_are_said_of_what_is_known(
    standings: tuple[Standing, ...], span: str, first: str | None, last: str | None
) -> None:
    """What nobody could try neither began nor ended there."""
    row = ClauseRow(CLAUSE, NAMES, tuple(Cell(s, None) for s in standings))
    assert (span, first, last) == (row.span, row.first, row.last)


@pytest.mark.parametrize(
    ("verdict", "standing"),
    [
        (Verdict.PASS, H),
        (Verdict.CRASH, F),
        (Verdict.UNDOCUMENTED, F),
        (Verdict.FLAKY, F),
        (Verdict.IMITATED, M),
        (Verdict.NOT_APPLICABLE, A),
        (Verdict.UNTESTED, U),
        (Verdict.VACUOUS, U),
        (Verdict.BLOCKED, U),
        (Verdict.NOT_RUN, U),
    ],
)
def test_only_what_was_judged_holds_or_fails(verdict: Verdict, standing: Standing) -> None:
    assert standing is cell(make_result(CLAUSE, verdict)).standing


def test_an_expected_failure_is_a_failure() -> None:
    """Who relies on the library is not helped by a baseline."""
    known = replace(make_result(CLAUSE, Verdict.XFAIL), known=Verdict.CRASH)
    assert (F, "CRASH") == (cell(known).standing, cell(known).word)


def test_one_failure_outweighs_what_holds() -> None:
    """A clause holds where all of its checks do; the values that break it are counted."""
    failing = replace(make_result(CLAUSE, Verdict.FAIL), value="a=1")
    other = replace(failing, value="a=2")
    assert "FAIL with 2 values" == cell(make_result(CLAUSE, Verdict.PASS), failing, other).word
    assert "FAIL" == cell(make_result(CLAUSE, Verdict.FAIL), failing).word


def test_machines_are_told_apart() -> None:
    """Where not all of a run's machines fail, those that do are named."""
    holds = replace(make_result(CLAUSE, Verdict.PASS), machine="gfx90a")
    fails = replace(make_result(CLAUSE, Verdict.FAIL), machine="gfx1100")
    found = cell(holds, fails)
    assert {"gfx90a": H, "gfx1100": F} == found.machines
    assert "FAIL on gfx1100" == found.word


def test_what_explains_a_failure_is_named() -> None:
    """A link leads to the page of the finding, where there are pages."""
    known = replace(make_result(CLAUSE, Verdict.XFAIL), known=Verdict.CRASH, cause="a-page")
    found = matrix([known], [make_result(CLAUSE, Verdict.PASS)])
    assert "| since 2 | [a-page](there/a-page.md) |" in render_markdown(found, "It", "there")
    assert "| since 2 | a-page |" in render_markdown(found, "It")


def test_what_was_not_selected_is_not_known() -> None:
    assert U is cell().standing


def test_a_function_is_as_good_as_its_clauses() -> None:
    """Counted is what was judged; the rest is told apart."""
    found = {
        CLAUSE: Verdict.PASS,
        "hsa_init/counts": Verdict.HANG,
        "hsa_init/offered": Verdict.PASS,
    }
    results = [make_result(clause, verdict) for clause, verdict in found.items()]
    every = tuple(clause for clause in FULL if clause.startswith("hsa_init/"))
    [function] = matrix(results, [make_result(CLAUSE, Verdict.IMITATED)], wanted=every).functions
    assert ("2 of 3, HANG", 1) == (function.word(0), function.left(0))
    assert ("imitated", 4) == (function.word(1), function.left(1))


def test_all_forms_say_the_same() -> None:
    """In Markdown, in HTML and in JSON."""
    found = matrix([make_result(CLAUSE, Verdict.FAIL)], [make_result(CLAUSE, Verdict.PASS)])
    assert f"| `{CLAUSE}` | The first call initialises the runtime. | FAIL | holds | since 2 |" in (
        render_markdown(found, "It")
    )
    assert "<td>since 2</td>" in render_html(found, "It")
    [function] = json.loads(to_json(found))["functions"]
    [clause] = function["clauses"]
    assert ("since 2", "2", "2") == (clause["holds"], clause["first"], clause["last"])
    assert ["fails", "holds"] == [each["standing"] for each in clause["runs"]]
