"""A comparison on the terminal, as Markdown and as a page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unicodedata import category

import pytest

from hsa_reports import Verdict
from hsa_reports.comparison import Comparison, render_html, render_markdown
from hsa_reports.comparison.markdown import ROOM
from hsa_reports.comparison.terminal import print_comparison
from hsa_reports.terminal import console
from hsa_spec import Registry
from tests.unit.reports.comparison_samples import CLAUSES, compared, of_clause, run_of
from tests.unit.reports.page_reader import Page
from tests.unit.reports.report_samples import (
    FULL,
    HOSTILE,
    STARTED,
    all_pass,
    hostile_run,
    make_result,
    make_run,
)

CLAUSE = CLAUSES[1]


def printed(comparison: Comparison, registry: Registry) -> str:
    stream = io.StringIO()
    print_comparison(comparison, registry, console(stream))
    return stream.getvalue()


FORMS = {"terminal": printed, "markdown": render_markdown, "html": render_html}


def hostile(text: str) -> Comparison:
    """Return a comparison in which every text that a library, its host or a path holds is text."""
    return Comparison(("old", text), (all_pass(), hostile_run(text)))


@pytest.fixture(params=list(FORMS.values()), ids=list(FORMS))
def form(request: pytest.FixtureRequest) -> Callable[..., Any]:
    return request.param


def test_every_form_names_runs_libraries_and_the_counts(
    registry: Registry, form: Callable[..., Any]
) -> None:
    """Each run has its release, library and build id."""
    other = replace(
        STARTED.subject, release="6.4.3", path="/build/libhsa-runtime64.so", build_id="abcdef"
    )
    new = make_run(started=replace(STARTED, subject=other))
    text = form(compared(make_run(), new), registry)
    facts = ("6.4.3", "/build/libhsa-runtime64.so", "abcdef", "6.1.2 (from", "old", "new")
    assert [] == [word for word in facts if word not in text]


def test_every_form_says_no_difference(registry: Registry, form: Callable[..., Any]) -> None:
    """A run held against itself has no group of changes."""
    text = form(compared(make_run(), make_run()), registry)
    assert "No difference: same verdict in both runs for 29 clauses." in text
    assert [] == re.findall("Regressed|Worse|Not tried|Fixed", text)


def test_every_form_lists_every_change_in_its_group(
    registry: Registry, form: Callable[..., Any]
) -> None:
    """What speaks against the last run comes first."""
    comparison = compared(
        run_of("FAIL", "PASS", "CRASH", "PASS", "PASS"),
        run_of("PASS", "FAIL", "FAIL", "BLOCKED", "PASS"),
    )
    text = form(comparison, registry).replace("<wbr>", "")
    order = ["Regressed", CLAUSES[1], "Not tried", CLAUSES[3], "Milder", CLAUSES[2]]
    order += ["Fixed", CLAUSES[0]]
    places = [text.index(word) for word in order]
    assert sorted(places) == places
    assert CLAUSES[4] not in text


def test_every_form_tells_notes_and_what_is_left_out(
    registry: Registry, form: Callable[..., Any]
) -> None:
    """What should make a reader doubt comes before the changes."""
    old, new = run_of("PASS", "PASS", "NOT_APPLICABLE"), run_of("PASS", "FAIL", "PASS")
    text = form(compared(old, replace(new, end=None)), registry)
    assert text.index("new: The run was cut short") < text.index("Regressed")
    assert "Applicable only in some runs, so not compared: 1 clause" in text


def test_what_got_worse_is_explained_on_the_terminal(registry: Registry) -> None:
    """The clause in words, what came back, and how to see it again."""
    lines = [line.strip() for line in printed(of_clause("PASS", "FAIL"), registry).splitlines()]
    first = lines.index(f"PASS -> FAIL  {CLAUSE}")
    assert [
        "The first call initialises the runtime.",
        "new: hsa_init did not answer as first-call says",
    ] == lines[first + 1 : first + 3]
    assert lines[first + 3].startswith(f"reproduce: hsa-conformance reproduce {CLAUSE} ")


def test_what_held_and_is_not_judged_is_explained_and_what_failed_is_not(
    registry: Registry,
) -> None:
    said = {before: printed(of_clause(before, "BLOCKED"), registry) for before in ("PASS", "FAIL")}
    for before, text in said.items():
        assert f"Not tried: 1\n  {before} -> BLOCKED  {CLAUSE}\n" in text
        assert ("The first call initialises" in text) == (before == "PASS")


def test_the_last_line_on_the_terminal_says_what_is_shown(registry: Registry) -> None:
    """As at the end of a run."""
    last = printed(of_clause("FAIL", "PASS"), registry).splitlines()[-1]
    assert "No clause got worse from old to new: 1 fixed." == last


def test_markdown_begins_with_what_is_shown(registry: Registry) -> None:
    """The reader of a pull request needs no more than the first lines."""
    lines = render_markdown(of_clause("PASS", "FAIL"), registry).splitlines()
    assert "## HSA conformance: old → new" == lines[0]
    assert lines[2].startswith("❌ **1 clause got worse from old to new")
    assert f"- `{CLAUSE}`: PASS → FAIL" in lines


def test_markdown_shows_how_counts_changed(registry: Registry) -> None:
    """One row for each verdict that occurs, and one for what ends the process."""
    text = render_markdown(of_clause("PASS", "FAIL"), registry)
    assert "| FAIL | 0 | 1 | +1 |\n| PASS | 2 | 1 | -1 |\n| ends the" in text


def test_markdown_of_many_changes_fits_into_a_comment(registry: Registry) -> None:
    """What has no room is counted."""
    clauses = tuple(f"hsa_init/c{n}" for n in range(2000))
    started = replace(STARTED, clauses=clauses)
    old = make_run([make_result(c, Verdict.PASS) for c in clauses], started=started)
    new = make_run([make_result(c, Verdict.FAIL) for c in clauses], started=started)
    text = render_markdown(compared(old, new), registry)
    [more] = re.findall(r"- and (\d+) more, for which there is no room here", text)
    assert 2000 == text.count("PASS → FAIL") + int(more)
    assert ROOM // 2 < len(text) < 65_536


@pytest.mark.parametrize("kind", HOSTILE)
def test_markdown_with_text_of_a_library_fits_and_has_no_markup_of_it(
    registry: Registry, kind: str
) -> None:
    """Text from outside adds no line and marks nothing up."""
    harmless = render_markdown(hostile("harmless"), registry).splitlines()
    text = render_markdown(hostile(HOSTILE[kind]), registry)
    assert [line[:2] for line in harmless] == [line[:2] for line in text.splitlines()]
    outside = re.sub(r"(`+) ?.*? ?(?<!`)\1(?!`)|\\.", "", text)
    assert [] == re.findall(r"<|@\w|\]\(", outside)
    assert len(text) < 65_536


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_of_a_library_cannot_command_the_terminal(registry: Registry, kind: str) -> None:
    """No control characters reach it."""
    text = printed(hostile(HOSTILE[kind]), registry)
    assert [] == [c for c in text if c != "\n" and category(c) == "Cc"]


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_of_a_library_cannot_change_the_page(registry: Registry, kind: str) -> None:
    """The elements and their attributes stay what they are."""
    harmless = Page(render_html(hostile("harmless"), registry))
    page = Page(render_html(hostile(HOSTILE[kind]), registry))
    assert [(t, set(a)) for t, a in harmless.elements] == [(t, set(a)) for t, a in page.elements]


def test_the_page_has_reason_and_sequence_of_each_run(registry: Registry) -> None:
    """A clause holds what every run found."""
    comparison = of_clause("BLOCKED", None, "CRASH")
    text = Page(render_html(comparison, registry)).text
    for part in (
        "set-up broke on hsa_amd_vmem_address_reserve/zero-size",
        "r2 not selected The run did not select it.",
        "Shortest call sequence A hsa_init() → HSA_STATUS_SUCCESS",
        "Got SIGSEGV",
        f"Reproduce hsa-conformance reproduce {CLAUSE}",
        "The first call initialises the runtime.",
    ):
        assert part in text


def test_the_page_has_a_place_for_each_change_and_no_broken_link(registry: Registry) -> None:
    """Clauses that differ can be linked to."""
    page = Page(render_html(compared(all_pass(), make_run()), registry))
    places = list(page.attributes("id"))
    judged = {c for c, v in FULL.items() if v not in ("PASS", "NOT_APPLICABLE", "IMITATED")}
    assert judged - {c for c, v in FULL.items() if v == "NOT_RUN"} <= set(places)
    assert len(places) == len(set(places))
    assert set(page.attributes("href")) <= {f"#{place}" for place in places}


def test_the_page_loads_nothing_from_elsewhere(registry: Registry) -> None:
    """It can be opened anywhere."""
    text = render_html(compared(all_pass(), make_run()), registry)
    assert [] == re.findall(r"(?:https?:)?//\w|@import|url\(|<link|<img|<iframe|\bsrc=", text)
