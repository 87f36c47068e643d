"""A comparison as one self-contained HTML page: a matrix of clauses and runs."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reports.comparison.clause_change import Change
from hsa_reports.comparison.comparison import Comparison
from hsa_reports.comparison.words import (
    DYING,
    counts,
    dying,
    growth,
    headline,
    left_out,
    names,
    notes,
    tested,
    title,
)
from hsa_reports.page import environment
from hsa_reports.result import Result
from hsa_reports.verdicts import Verdict
from hsa_reports.words import english, source, strength
from hsa_spec import Registry


@dataclass(frozen=True)
class ClauseResult:
    """What one run found out about a clause; the verdict is None where it did not select it."""

    name: str
    verdict: Verdict | None
    results: tuple[Result, ...]

    @property
    def real(self) -> str | None:
        """Return the real verdict of a failure that is expected, with its signal."""
        worst = self.results[0] if self.results else None
        return worst.real_words if worst and worst.verdict is self.verdict else None


@dataclass(frozen=True)
class Row:
    """A clause that differs, in the page."""

    id: str
    worse: bool
    english: str
    strength: str
    source: str
    found: tuple[ClauseResult, ...]


def render_html(comparison: Comparison, registry: Registry) -> str:
    """Return the comparison as an HTML page.

    Args:
        comparison: what to show.
        registry: where the words for the clauses stand.

    """
    return (
        environment()
        .get_template("comparison.html.j2")
        .render(
            title=title(comparison),
            headline=headline(comparison),
            notes=notes(comparison, registry),
            names=names(comparison),
            tested=tested(comparison),
            counts=counts(comparison),
            growth=growth,
            deaths=dying(comparison),
            deaths_label=DYING,
            left_out=left_out(comparison),
            groups={
                group: tuple(_row(change, comparison, registry) for change in changes)
                for group, changes in comparison.groups.items()
                if changes
            },
        )
    )


def _row(change: Change, comparison: Comparison, registry: Registry) -> Row:
    shown = [
        [r for r in run.by_clause.get(change.clause, ()) if change.value in (None, r.value)]
        for run in comparison.runs
    ]
    each = zip(names(comparison), change.verdicts, shown, strict=True)
    return Row(
        change.name,
        change.worse,
        english(change.clause, registry),
        strength(change.clause, registry),
        source(change.clause, registry),
        tuple(ClauseResult(name, verdict, tuple(results)) for name, verdict, results in each),
    )
