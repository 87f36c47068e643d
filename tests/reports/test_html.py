"""The HTML page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hsa_reports import Run, Tried, Verdict, render_html
from hsa_spec import Registry
from tests.reports.page_reader import Page
from tests.reports.report_samples import (
    ENDED,
    FULL,
    HOSTILE,
    STARTED,
    SUBJECT,
    all_pass,
    hostile_run,
    make_result,
    make_run,
)


def render(run: Run, registry: Registry) -> Page:
    return Page(render_html(run, registry))


def test_the_page_says_what_was_tested(registry: Registry) -> None:
    text = render(make_run(), registry).text
    for fact in (SUBJECT.path, SUBJECT.build_id, *SUBJECT.host.values()):
        assert fact is not None
        assert fact in text
    assert "6.1.2 (from the library's own version query)" in text
    assert "6 of the 7 functions selected" in text


def test_the_first_paragraph_after_the_title_says_what_the_run_shows(registry: Registry) -> None:
    page = render_html(make_run(), registry)
    assert page.index("<h1>") < page.index('id="headline"') < page.index("<main>")


def test_the_page_loudly_says_when_nothing_was_judged(registry: Registry) -> None:
    run = make_run([], end=replace(ENDED, initialised=False))
    assert 'class="headline nothing" role="status">NOTHING WAS JUDGED' in render_html(run, registry)


@pytest.mark.parametrize("verdict", Verdict)
def test_the_count_of_every_verdict_is_shown_even_when_it_is_zero(
    registry: Registry, verdict: Verdict
) -> None:
    count = all_pass().counts[verdict]
    pattern = rf">{verdict}</span></th><td class=\"number\"><strong>{count}</strong>"
    assert re.search(pattern, render_html(all_pass(), registry))


def test_every_clause_has_a_place_that_links_lead_to(registry: Registry) -> None:
    page = render(make_run(), registry)
    assert set(FULL) <= set(page.attributes("id"))


def test_every_link_leads_to_a_place_in_the_page(registry: Registry) -> None:
    page = render(make_run(), registry)
    places = {f"#{place}" for place in page.attributes("id")}
    assert set(page.attributes("href")) <= places


def test_no_two_elements_have_the_same_id(registry: Registry) -> None:
    ids = list(render(make_run(), registry).attributes("id"))
    assert len(ids) == len(set(ids))


def test_a_clause_shows_how_many_values_were_tried(registry: Registry) -> None:
    tried = (*(Tried("attribute", f"A{n}", "judged") for n in range(25)),)
    lacking = Tried("attribute", "B", "lacking", "the machine has none")
    result = replace(make_result("hsa_init/counts", Verdict.PASS), values=(*tried, lacking))
    page = render_html(make_run([result]), registry)
    assert "attribute: 25 of 26" in page
    assert "attribute=B: lacking" in page


def test_a_clause_shows_its_words_source_and_examples(registry: Registry) -> None:
    text = render(make_run([make_result("hsa_init/counts", Verdict.PASS)]), registry).text
    assert "Every call needs a shut-down of its own." in text
    assert "hsa_ext_amd.h, hsa_init, @retval" in text
    assert "100 satisfied 40 near misses 3 discarded" in text


def test_a_clause_that_was_not_tried_says_so(registry: Registry) -> None:
    assert "no examples" in render(make_run([]), registry).text


def test_a_status_of_another_clause_that_was_not_selected_is_no_link(registry: Registry) -> None:
    failed = make_result("hsa_init/counts", Verdict.FAIL)
    page = render(make_run([failed]), registry)
    assert "hsa_init/free-range" in page.text
    assert "#hsa_init/free-range" not in set(page.attributes("href"))


def test_a_failure_shows_all_that_is_needed_to_act_on_it(registry: Registry) -> None:
    clause = "hsa_amd_vmem_address_reserve/zero-size"
    text = render(make_run([make_result(clause, Verdict.CRASH)]), registry).text
    for part in (
        "Shortest call sequence A hsa_init() → HSA_STATUS_SUCCESS",
        "Got SIGSEGV",
        "Allowed HSA_STATUS_ERROR_INVALID_ARGUMENT",
        "Last lines the library printed Assertion failed",
        f"Reproduce hsa-conformance reproduce {clause}",
        f"hsa-conformance reproduce runs/1/events.jsonl {clause} --c",
    ):
        assert part in text


def test_failures_are_open_and_the_worst_comes_first(registry: Registry) -> None:
    page = render(make_run(), registry)
    shown = [a for _, a in page.elements if "finding" in (a.get("class") or "").split()]
    assert ["open" in attrs for attrs in shown] == [True] * 5 + [False] * 4
    words = page.text.split("Functions, rules and their clauses")[0]
    assert words.index("CRASH hsa_amd_vmem_address_reserve") < words.index("FLAKY hsa_init/counts")


def test_an_expected_failure_keeps_its_verdict(registry: Registry) -> None:
    """A death that breaks a rule is not the same as one that breaks none."""
    found = make_result("hsa_init/first-call", Verdict.XFAIL)
    page = render(make_run([replace(found, known=Verdict.FRAGILE)]), registry)
    assert "XFAIL (FRAGILE) hsa_init/first-call" in page.text


def test_a_finding_names_the_code_that_judged_it(registry: Registry) -> None:
    """Generated or written by hand: one who doubts a finding reads its check first."""
    found = make_result("hsa_init/first-call", Verdict.FAIL)
    place = "engine/checks/clauses.py:63 satisfied"
    page = render(make_run([replace(found, source=place)]), registry)
    findings, functions = page.text.split("Functions, rules and their clauses")
    assert f"judged by {place}" in findings
    assert "judged by" not in functions


def test_a_clause_names_the_property_that_judged_it(registry: Registry) -> None:
    """Among the functions only what was written by hand is named."""
    place = "topics/core/init/properties/counts.py:27 usable_until_shut_down"
    result = make_result("hsa_init/counts", Verdict.PASS, "property usable_until_shut_down")
    page = render(make_run([replace(result, source=place)]), registry)
    assert f"judged by {place}" in page.text.split("Functions, rules and their clauses")[1]


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ("property usable_until_shut_down", "property: usable until shut down"),
        ("near miss", "calls that just miss the condition"),
        ("a check of a later version", "a check of a later version"),
    ],
)
def test_a_finding_names_its_check_in_words(registry: Registry, check: str, words: str) -> None:
    """Names of checks are for programs; one that has no words is shown as it is."""
    found = make_result("hsa_init/first-call", Verdict.FAIL, check)
    page = render(make_run([found]), registry)
    assert f"FAIL hsa_init/first-call {words}" in page.text


def test_a_cell_of_the_matrix_tells_its_clauses_and_verdicts(registry: Registry) -> None:
    titles = list(render(make_run(), registry).attributes("title"))
    clause = "hsa_amd_vmem_address_reserve"
    assert f"{clause}/zero-size: CRASH\n{clause}/odd-size: PASS" in titles


def test_the_page_loads_nothing_from_elsewhere(registry: Registry) -> None:
    text = render_html(make_run(), registry)
    assert re.findall(r"(?:https?:)?//\w|@import|url\(|<link|<img|<iframe|\bsrc=", text) == []


def test_the_page_never_calls_a_library_conformant(registry: Registry) -> None:
    for run in (make_run(), all_pass()):
        assert "conformant" not in render_html(run, registry).lower()


def test_the_clauses_of_another_registry_are_shown_by_id(registry: Registry) -> None:
    run = make_run([], started=replace(STARTED, clauses=("hsa_new/thing",)))
    text = render(run, registry).text
    assert "This registry does not know it." in text
    assert "thing" in text


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_from_a_library_cannot_change_the_page(registry: Registry, kind: str) -> None:
    harmless = render(hostile_run("harmless"), registry)
    hostile = render(hostile_run(HOSTILE[kind]), registry)
    assert [tag for tag, _ in harmless.elements] == [tag for tag, _ in hostile.elements]
    assert [set(a) for _, a in harmless.elements] == [set(a) for _, a in hostile.elements]


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_page_can_be_written_as_utf8_without_control_characters(
    registry: Registry, kind: str
) -> None:
    text = render_html(hostile_run(HOSTILE[kind]), registry)
    text.encode("utf-8")
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text) == []


def test_a_very_long_text_is_clipped(registry: Registry) -> None:
    assert len(render_html(hostile_run(HOSTILE["long"]), registry)) < 200_000
