"""The runs in reports/published and what their page says of them."""

from __future__ import annotations

import re
import runpy
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from hsa_reports import Run, Verdict, causes_of, read_run
from hsa_reports.signature import signature

PUBLISHED = Path(__file__).parents[3] / "reports" / "published"
if not PUBLISHED.is_dir():
    pytest.skip("a source distribution lacks the published runs", allow_module_level=True)
PAGES = (PUBLISHED / "README.md", PUBLISHED.parents[1] / "README.md")


def rows(page: Path) -> dict[str, Counter[str]]:
    """Return the counts of verdicts that a page's table has for each release, 0 among them."""
    text = page.read_text(encoding="utf-8")
    [verdicts] = re.findall(r"^\| (?:Release|ROCr) ((?:\| [A-Z_]+ )+)\|", text, re.MULTILINE)
    found = re.findall(r"^\| (\d+\.\d+\.\d+) ((?:\| \d+ )+)\|", text, re.MULTILINE)
    names = verdicts.strip("| ").split(" | ")
    return {
        release: Counter(dict(zip(names, map(int, counts.strip("| ").split(" | ")), strict=True)))
        for release, counts in found
    }


FINDINGS = PUBLISHED.parents[1] / "docs" / "findings"

every_release = pytest.mark.parametrize(
    "release", sorted(path.name for path in PUBLISHED.glob("*.*.*"))
)


@cache
def published(release: str) -> Run:
    return read_run(PUBLISHED / release)


@every_release
def test_a_published_run_can_be_read_and_has_the_counts_that_are_said_of_it(release: str) -> None:
    expected = Counter(str(verdict) for verdict in published(release).verdicts.values())
    assert [expected] * 2 == [rows(page)[release] for page in PAGES]


def test_the_counts_of_runs_are_written_into_their_pages() -> None:
    """As they are there, whatever was there before."""
    counted = runpy.run_path(str(PUBLISHED.parent / "renew.py"))["counted"]
    runs = {release: published(release) for release in rows(PAGES[0])}
    for page in PAGES:
        expected = page.read_text(encoding="utf-8")
        old = re.sub(r"(?<=\| )\d+(?= \|| of \d)", "1", expected)
        assert old != expected
        assert expected == counted(old, runs)


def test_each_page_names_the_published_runs() -> None:
    expected = {path.name for path in PUBLISHED.glob("*.*.*")}
    assert [expected] * 2 == [set(rows(page)) for page in PAGES]
    assert {str(verdict) for verdict in Verdict} >= set(rows(PAGES[0])["7.2.4"])


@every_release
def test_signatures_tell_the_causes_apart_that_people_found(release: str) -> None:
    """What people found to be two causes has one signature only where their pages say why."""
    causes: dict[str, set[str]] = {}
    for result in published(release).results:
        if result.cause and result.known:
            causes.setdefault(signature(result).id, set()).add(result.cause)
    for several in (found for found in causes.values() if len(found) > 1):
        texts = {name: (FINDINGS / f"{name}.md").read_text(encoding="utf-8") for name in several}
        for one, other in combinations(several, 2):
            assert f"({other}.md)" in texts[one] or f"({one}.md)" in texts[other], several


@every_release
def test_a_published_run_names_the_cause_of_each_expected_failure(release: str) -> None:
    """Runs of older versions of the suite have it in their reasons."""
    expected = [r for r in published(release).results if r.known]
    assert expected
    assert [] == [r.clause for r in expected if not (FINDINGS / f"{r.cause}.md").is_file()]


@every_release
def test_causes_are_the_same_whatever_the_order_of_results(release: str) -> None:
    run = published(release)
    turned = replace(run, results=tuple(reversed(run.results)))
    found, again = ({c.id: set(c.clauses) for c in causes_of(r)} for r in (run, turned))
    assert found == again


def test_programs_end_as_the_page_says() -> None:
    """Each failure has one; none ends as if the defect were not there where it was seen."""
    text = (PUBLISHED / "README.md").read_text(encoding="utf-8")
    row = re.compile(r"^\| (\S+) \| (\d+) of (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
    said = {release: tuple(map(int, counts)) for release, *counts in row.findall(text)}
    assert said == {release: ends_of_programs(release) for release in rows(PAGES[0])}


def ends_of_programs(release: str) -> tuple[int, int, int, int]:
    """Return how many programs end with 1, of how many failures, with 77, and were not made."""
    failures = [r.failure for r in published(release).results if r.failure]
    ends = Counter(failure.ran.exit if failure.ran else -1 for failure in failures)
    assert {1, 77, None} >= ends.keys()
    return ends[1], len(failures), ends[77], ends[None]
