"""A run's page for every reader and window, in a real browser."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from hsa_reports import Verdict, read_run, render_html
from hsa_spec import load
from tests.rocr.reports.browser import Window
from tests.rocr.reports.page_actions import CRASH, OVERFLOWS, UNFOLD, WIDTHS, Open, focus
from tests.unit.reports.report_samples import FULL, hostile_run, make_result, make_run

PUBLISHED = Path(__file__).parents[3] / "reports/published/7.2.4/events.jsonl.gz"
PAGES = 34
"""As many as somebody reads: 23 today, 92 with a line for each function."""


def test_the_keyboard_leads_through_what_was_found(opened: Open) -> None:
    window = opened()
    window.press("/")
    assert focus(window) == "search box"
    window.write("sigsegv")
    window.press("Enter")
    cause = focus(window)
    assert cause.startswith("cause-")
    window.press("ArrowDown")
    window.press("ArrowDown")
    assert focus(window) == CRASH
    window.press("Enter")
    assert len(window.texts(".clause[open]")) == 1
    window.press("ArrowUp")
    window.press("ArrowUp")
    assert focus(window) == cause
    window.press("Escape")
    assert focus(window) == "search box"
    window.write("/")
    assert window.run("document.activeElement.value") == "sigsegv/"


def test_whatever_can_be_operated_has_a_name_and_each_part_a_landmark(opened: Open) -> None:
    window = opened()
    window.run(UNFOLD)
    nodes = window.ask("Accessibility.getFullAXTree")["nodes"]
    shown = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node["ignored"]
    ]
    roles = {role for role, _ in shown}
    assert {"banner", "main", "navigation", "search", "region", "contentinfo", "status"} <= roles
    asked = {
        "link",
        "button",
        "searchbox",
        "combobox",
        "region",
        "columnheader",
        "DisclosureTriangle",
    }
    assert [] == [role for role, name in shown if role in asked and not name]
    levels = window.run(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5')].map((h) => +h.tagName[1])"
    )
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(opened: Open, width: int) -> None:
    window = opened(hostile_run("w" * 500))
    window.size(width)
    window.run(UNFOLD)
    window.wait("document.querySelector('.matrix')")
    window.run(UNFOLD)
    assert not window.run(OVERFLOWS)


def test_it_is_dark_where_the_reader_wants_it_dark(opened: Open) -> None:
    window = opened()
    colour = "getComputedStyle(document.body).backgroundColor"
    light = window.run(colour)
    window.media(scheme="dark")
    assert sum(json.loads(light[3:].replace("(", "[").replace(")", "]"))) > 600
    assert sum(json.loads(window.run(colour)[3:].replace("(", "[").replace(")", "]"))) < 150


def test_without_scripts_a_plain_table_remains(window: Window, opened: Open) -> None:
    window.scripts(run=False)
    opened()
    assert len(window.texts("#plain tbody tr")) == len(FULL)
    assert f"{CRASH} CRASH must" in window.texts("#plain tbody tr")
    assert window.texts(".scripts") == []
    window.size(375)
    assert not window.run(OVERFLOWS)


def test_a_browser_that_cannot_decompress_says_so_and_shows_the_table(opened: Open) -> None:
    window = opened()
    script = "delete window.DecompressionStream"
    window.ask("Page.addScriptToEvaluateOnNewDocument", source=script)
    window.ask("Page.reload")
    window.wait("document.querySelector('[role=alert]')")
    assert "DecompressionStream" in window.texts("[role=alert]")[0]
    assert len(window.texts("#plain tbody tr")) == len(FULL)


def test_on_paper_causes_are_open_and_controls_are_gone(opened: Open) -> None:
    window = opened()
    assert window.printed().startswith(b"%PDF")
    window.media("print")
    causes = window.texts(".cause")
    assert len(causes) == 7
    assert ["Shortest call sequence" in text for text in causes] == [True] * 5 + [False] * 2
    assert window.texts("#filters, nav, button") == []
    assert window.texts("#tested dl") != []


def test_on_paper_the_heaviest_causes_are_open_and_what_fails_has_a_line(opened: Open) -> None:
    failed = [make_result(clause, Verdict.FAIL) for clause in list(FULL)[:12]]
    window = opened(make_run(failed))
    window.printed()
    window.media("print")
    assert window.run("document.querySelectorAll('.cause').length") == 12
    assert window.run("document.querySelectorAll('.cause[open]').length") == 5
    assert [f"FAIL {clause}" for clause in list(FULL)[:12]] == sorted(
        window.texts("#failing li"), key=lambda line: list(FULL).index(line.split()[1])
    )
    assert not window.run("document.getElementById('clause-list').checkVisibility()")


def test_what_was_searched_for_is_printed_whole(opened: Open) -> None:
    window = opened(None, "#?topic=core/init")
    window.printed()
    window.media("print")
    assert window.run("document.getElementById('clause-list').checkVisibility()")
    assert window.run("document.getElementById('failing')") is None


def test_a_whole_run_is_printed_on_few_pages(window: Window, tmp_path: Path) -> None:
    """It has the heaviest causes in full, and a line or two for each other cause and failure."""
    page = tmp_path / "report.html"
    page.write_text(render_html(read_run(PUBLISHED), load()), encoding="utf-8")
    window.open(page)
    assert len(re.findall(rb"/Type */Page\b", window.printed())) <= PAGES
