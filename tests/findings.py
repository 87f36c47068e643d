"""The findings in ROCr: what its baseline says, and the pages and programs that explain it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from hsa_adapters.virtual_kfd import DEFAULT
from hsa_reports import Verdict
from hsa_spec.releases import Release, numbers

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "findings"
INDEX = FOLDER / "README.md"
BASELINE = ROOT / "conformance" / "hsa_conformance" / "baselines" / "rocr.yaml"


@dataclass(frozen=True)
class Finding:
    """One entry of the baseline."""

    clause: str
    verdict: Verdict
    releases: Release
    machines: tuple[str, ...]
    page: str

    def concerns(self, release: str) -> bool:
        """Tell whether the finding was seen in a release such as "6.1.2"."""
        lowest, highest = self.releases.lowest, self.releases.highest
        assert lowest is not None
        assert highest is not None
        return numbers(lowest) <= numbers(release) <= numbers(highest)


@cache
def releases() -> tuple[str, ...]:
    """Return the releases that the baseline was made on, the oldest first."""
    return tuple(yaml.safe_load(BASELINE.read_text(encoding="utf-8"))["releases"])


@cache
def findings() -> tuple[Finding, ...]:
    """Return the entries of the baseline."""
    entries = yaml.safe_load(BASELINE.read_text(encoding="utf-8"))["entries"]
    return tuple(
        Finding(
            clause=entry["clause"],
            verdict=Verdict(entry["verdict"]),
            releases=Release.parse(entry["releases"]),
            machines=tuple(entry.get("machines", [])),
            page=entry["finding"],
        )
        for entry in entries
    )


def pages() -> list[str]:
    """Return the names of the findings' pages."""
    return sorted(path.stem for path in FOLDER.glob("*.md") if path != INDEX)


def seen(page: str, release: str) -> list[Verdict]:
    """Return the verdicts of the clauses that a page is about, in one release."""
    return [f.verdict for f in findings() if f.page == page and f.concerns(release)]


def machine_of(page: str) -> str:
    """Return the imitated machine on which a page's defects show."""
    named = [machine for f in findings() if f.page == page for machine in f.machines]
    return named[0] if named else DEFAULT


def explained(clause: str, release: str, verdict: str) -> bool:
    """Tell whether a page explains a verdict.

    Args:
        clause: id of the clause.
        release: the release as a number, such as "6.1.2".
        verdict: the verdict, such as "CRASH".

    """
    return any(
        clause == finding.clause and verdict == finding.verdict and finding.concerns(release)
        for finding in findings()
    )
