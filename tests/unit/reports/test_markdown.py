"""The Markdown summary."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hsa_reports import Explanation, Upstream, Verdict, render_markdown
from hsa_reports.markdown import FEW, SHOWN, code
from hsa_reports.upstream import Kind, State
from hsa_spec import Registry
from tests.unit.reports.report_samples import (
    FULL,
    HOSTILE,
    STARTED,
    all_pass,
    hostile_run,
    make_result,
    make_run,
)


def test_the_first_line_says_what_the_run_shows(registry: Registry) -> None:
    lines = render_markdown(make_run(), registry).splitlines()
    assert lines[0] == "## HSA conformance"
    assert lines[2].startswith('❌ **Does not pass set "all" of suite version 0.1.0: 5 of 26')


@pytest.mark.parametrize("verdict", Verdict)
def test_the_count_of_every_verdict_is_shown(registry: Registry, verdict: Verdict) -> None:
    assert f"| {verdict} | {all_pass().counts[verdict]} |" in render_markdown(all_pass(), registry)


def test_a_finding_has_got_allowed_and_a_command(registry: Registry) -> None:
    clause = "hsa_amd_vmem_address_free/size-differs"
    text = render_markdown(make_run([make_result(clause, Verdict.FAIL)]), registry)
    assert "- **FAIL** hsa\\_amd\\_vmem\\_address\\_free answers HSA\\_STATUS\\_SUCCESS" in text
    assert f"  - `{clause}`: The size is another" in text
    assert "got `HSA_STATUS_SUCCESS`, allowed `HSA_STATUS_ERROR_INVALID_ARGUMENT` or" in text
    assert f"reproduce: `hsa-conformance reproduce {clause} " in text
    assert f"as a program: `hsa-conformance reproduce runs/1/events.jsonl {clause} --c`" in text
    assert "  - The program was not run." in text


def test_an_expected_failure_keeps_its_verdict(registry: Registry) -> None:
    found = make_result("hsa_init/first-call", Verdict.XFAIL)
    failure = replace(found.failure or pytest.fail("none"), got="CRASH (SIGSEGV)")
    found = replace(found, known=Verdict.CRASH, cause="a-page", failure=failure)
    link = Upstream("a/b", 7, Kind.FIX, State.OPEN)
    page = Explanation("a-page", "It dies", "It does.", ("6.1.2", "7.2.4"), upstream=(link,))
    text = render_markdown(make_run([found]), registry, {"a-page": page})
    assert "- **XFAIL (CRASH SIGSEGV)** It dies (`a-page`)\n  - `hsa_init/first-call`: " in text
    assert "  - seen in `6.1.2`, `7.2.4`\n" in text
    assert "  - upstream: [a/b#7](https://github.com/a/b/issues/7) (fix, open)" in text
    assert "| CRASH | 0, and 1 expected |" in text
    assert "1 clause ends the process or hangs (1 CRASH), all expected." in text


def test_a_cause_stands_once(registry: Registry) -> None:
    """With the clauses that it breaks, as many as there is room for."""
    clauses = tuple(f"hsa_init/c{n}" for n in range(FEW + 3))
    results = [
        replace(make_result(clause, Verdict.XFAIL), known=Verdict.FAIL, cause="a-page")
        for clause in clauses
    ]
    text = render_markdown(make_run(results, started=replace(STARTED, clauses=clauses)), registry)
    assert 1 == text.count("(`a-page`)")
    assert "  - also `hsa_init/c1`, " in text
    assert " and 2 more\n" in text


def test_an_unexpected_pass_is_a_finding(registry: Registry) -> None:
    text = render_markdown(make_run([make_result("hsa_init/counts", Verdict.XPASS)]), registry)
    assert "- **XPASS** `hsa_init/counts`\n  - reason: `the baseline " in text


def test_a_run_without_findings_has_no_section_for_them(registry: Registry) -> None:
    assert "### Findings" not in render_markdown(all_pass(), registry)


def test_many_findings_are_cut_and_counted(registry: Registry) -> None:
    clauses = tuple(f"hsa_init/c{n}" for n in range(SHOWN + 7))
    results = [make_result(clause, Verdict.FAIL) for clause in clauses]
    text = render_markdown(make_run(results, started=replace(STARTED, clauses=clauses)), registry)
    assert text.count("reproduce: ") == SHOWN
    assert "7 more are in the full report." in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "`plain`"),
        ("a|b", r"`a\|b`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("two\nlines", "`two lines`"),
        ("", "` `"),
    ],
)
def test_text_of_a_library_stands_in_a_code_span(text: str, expected: str) -> None:
    assert expected == code(text)


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_of_a_library_adds_no_lines_and_no_markup(registry: Registry, kind: str) -> None:
    harmless = render_markdown(hostile_run("harmless"), registry).splitlines()
    hostile = render_markdown(hostile_run(HOSTILE[kind]), registry).splitlines()
    assert [line[:2] for line in harmless] == [line[:2] for line in hostile]
    outside = re.sub(r"(`+) ?.*? ?(?<!`)\1(?!`)|\\.", "", "\n".join(hostile))
    assert re.findall(r"<|@\w|\]\(", outside) == []


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_summary_fits_into_a_comment(registry: Registry, kind: str) -> None:
    assert len(render_markdown(hostile_run(HOSTILE[kind]), registry)) < 65_536


def test_the_summary_of_many_failures_fits_into_a_comment(registry: Registry) -> None:
    long = hostile_run("A" * 1000).results[0]
    results = [replace(long, clause=clause) for clause in FULL]
    assert len(render_markdown(make_run(results), registry)) < 65_536
