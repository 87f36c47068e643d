"""What the time of a run went into: by kind of check, and the clauses that took longest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from hsa_reports.run import Run

STATUS: Final = "status"
EFFECTS: Final = "effects"
THREADS: Final = "threads"
REFUSALS: Final = "refusals"
SEQUENCES: Final = "random programs"

#: The kind of a check by words that its name has; the first that fits.
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    STATUS: ("satisfied", "near miss"),
    REFUSALS: ("refused", "refusal", "made again"),
    THREADS: ("thread",),
    SEQUENCES: ("sequences", "random programs"),
}


def kind_of(check: str) -> str:
    """Return the kind of a check, one of the words above, by its name."""
    found = (kind for kind, words in _KINDS.items() if any(word in check for word in words))
    return next(found, EFFECTS)


def by_kind(run: Run) -> Mapping[str, float]:
    """Return the seconds that the checks of each kind took in their processes, the most first."""
    spent: dict[str, float] = defaultdict(float)
    for result in run.results:
        if result.value is None:  # the result of a check has the time of all its values
            spent[kind_of(result.check)] += result.seconds
    return dict(_most(spent))


def longest(run: Run, count: int) -> Iterator[tuple[str, float]]:
    """Yield the clauses that took longest, with their seconds.

    Args:
        run: the run.
        count: how many clauses.

    """
    spent: dict[str, float] = defaultdict(float)
    for result in run.results:
        if result.value is None:
            spent[result.clause] += result.seconds
    yield from _most(spent)[:count]


def _most(spent: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(spent.items(), key=lambda each: -each[1])


def in_words(run: Run) -> str:
    """Return a sentence about the time of a run."""
    kinds = by_kind(run)
    whole = sum(kinds.values()) or 1.0
    shares = ", ".join(f"{kind} {100 * each / whole:.0f} %" for kind, each in kinds.items())
    told = []
    if run.end and run.end.wall is not None:
        told.append(f"{run.end.wall:.0f} s")
    if run.end and run.end.processor is not None:
        told.append(f"{run.end.processor:.0f} s of processors")
    words = " and ".join(told) or "not known"
    return f"{words}; of the checks' own time {shares}" if shares else words
