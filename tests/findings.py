"""The findings that docs/findings explains: which clause, in which releases, with which verdict."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).parent.parent / "docs" / "findings"
INDEX = FOLDER / "README.md"

KEYS = {"clause", "releases", "verdict"}

_FRONT_MATTER = re.compile(r"\A---\n(?P<yaml>.*?\n)---\n", re.DOTALL)


@dataclass(frozen=True)
class Finding:
    """What the front matter of one page says."""

    page: Path
    clause: str
    releases: tuple[str, ...]
    verdict: str


def read(page: Path) -> Finding:
    """Return the finding of a page.

    Raises:
        ValueError: the front matter is missing or malformed; the message names page and rule.

    """
    found = _FRONT_MATTER.match(page.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{page.name}: start the page with YAML between two lines of ---")
    data = yaml.safe_load(found["yaml"])
    if not isinstance(data, dict) or set(data) != KEYS:
        raise ValueError(f"{page.name}: give exactly the keys {', '.join(sorted(KEYS))}")
    releases = data["releases"]
    if not isinstance(releases, list) or not releases:
        raise ValueError(f"{page.name}: 'releases' has to be a list with something in it")
    numbers = [t for t in (data["clause"], data["verdict"], *releases) if not isinstance(t, str)]
    if numbers:
        raise ValueError(f"{page.name}: {numbers[0]!r} has to be text, so put it in quotes")
    return Finding(page, data["clause"], tuple(releases), data["verdict"])


@cache
def findings(folder: Path = FOLDER) -> tuple[Finding, ...]:
    """Return the findings of all pages of a folder, its index left out."""
    return tuple(read(page) for page in sorted(folder.glob("*.md")) if page.name != INDEX.name)


def explained(clause: str, release: str, verdict: str) -> bool:
    """Tell whether a page explains a verdict.

    Args:
        clause: id of the clause.
        release: the release as a number, such as "6.1.2".
        verdict: the verdict, such as "CRASH".

    """
    return any(
        clause == finding.clause and release in finding.releases and verdict == finding.verdict
        for finding in findings()
    )
