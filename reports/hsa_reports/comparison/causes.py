"""The causes of failures that came or went between the first run and the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hsa_reports.causes import Cause, Explanation, causes_of
from hsa_reports.comparison.comparison import Comparison
from hsa_reports.run import Run
from hsa_reports.verdicts import Verdict


def came_and_went(
    comparison: Comparison, explained: Mapping[str, Explanation] | None = None
) -> Mapping[str, tuple[Cause, ...]]:
    """Return the causes that came or went, each kind under its heading, as far as there are any.

    Args:
        comparison: of the runs.
        explained: what is known of causes, by id.

    """
    found = {
        "Causes that came": came(comparison, explained),
        "Causes that went": went(comparison, explained),
    }
    return {heading: causes for heading, causes in found.items() if causes}


def came(
    comparison: Comparison, explained: Mapping[str, Explanation] | None = None
) -> tuple[Cause, ...]:
    """Return the causes of the last run alone, the heaviest first.

    None of their clauses failed in the first run, and one held at least: what the first run could
    not show is not news.

    Args:
        comparison: of the runs.
        explained: what is known of causes, by id.

    """
    return tuple(_only_in(comparison.runs[-1], comparison.runs[0], explained))


def went(
    comparison: Comparison, explained: Mapping[str, Explanation] | None = None
) -> tuple[Cause, ...]:
    """Return the causes of the first run alone, the heaviest first.

    None of their clauses fails in the last run, and one holds at least.

    Args:
        comparison: of the runs.
        explained: what is known of causes, by id.

    """
    return tuple(_only_in(comparison.runs[0], comparison.runs[-1], explained))


def _only_in(run: Run, other: Run, explained: Mapping[str, Explanation] | None) -> Iterator[Cause]:
    there = causes_of(other)
    ids = {cause.id for cause in there}
    failing = {clause for cause in there for clause in cause.clauses}
    for cause in causes_of(run, explained):
        holds = any(other.verdicts.get(clause) is Verdict.PASS for clause in cause.clauses)
        if holds and cause.id not in ids and failing.isdisjoint(cause.clauses):
            yield cause
