"""The findings in real libraries by weight, as their pages and the YAML files beside them say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from hsa_conformance.baselines import Baseline
from hsa_conformance.baselines.upstream import read_upstream
from hsa_reports import Upstream, Weight, worst
from hsa_reports.causes import BUILD_OPTION
from hsa_spec.markdown import table
from hsa_spec.yaml_file import read_yaml

WEIGHTS = "weights.yaml"
UPSTREAM = "upstream.yaml"


class Defect(StrEnum):
    """Whose defect a finding is."""

    LIBRARY = "library"
    RULE = "rule"
    TEXT = "text"
    READING = "reading"
    BUILD = "build"

    @property
    def meaning(self) -> str:
        """Return whose it is as a phrase for people; pages say "Defect of:" before it."""
        return _OWNERS[self]


_OWNERS = {
    Defect.LIBRARY: "the library",
    Defect.RULE: "a general rule",
    Defect.TEXT: "the text",
    Defect.READING: "either reading",
    Defect.BUILD: BUILD_OPTION,
}


@dataclass(frozen=True)
class Finding:
    """One cause of failures, with a page of its own."""

    name: str
    title: str
    weight: Weight
    defect: Defect
    upstream: tuple[Upstream, ...] = ()


def read_findings(folder: Path) -> list[Finding]:
    """Return the findings, those that matter most first.

    Args:
        folder: where the pages are, what they weigh, and what is known of them upstream.

    Raises:
        ValueError: a weight or an owner of a defect is none of those that there are, or the file
            of what is upstream is malformed or names no finding.

    """
    data = read_yaml(folder / WEIGHTS)
    upstream = read_upstream(folder / UPSTREAM)
    if unknown := upstream.keys() - data.keys():
        raise ValueError(f"{folder / UPSTREAM}: {min(unknown)} is no finding of {WEIGHTS}")
    found = [
        Finding(
            name,
            _title(folder / f"{name}.md"),
            Weight(of["weight"]),
            Defect(of["defect"]),
            upstream.get(name, ()),
        )
        for name, of in data.items()
    ]
    return sorted(found, key=lambda f: (f.weight.rank, f.name))


def index(findings: Sequence[Finding], baseline: Baseline) -> str:
    """Return the tables of the index: how many causes there are, and each of them.

    Args:
        findings: in the order in which they are to stand.
        baseline: says in which releases a finding was seen, with which verdicts.

    """
    counts = table(("Causes", *(d.meaning for d in Defect), "all"), _counts(findings))
    heads = ("Finding", "Weight", "Defect of", *baseline.releases, "Upstream")
    return f"{counts}\n\n{table(heads, _rows(findings, baseline))}\n"


def _counts(findings: Sequence[Finding]) -> Iterator[Sequence[str]]:
    for weight in Weight:
        yield _count(weight.meaning, [f for f in findings if f.weight is weight])
    yield _count("all", findings)


def _count(label: str, findings: Sequence[Finding]) -> Sequence[str]:
    each = (sum(f.defect is defect for f in findings) for defect in Defect)
    return (label, *map(str, each), str(len(findings)))


def _rows(findings: Sequence[Finding], baseline: Baseline) -> Iterator[Sequence[str]]:
    for finding in findings:
        entries = [e for e in baseline.entries if e.finding == finding.name]
        seen = ([e.verdict for e in entries if e.concerns(r)] for r in baseline.releases)
        cells = (str(worst(verdicts)) if verdicts else "-" for verdicts in seen)
        page = f"[{finding.title}]({finding.name}.md)"
        upstream = ", ".join(f"[#{u.number}]({u.link}) ({u.words})" for u in finding.upstream)
        yield (page, finding.weight.meaning, finding.defect.meaning, *cells, upstream or "-")


def _title(page: Path) -> str:
    """Return the heading of a page."""
    with page.open(encoding="utf-8") as lines:
        return next(lines).removeprefix("#").strip()
