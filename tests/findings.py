"""The findings in ROCr: what its baseline says, and the pages and programs that explain it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from hsa_adapters.virtual_kfd import DEFAULT
from hsa_conformance.baselines import Baseline, Entry, read_baseline
from hsa_reports import Verdict
from hsa_spec import load
from tests.samples import sample

FOLDER = Path(__file__).parent.parent / "docs" / "findings"
INDEX = FOLDER / "README.md"


@cache
def baseline() -> Baseline:
    """Return ROCr's baseline."""
    return read_baseline("rocr", load())


def releases() -> tuple[str, ...]:
    """Return the releases that the baseline was made on, the oldest first."""
    return baseline().releases


def findings() -> tuple[Entry, ...]:
    """Return the entries of the baseline."""
    return baseline().entries


def pages() -> list[str]:
    """Return the names of the findings' pages, without those that say that one is withdrawn."""
    return sorted(
        path.stem
        for path in FOLDER.glob("*.md")
        if path != INDEX and not path.read_text("utf-8").partition("\n")[0].endswith("(withdrawn)")
    )


def quick_pages() -> list[str]:
    """Return the pages whose programs do not try the same thing again and again by threads."""
    sources = {page: (FOLDER / f"{page}.c").read_text("utf-8") for page in pages()}
    return [p for p, source in sources.items() if not re.search('"threads.h"|ROUNDS', source)]


def tried_pages() -> list[str]:
    """Return those pages and some of the others."""
    quick = quick_pages()
    return sorted([*quick, *sample([p for p in pages() if p not in quick], 3)])


def seen(page: str, release: str) -> list[Verdict]:
    """Return the verdicts of the clauses that a page is about, in one release."""
    return [f.verdict for f in findings() if f.finding == page and f.concerns(release)]


def by_chance(page: str, release: str) -> bool:
    """Return whether it depends on chance that a page's defects show in one release."""
    here = [f for f in findings() if f.finding == page and f.concerns(release)]
    return bool(here) and all(f.chance for f in here)


def machine_of(page: str) -> str:
    """Return the imitated machine on which a page's defects show: the default one, if it is one.

    What variables a machine is named with, the program sets.
    """
    here = [f.machines for f in findings() if f.finding == page]
    if any(machines is None or DEFAULT in machines for machines in here):
        return DEFAULT
    named = [name for machines in here for name in machines or ()]
    return named[0].partition(",")[0] if named else DEFAULT


def explained(clause: str, release: str, verdict: str) -> bool:
    """Return whether a page explains a verdict.

    Args:
        clause: id of the clause.
        release: the release as a number, such as "6.1.2".
        verdict: the verdict, such as "CRASH".

    """
    return any(
        clause == finding.clause and verdict == finding.verdict and finding.concerns(release)
        for finding in findings()
    )
