"""Comparisons in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reports import Run
from hsa_reports.comparison import render_html, render_sets
from hsa_spec import Registry
from tests.rocr.reports.browser import Window
from tests.rocr.reports.page_actions import OVERFLOWS, UNFOLD, WIDTHS
from tests.unit.reports.comparison_samples import compared
from tests.unit.reports.report_samples import HOSTILE, all_pass, hostile_run, make_run


def shown(window: Window, page: str, folder: Path) -> Window:
    """Open a page with all that is folded in it open."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    window.open(path)
    window.run(UNFOLD)
    return window


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_the_window(
    window: Window, tmp_path: Path, registry: Registry, width: int
) -> None:
    runs: tuple[Run, ...] = (all_pass(), make_run(), all_pass(), make_run(), make_run())
    window.size(width)
    for page in (render_html(compared(*runs), registry), render_sets(compared(*runs), registry)):
        assert not shown(window, page, tmp_path).run(OVERFLOWS)


def test_a_clause_opens_on_a_click(window: Window, tmp_path: Path, registry: Registry) -> None:
    path = tmp_path / "page.html"
    path.write_text(render_html(compared(all_pass(), make_run()), registry), encoding="utf-8")
    window.open(path)
    assert window.texts(".steps") == []
    window.run("document.querySelector('[id$=\"size-differs\"] summary').click()")
    assert len(window.texts(".steps")) == 1
    assert window.texts("button")[0] == "Copy"


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_of_a_library_stays_text(
    window: Window, tmp_path: Path, registry: Registry, kind: str
) -> None:
    page = render_html(compared(all_pass(), hostile_run(HOSTILE[kind])), registry)
    shown(window, page, tmp_path)
    assert window.run("document.title").endswith(" · hsa-conformance")
    assert window.run("document.querySelectorAll('img, [onmouseover], [onerror]').length") == 0
    assert window.run("document.scripts.length") == 1
