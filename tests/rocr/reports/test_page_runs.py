"""The pages of all sorts of runs, in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hsa_reports import Explanation, Run, Verdict, read_run, render_html
from hsa_spec import load as load_registry
from tests.rocr.reports.browser import Window
from tests.rocr.reports.page_actions import OVERFLOWS, UNFOLD, WIDTHS, Open, choose, found
from tests.unit.reports.report_samples import (
    ENDED,
    HOSTILE,
    STARTED,
    hostile_run,
    make_result,
    make_run,
)

PUBLISHED = Path(__file__).parents[3] / "reports" / "published" / "7.2.4"


@pytest.mark.parametrize("kind", HOSTILE)
def test_text_of_a_library_stays_text(opened: Open, kind: str) -> None:
    """Whatever is opened, nothing of it is run, and no element or attribute is made of it."""
    text = HOSTILE[kind]
    known = Explanation(text, text, text, (text,), page=text)
    run = hostile_run(text)
    results = [replace(result, cause=text, value=text, machine=text) for result in run.results]
    window = opened(replace(run, results=tuple(results)), **{text: known})
    for _ in range(3):
        window.run(UNFOLD)
    assert window.run("document.title").endswith(" · hsa-conformance")
    assert window.run("document.querySelectorAll('img, [onmouseover], [onerror]').length") == 0
    assert window.run("document.scripts.length") == 3
    assert window.run("document.querySelectorAll('.result').length") == 29
    assert not window.run(OVERFLOWS)


@pytest.mark.parametrize(
    "place", ["#%", "#?verdict=%&q=%E0", "#?cause=no&topic=no", "#nothing", "#?"]
)
def test_any_address_opens_the_page(opened: Open, place: str) -> None:
    window = opened(place=place)
    assert window.run("document.documentElement.dataset.state") == "ready"


@pytest.mark.parametrize(
    "run",
    [
        make_run([], end=None),
        make_run([make_result("hsa_init/counts", Verdict.PASS)], end=None),
        make_run([], started=replace(STARTED, clauses=())),
        make_run([], end=replace(ENDED, initialised=False)),
        make_run([], started=replace(STARTED, clauses=("hsa_new/thing",))),
        make_run(
            started=replace(
                STARTED,
                subject=replace(STARTED.subject, path=None, build_id=None, release=None, host={}),
            )
        ),
    ],
    ids=["killed at once", "killed", "empty", "nothing judged", "another registry", "in process"],
)
def test_any_run_opens(opened: Open, run: Run) -> None:
    window = opened(run)
    assert found(window).startswith(f"{len(run.verdicts)} of {len(run.verdicts)} clause")


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="a source distribution lacks it")
def test_the_page_of_a_whole_run_is_small_and_opens_soon(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render_html(read_run(PUBLISHED), load_registry()), encoding="utf-8")
    assert path.stat().st_size < 1_500_000
    # The processor's time for all three, 2 s each: what else the machine does takes none of it.
    window.ask("Performance.disable")
    window.ask("Performance.setTimeDomain", timeDomain="threadTicks")
    window.ask("Performance.enable")
    for width in WIDTHS:
        window.size(width)
        window.open(path)
        assert not window.run(OVERFLOWS)
    metrics = {m["name"]: m["value"] for m in window.ask("Performance.getMetrics")["metrics"]}
    assert metrics["TaskDuration"] < 2 * len(WIDTHS)
    assert window.run("document.querySelectorAll('*').length") < 6000
    assert len(window.texts(".cause")) > 50
    choose(window, "q", "sigsegv")
    assert not found(window).startswith("0 ")
