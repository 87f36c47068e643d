"""The HTML page, as it stands in the file."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from hsa_reports import Run, Verdict, render_html
from hsa_reports.run import UNKNOWN
from hsa_spec import Registry
from tests.unit.reports.page_reader import Page, data_of, texts_in, without_data
from tests.unit.reports.report_samples import (
    ENDED,
    FULL,
    HOSTILE,
    STARTED,
    SUBJECT,
    all_pass,
    hostile_run,
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


def test_without_scripts_a_table_has_each_clause_its_verdict_and_its_strength(
    registry: Registry,
) -> None:
    page = render_html(make_run(), registry)
    rows = re.findall(r'<tr id="(.+)"><td>\1</td><td>(.+)</td><td>(.+)</td></tr>', page)
    assert [(clause, str(verdict)) for clause, verdict in FULL.items()] == [r[:2] for r in rows]
    assert ("hsa_amd_memory_pool_allocate/bad-flag", "UNDOCUMENTED", "should") in rows


def test_no_two_elements_have_the_same_id(registry: Registry) -> None:
    ids = list(render(make_run(), registry).attributes("id"))
    assert len(ids) == len(set(ids))


def test_every_section_that_is_linked_to_is_there(registry: Registry) -> None:
    page = render(make_run(), registry)
    links = {link for link in page.attributes("href") if link and "?" not in link}
    causes = {
        f"#cause-{cause['id']}" for cause in data_of(render_html(make_run(), registry))["causes"]
    }
    assert links - causes <= {f"#{place}" for place in page.attributes("id")}


def test_the_page_loads_nothing_from_elsewhere(registry: Registry) -> None:
    text = without_data(render_html(make_run(), registry))
    assert re.findall(r"(?:https?:)?//\w|@import|url\(|<link|<img|<iframe|\bsrc=", text) == []


def test_its_scripts_make_no_markup_of_text(registry: Registry) -> None:
    """What makes markup, or runs text, is nowhere in them, so no text of a library is either."""
    text = without_data(render_html(make_run(), registry))
    assert (
        re.findall(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|\bFunction\(", text
        )
        == []
    )


def test_the_page_never_calls_a_library_conformant(registry: Registry) -> None:
    for run in (make_run(), all_pass()):
        page = render_html(run, registry)
        assert "conformant" not in without_data(page).lower()
        assert not any("conformant" in text.lower() for text in texts_in(data_of(page)))


def test_a_registry_that_lacks_the_clauses_is_enough(registry: Registry) -> None:
    run = make_run([], started=replace(STARTED, clauses=("hsa_new/thing",)))
    page = render_html(run, registry)
    assert UNKNOWN in Page(page).text
    assert "This registry does not know it." in texts_in(data_of(page))


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
    page = render_html(hostile_run(HOSTILE[kind]), registry)
    page.encode("utf-8")
    for text in (page, *texts_in(data_of(page))):
        assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]", text) == []


def test_a_very_long_text_is_clipped(registry: Registry) -> None:
    page = render_html(hostile_run(HOSTILE["long"]), registry)
    assert len(page) < 200_000
    assert max(map(len, texts_in(data_of(page)))) < 9000
