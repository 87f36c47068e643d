"""What holds where texts contradict each other stands apart in every form of a report."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hsa_reports import (
    Run,
    TextReading,
    Verdict,
    render_html,
    render_junit,
    render_markdown,
)
from hsa_reports.comparison import Comparison
from hsa_reports.comparison.words import notes
from hsa_reports.counting import share
from hsa_reports.headline import headline
from hsa_reports.terminal import check_table, console, print_summary
from hsa_spec import Registry
from tests.unit.reports.page_reader import data_of
from tests.unit.reports.report_samples import (
    ENDED,
    FULL,
    all_pass,
    make_result,
    make_run,
    sample_events,
    written_run,
)

CLAUSE = "hsa_agent_get_info/before-init"
APART = "of which 1 contested"


def with_contest() -> Run:
    """Return a run in which all pass, one clause of them by a contested text."""
    results = [replace(r, contested=r.clause == CLAUSE) for r in all_pass().results]
    return make_run(results, end=replace(ENDED, exit_status=0))


def test_the_event_file_keeps_it(tmp_path: Path) -> None:
    events = sample_events()
    read = written_run(tmp_path / "events.jsonl", events)
    assert frozenset() == read.contested
    result = replace(make_result(CLAUSE, Verdict.PASS), contested=True)
    marked = [result if e == make_result(CLAUSE, Verdict.PASS) else e for e in events]
    assert {CLAUSE} == written_run(tmp_path / "marked.jsonl", marked).contested


def test_what_fails_is_not_contested() -> None:
    """One check that finds a failure outweighs another that passed."""
    passed = replace(make_result(CLAUSE, Verdict.PASS), contested=True)
    assert frozenset() == make_run([passed, make_result(CLAUSE, Verdict.WARN, "other")]).contested


def test_the_share_and_the_first_line_set_it_apart(registry: Registry) -> None:
    total = len(FULL)
    expected = f"{total} of {total} applicable clauses pass (100%), {APART}"
    assert expected == share(with_contest())
    assert f'Passes set "all" of suite version 0.1.0: {expected}.' == (
        headline(with_contest(), registry).text
    )


def test_it_stands_beside_failures_too(registry: Registry) -> None:
    results = [r for r in with_contest().results if r.clause == CLAUSE]
    failing = make_run([*results, make_result("hsa_init/first-call", Verdict.FAIL)])
    assert headline(failing, registry).text.endswith(f"1 pass, {APART}.")


def test_every_report_sets_it_apart(registry: Registry) -> None:
    run = with_contest()
    assert f"| PASS | {len(FULL)}, {APART} |" in render_markdown(run, registry)
    page = render_html(run, registry)
    assert f"holds for every example tried; {APART}: " in page
    assert [CLAUSE] == [c["id"] for c in data_of(page)["clauses"] if c["contested"]]
    cases = {
        f"{c.get('classname')}/{c.get('name')}": c.findtext("system-out") or ""
        for c in ET.fromstring(render_junit(run, registry)).iter("testcase")
    }
    assert [CLAUSE] == [c for c, text in cases.items() if text.startswith("PASS, contested: ")]


def test_a_failure_shows_what_each_text_answers(registry: Registry) -> None:
    """A reader has to see why several answers would have been right, and which text gives which."""
    readings = (
        TextReading(CLAUSE, "hsa.h, hsa_agent_get_info, the list", "HSA_STATUS_ERROR"),
        TextReading(CLAUSE, "hsa.h, hsa_init, details", "anything"),
    )
    result = make_result(CLAUSE, Verdict.FAIL)
    assert result.failure is not None
    run = make_run([replace(result, failure=replace(result.failure, readings=readings))])
    shown = (
        (
            render_markdown(run, registry),
            "contested: `anything` by hsa.h, hsa\\_init, details\n",
        ),
        (render_junit(run, registry), f"  anything, by hsa.h, hsa_init, details ({CLAUSE})\n"),
    )
    results = [r for c in data_of(render_html(run, registry))["clauses"] for r in c["results"]]
    [failure] = [result["failure"] for result in results if "failure" in result]
    assert [[each.clause, each.text, each.answer] for each in readings] == failure["readings"]
    for report, line in shown:
        assert line in report
        assert "the list" in report


def test_the_terminal_sets_it_apart(registry: Registry) -> None:
    stream = io.StringIO()
    out = console(stream)
    out.print(check_table(with_contest(), registry))
    print_summary(with_contest(), registry, out)
    assert "one of the contested answers" in stream.getvalue()
    assert f"{len(FULL)} PASS ({APART})" in stream.getvalue()


@pytest.mark.parametrize(
    ("runs", "said"), [((all_pass, all_pass), 0), ((all_pass, with_contest), 1)]
)
def test_a_comparison_counts_it_in_each_run(
    registry: Registry, runs: tuple[Callable[[], Run], ...], said: int
) -> None:
    comparison = Comparison(("old", "new"), tuple(run() for run in runs))
    found = [n for n in notes(comparison, registry) if "contested are 0 in old, 1 in new: " in n]
    assert said == len(found)
