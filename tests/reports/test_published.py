"""The runs in reports/published and what their page says of them."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from hsa_reports import Verdict, read_run

PUBLISHED = Path(__file__).parents[2] / "reports" / "published"
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


@pytest.mark.parametrize("release", sorted(path.name for path in PUBLISHED.glob("*.*.*")))
def test_a_published_run_can_be_read_and_has_the_counts_that_are_said_of_it(release: str) -> None:
    expected = Counter(str(verdict) for verdict in read_run(PUBLISHED / release).verdicts.values())
    assert [expected] * 2 == [rows(page)[release] for page in PAGES]


def test_each_page_names_the_published_runs() -> None:
    expected = {path.name for path in PUBLISHED.glob("*.*.*")}
    assert [expected] * 2 == [set(rows(page)) for page in PAGES]
    assert {str(verdict) for verdict in Verdict} >= set(rows(PAGES[0])["7.2.4"])
