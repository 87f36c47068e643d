"""The badge of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from hsa_reports import Run, Verdict, read_run, render_badge, render_badge_svg
from hsa_reports.headline import headline
from hsa_spec import Registry, load
from tests.unit.reports.report_samples import all_pass, make_result, make_run

PUBLISHED = Path(__file__).parents[3] / "reports/published/7.2.4/events.jsonl.gz"

SVG = "{http://www.w3.org/2000/svg}"


WIDEST = 320
"""Pixels of an image that stands beside others at the head of a page."""


def badge(run: Run, registry: Registry) -> tuple[str, str]:
    """Return the message and the colour of a badge, once its label is checked."""
    drawn = json.loads(render_badge(run, registry))
    assert [1, "HSA conformance"] == [drawn.pop("schemaVersion"), drawn.pop("label")]
    return drawn["message"], drawn["color"]


def test_a_run_that_passes_says_how_many_do(registry: Registry) -> None:
    run = all_pass()
    assert (f"{run.counts[Verdict.PASS]} pass", "brightgreen") == badge(run, registry)


def test_what_is_contested_does_not_count(registry: Registry) -> None:
    run = all_pass()
    first, *others = run.results
    message, _ = badge(replace(run, results=(replace(first, contested=True), *others)), registry)
    assert f"{run.counts[Verdict.PASS] - 1} pass" == message


def test_a_run_that_fails_says_how_many_do_and_crash(registry: Registry) -> None:
    assert ("5 fail, 3 crash or hang", "red") == badge(make_run(), registry)


def test_expected_deaths_stand_beside_what_passes(registry: Registry) -> None:
    run = all_pass()
    death = make_result(run.results[0].clause, Verdict.XFAIL)
    run = replace(run, results=(replace(death, known=Verdict.CRASH), *run.results[1:]))
    passed = run.counts[Verdict.PASS]
    assert f"{passed} pass, 1 crash or hang" == badge(run, registry)[0]


def test_other_expected_failures_do_as_well(registry: Registry) -> None:
    run = all_pass()
    known = replace(make_result(run.results[0].clause, Verdict.XFAIL), known=Verdict.FAIL)
    run = replace(run, results=(known, *run.results[1:]))
    assert f"{run.counts[Verdict.PASS]} pass, 1 fail as known" == badge(run, registry)[0]


def test_a_run_that_was_cut_short_shows_nothing(registry: Registry) -> None:
    assert ("nothing was shown", "lightgrey") == badge(replace(all_pass(), end=None), registry)


def test_the_badge_of_a_published_run_is_narrow() -> None:
    """Its label says what was selected, and its title the first line of the report."""
    run, registry = read_run(PUBLISHED), load()
    run = replace(run, started=replace(run.started, clauses=tuple(registry.clauses)))
    image = ET.fromstring(render_badge_svg(run, registry))
    assert int(image.get("width", "0")) <= WIDEST
    assert "crash or hang" in "".join(image.itertext())
    assert headline(run, registry).text == image.get("aria-label")


def test_the_image_says_the_same_in_letters_and_to_a_screen_reader(registry: Registry) -> None:
    """It is well-formed whatever the message has, and as wide as what stands on it."""
    run = make_run()
    drawn = json.loads(render_badge(run, registry))
    image = ET.fromstring(render_badge_svg(run, registry))
    texts = ["".join(each.itertext()) for each in image.iter(f"{SVG}text")]
    assert [drawn["label"], drawn["message"]] == texts
    assert headline(run, registry).text == image.get("aria-label")
    lengths = [int(each.get("textLength", "0")) for each in image.iter(f"{SVG}text")]
    assert sum(lengths) + 20 == int(image.get("width", "0"))
    assert all(5.5 < n / len(t) < 8 for n, t in zip(lengths, texts, strict=True))
