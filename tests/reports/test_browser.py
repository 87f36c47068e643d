"""The page in a real browser, without a window."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hsa_reports import Run, comparison, render_html
from hsa_spec import Registry
from tests.reports.comparison_samples import compared
from tests.reports.page_reader import BROWSER, WIDTHS_WHEN_NARROW, document_of
from tests.reports.report_samples import ENDED, HOSTILE, all_pass, hostile_run, make_run

pytestmark = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed")


@pytest.fixture
def dump(tmp_path: Path, registry: Registry) -> Callable[..., Any]:
    """Return a function that opens a run's page and returns the document after its scripts ran."""

    def open_page(run: Run, **how: str) -> str:
        return document_of(render_html(run, registry), tmp_path, **how)

    return open_page


@pytest.fixture
def dump_comparison(tmp_path: Path, registry: Registry) -> Callable[..., Any]:
    """Return a function that does the same with the comparison of some runs."""

    def open_page(*runs: Run, **how: str) -> str:
        return document_of(comparison.render_html(compared(*runs), registry), tmp_path, **how)

    return open_page


def test_the_page_shows_the_run_and_its_script_works(dump: Callable[..., Any]) -> None:
    document = dump(make_run())
    assert "Does not pass set" in document
    assert "29 of 29 clauses" in document
    assert document.count(">Copy</button>") == 16
    assert '<form id="filter" hidden' not in document


def test_the_filter_hides_the_clauses_that_do_not_fit(dump: Callable[..., Any]) -> None:
    document = dump(
        make_run(),
        script="""
        const form = document.getElementById("filter");
        form.elements.text.value = "VMEM size";
        form.elements.verdict.value = "FAIL";
        form.dispatchEvent(new Event("input"));
        """,
    )
    assert "1 of 29 clauses" in document
    shown = re.findall(r'<li id="([^"]+)" data-verdict="\w+" data-strength="\w+">', document)
    assert shown == ["hsa_amd_vmem_address_free/size-differs"]


def test_a_link_leads_to_its_clause_even_where_the_filter_hid_it(dump: Callable[..., Any]) -> None:
    document = dump(
        make_run(),
        script="""
        const form = document.getElementById("filter");
        form.elements.verdict.value = "FAIL";
        form.dispatchEvent(new Event("input"));
        location.hash = "#hsa_init/counts";
        """,
    )
    assert "29 of 29 clauses" in document


def test_a_run_that_judged_nothing_says_so_loudly(dump: Callable[..., Any]) -> None:
    document = dump(make_run([], end=replace(ENDED, initialised=False)))
    assert 'class="headline nothing" role="status">NOTHING WAS JUDGED' in document


@pytest.mark.parametrize("kind", ["script", "attribute", "closing"])
def test_text_of_a_library_is_not_run(dump: Callable[..., Any], kind: str) -> None:
    document = dump(hostile_run(HOSTILE[kind]))
    assert "<title>owned</title>" not in document
    assert "<img" not in document
    assert len(re.findall("<script>", document)) == 2


def test_the_page_fits_a_narrow_window(dump: Callable[..., Any]) -> None:
    document = dump(make_run(), script=WIDTHS_WHEN_NARROW)
    [(width, content)] = re.findall(r"<title>(\d+) (\d+)</title>", document)
    assert int(content) <= int(width) <= 480


def test_a_comparison_fits_a_narrow_window(dump_comparison: Callable[..., Any]) -> None:
    runs = (all_pass(), make_run(), all_pass(), make_run(), make_run())
    document = dump_comparison(*runs, script=WIDTHS_WHEN_NARROW)
    [(width, content)] = re.findall(r"<title>(\d+) (\d+)</title>", document)
    assert int(content) <= int(width) <= 480


def test_implementations_by_set_fit_a_narrow_window(tmp_path: Path, registry: Registry) -> None:
    page = comparison.render_sets(compared(all_pass(), make_run()), registry)
    document = document_of(page, tmp_path, script=WIDTHS_WHEN_NARROW)
    [(width, content)] = re.findall(r"<title>(\d+) (\d+)</title>", document)
    assert int(content) <= int(width) <= 480


def test_a_clause_of_a_comparison_opens_on_a_click(dump_comparison: Callable[..., Any]) -> None:
    document = dump_comparison(
        all_pass(),
        make_run(),
        script="""
        const clause = document.getElementById("hsa_amd_vmem_address_free/size-differs");
        clause.querySelector("summary").click();
        document.title = clause.querySelector(".steps").checkVisibility() ? "open" : "closed";
        """,
    )
    assert "<title>open</title>" in document
    assert document.count(">Copy</button>") == 16


@pytest.mark.parametrize("kind", ["script", "attribute", "closing"])
def test_text_of_a_library_is_not_run_in_a_comparison(
    dump_comparison: Callable[..., Any], kind: str
) -> None:
    document = dump_comparison(all_pass(), hostile_run(HOSTILE[kind]))
    assert "<title>owned</title>" not in document
    assert "<img" not in document
    assert len(re.findall("<script>", document)) == 2
