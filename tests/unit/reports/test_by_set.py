"""What may be said of the named sets: in words, in each report, and of several implementations."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from hsa_reports import Run, Verdict, render_badge, render_html, render_junit, render_markdown
from hsa_reports.by_set import SetResult, State, assumed, said, set_results, telling
from hsa_reports.comparison import render_sets
from hsa_reports.terminal import console, print_summary
from hsa_spec import Registry, load, named_sets
from tests.unit.reports.comparison_samples import compared
from tests.unit.reports.page_reader import Page
from tests.unit.reports.report_samples import (
    FULL,
    SUBJECT,
    all_pass,
    hostile_run,
    make_result,
    make_run,
)

BASE = [c for c in FULL if c.startswith(("hsa_init/", "hsa_shut_down/", "hsa_agent_get_info/"))]


def with_verdict(verdict: str) -> Run:
    """Return a run in which one clause of the set "base" has a verdict, and the others pass."""
    run = all_pass()
    changed = make_result(BASE[-1], Verdict(verdict))
    return replace(run, results=(*(r for r in run.results if r.clause != BASE[-1]), changed))


def claiming(run: Run, *functions: str) -> Run:
    subject = replace(run.started.subject, claims=functions)
    return replace(run, started=replace(run.started, subject=subject))


def base_of(run: Run, registry: Registry) -> SetResult:
    [result] = [r for r in set_results(run, registry) if r.named.name == "base"]
    return result


def test_no_set_of_the_whole_registry_is_empty() -> None:
    """A set that holds nothing would be left out everywhere, and nobody would notice."""
    sets = named_sets(load())
    assert {"base", "core-1.0", "amd-1.31", "pc-sampling-1"} <= set(sets)
    assert all(named.functions for named in sets.values())


@pytest.mark.parametrize(
    ("verdict", "state"),
    [
        ("PASS", State.PASSES),
        ("UNTESTED", State.PASSES),
        ("WARN", State.PASSES),
        ("FAIL", State.FAILS),
        ("CRASH", State.FAILS),
        ("XPASS", State.FAILS),
        ("XFAIL", State.KNOWN),
        ("BLOCKED", State.NOT_SHOWN),
        ("VACUOUS", State.NOT_SHOWN),
        ("IMITATED", State.NOT_SHOWN),
    ],
)
def test_one_clause_decides_over_its_set(verdict: str, state: State, registry: Registry) -> None:
    """A set is passed only where each of its clauses holds, or says why no test can show it."""
    assert state is base_of(with_verdict(verdict), registry).state


def test_a_set_that_is_claimed_in_part_is_not_claimed(registry: Registry) -> None:
    """The number of its functions that are claimed stands beside it."""
    result = base_of(claiming(all_pass(), "hsa_init", "hsa_shut_down"), registry)
    assert (State.NOT_CLAIMED, "2 of 3 functions") == (result.state, result.why)


def test_a_release_without_a_function_does_not_claim_it(registry: Registry) -> None:
    """Without a claim it is the release that says what is offered."""
    run = all_pass()
    absent = {c for c in FULL if c.startswith("hsa_shut_down/")}
    results = [
        make_result(r.clause, Verdict.NOT_APPLICABLE) if r.clause in absent else r
        for r in run.results
    ]
    assert State.NOT_CLAIMED is base_of(replace(run, results=tuple(results)), registry).state


def test_a_set_that_was_not_judged_as_a_whole(registry: Registry) -> None:
    """A run of one clause says nothing of its set."""
    run = all_pass()
    some = replace(run, started=replace(run.started, clauses=tuple(BASE[:3])), results=())
    assert State.NOT_SELECTED is base_of(some, registry).state


def test_a_set_is_not_passed_where_a_device_of_the_machine_is_not_listed(
    registry: Registry,
) -> None:
    """Each of its clauses may hold for what the library does list."""
    run = all_pass()
    started = replace(run.started, unlisted=("the machine has 1 GPU, the library reports none",))
    assert State.NOT_SHOWN is base_of(replace(run, started=started), registry).state


def test_a_run_that_was_cut_short_shows_nothing(registry: Registry) -> None:
    """What was judged by then is not the whole of it."""
    assert State.NOT_SHOWN is base_of(replace(all_pass(), end=None), registry).state


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        ("PASS", 'Passes set "base" of suite version 0.1.0: 12 of 12 clauses pass (100%).'),
        (
            "WARN",
            'Passes set "base" of suite version 0.1.0, with warnings: 11 of 12 clauses pass '
            "(91.6%); 1 WARN.",
        ),
        (
            "FAIL",
            'Does not pass set "base" of suite version 0.1.0: 11 of 12 clauses pass (91.6%); '
            "1 FAIL.",
        ),
        (
            "XFAIL",
            'Does not pass set "base" of suite version 0.1.0, as its baseline says: 11 of 12 '
            "clauses pass (91.6%); 1 XFAIL.",
        ),
        (
            "IMITATED",
            'Is not shown to pass set "base" of suite version 0.1.0: 11 of 11 clauses pass '
            "(100%); 1 IMITATED.",
        ),
    ],
)
def test_what_may_be_said(verdict: str, sentence: str, registry: Registry) -> None:
    run = with_verdict(verdict)
    assert sentence == said(base_of(run, registry), run)


def test_expected_failures_keep_their_verdicts(registry: Registry) -> None:
    """A set that fails as known may do so in a deadly way."""
    run = with_verdict("XFAIL")
    results = (replace(r, known=Verdict.CRASH) if r.failure else r for r in run.results)
    result = base_of(replace(run, results=tuple(results)), registry)
    assert ("1 XFAIL (1 CRASH)", "1 XFAIL (1 CRASH)") == (result.why, result.others)


def test_what_is_contested_is_set_apart(registry: Registry) -> None:
    run = all_pass()
    results = [replace(r, contested=r.clause == BASE[0]) for r in run.results]
    run = replace(run, results=tuple(results))
    assert "12 of 12 clauses pass (100%), of which 1 contested." in said(
        base_of(run, registry), run
    )


def test_the_newest_set_speaks_for_older_ones_that_stand_the_same(registry: Registry) -> None:
    """Of AMD's extension the newest claimed set is told, and older ones where they differ."""
    run = all_pass()
    results = set_results(run, registry)
    told = [r.named.name for r in telling(results)]
    [newest] = [name for name in told if name.startswith("amd-1.")]
    assert newest == [r.named.name for r in results if r.named.name.startswith("amd-1.")][-1]
    older = [replace(r, state=State.FAILS) if r.named.name == "amd-1.4" else r for r in results]
    names = [r.named.name for r in telling(older) if r.named.name.startswith("amd-1.")]
    assert ["amd-1.3", "amd-1.4", newest] == names
    unclaimed = [replace(r, state=State.NOT_CLAIMED) for r in results]
    assert all(r.named.interface is None for r in telling(unclaimed))


def test_what_was_assumed_is_said() -> None:
    """What it was judged as, how that was found, and whether anything is claimed."""
    run = all_pass()
    judged = "judged as 6.1.2 (the library's own version query)."
    assert f"Nothing is claimed; {judged}" == assumed(run)
    assert f"Claimed are 1 functions; {judged}" == assumed(claiming(run, "hsa_init"))
    exported = f"Claimed is what it exports, {len(SUBJECT.exports)} functions; {judged}"
    assert exported == assumed(claiming(run, *SUBJECT.exports))


def test_every_report_says_it(registry: Registry) -> None:
    """Terminal, page, summary and JUnit's properties, with what was assumed."""
    run = with_verdict("FAIL")
    sentence, what = said(base_of(run, registry), run), assumed(run)
    page = Page(render_html(run, registry)).text
    assert sentence in page
    assert what in page
    markdown = render_markdown(run, registry)
    assert "| `base` | fails |" in markdown
    properties = {
        p.attrib["name"]: p.attrib["value"]
        for p in ET.fromstring(render_junit(run, registry)).iter("property")
    }
    assert (sentence, what) == (properties["Set: base"], properties["Assumed"])
    stream = io.StringIO()
    print_summary(run, registry, console(stream))
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("Sets of suite version 0.1.0, fails: base (1 FAIL), ")
    assert what in lines


def test_a_badge_of_a_set(registry: Registry) -> None:
    """It names the set, and takes its colour from it and not from the run."""
    drawn = json.loads(render_badge(with_verdict("FAIL"), registry, "memory-pools"))
    assert ("HSA memory-pools", "passes") == (drawn["label"], drawn["message"])
    assert "brightgreen" == drawn["color"]
    drawn = json.loads(render_badge(with_verdict("FAIL"), registry, "base"))
    assert ("red", "fails") == (drawn["color"], drawn["message"])


def test_implementations_by_set(registry: Registry) -> None:
    """Runs are rows, sets that one of them claims are columns."""
    runs = compared(with_verdict("FAIL"), claiming(all_pass(), "hsa_init"), all_pass())
    page = Page(render_sets(runs, registry))
    assert "Implementation base memory-pools amd-vmem-1.25 amd-1." in page.text
    assert "r1 libhsa-runtime64.so.1.13.60102 fails 1 FAIL passes 5 of 5" in page.text
    assert "r2 libhsa-runtime64.so.1.13.60102 not claimed 1 of 3 functions" in page.text
    assert "r3 libhsa-runtime64.so.1.13.60102 passes 12 of 12 clauses pass (100%)" in page.text
    assert "amd-ipc" not in page.text


def test_runs_that_different_versions_judged_say_so(registry: Registry) -> None:
    run = make_run()
    other = replace(run, started=replace(run.started, suite_version="0.2.0"))
    assert "judged by different versions" in render_sets(compared(run, other), registry)
    assert "judged by different versions" not in render_sets(compared(run, run), registry)


def test_text_of_a_library_is_escaped(registry: Registry) -> None:
    run = hostile_run("<img src=x>")
    assert "<img" not in render_sets(compared(run, run), registry)
