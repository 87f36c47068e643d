"""A browser for pages, and the registry of their samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hsa_reports import Explanation, Run, render_html
from hsa_spec import Registry
from tests.rocr.reports.browser import CHROMIUM, Browser, Window, running
from tests.rocr.reports.page_actions import Open
from tests.unit.reports.conftest import registry
from tests.unit.reports.report_samples import make_run

__all__ = ["browser", "opened", "registry", "window"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with running(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def window(browser: Browser) -> Iterator[Window]:
    window = Window(browser)
    yield window
    window.ask("Page.close")


@pytest.fixture
def opened(window: Window, tmp_path: Path, registry: Registry) -> Open:
    """Return a function that opens the page of a run, at a place, and returns its window."""

    def open_page(run: Run | None = None, place: str = "", **explained: Explanation) -> Window:
        path = tmp_path / "report.html"
        path.write_text(render_html(run or make_run(), registry, explained), encoding="utf-8")
        window.size(1440)
        window.open(path, place)
        return window

    return open_page
