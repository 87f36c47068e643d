"""The badge of a run."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

from hsa_reports import Run, render_badge, render_badge_svg
from hsa_reports.words import selection
from hsa_spec import Registry
from tests.reports.report_samples import all_pass, make_run

SVG = "{http://www.w3.org/2000/svg}"


def badge(run: Run, registry: Registry) -> tuple[str, str]:
    """Return the message and the colour of a badge, once its label is checked."""
    drawn = json.loads(render_badge(run, registry))
    assert [1, f"HSA conformance, {selection(run, registry)}"] == [
        drawn.pop("schemaVersion"),
        drawn.pop("label"),
    ]
    return drawn["message"], drawn["color"]


def test_a_run_that_passes_says_of_how_many(registry: Registry) -> None:
    message, colour = badge(all_pass(), registry)
    assert (True, "brightgreen") == (message.endswith("applicable clauses pass (100%)"), colour)


def test_what_is_contested_is_set_apart(registry: Registry) -> None:
    run = all_pass()
    first, *others = run.results
    message, _ = badge(replace(run, results=(replace(first, contested=True), *others)), registry)
    assert message.endswith("applicable clauses pass (100%), of which 1 contested")


def test_a_run_that_fails_says_with_what(registry: Registry) -> None:
    message, colour = badge(make_run(), registry)
    assert ("5 of 26 applicable clauses fail", "red") == (message.partition(" (")[0], colour)


def test_a_run_that_was_cut_short_shows_nothing(registry: Registry) -> None:
    assert ("nothing was shown", "lightgrey") == badge(replace(all_pass(), end=None), registry)


def test_the_image_says_the_same_in_letters_and_to_a_screen_reader(registry: Registry) -> None:
    """It is well-formed whatever the message has, and as wide as what stands on it."""
    run = make_run()
    drawn = json.loads(render_badge(run, registry))
    image = ET.fromstring(render_badge_svg(run, registry))
    texts = ["".join(each.itertext()) for each in image.iter(f"{SVG}text")]
    assert [drawn["label"], drawn["message"]] == texts
    assert f"{drawn['label']}: {drawn['message']}" == image.get("aria-label")
    lengths = [int(each.get("textLength", "0")) for each in image.iter(f"{SVG}text")]
    assert sum(lengths) + 20 == int(image.get("width", "0"))
    assert all(5.5 < n / len(t) < 8 for n, t in zip(lengths, texts, strict=True))
