"""What a run says at its end of known failures that did not show."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hsa_conformance.baselines import KnownFailures
from hsa_conformance.runs.platforms import Platform
from hsa_reports import Notice, Result
from hsa_spec import Registry


def absent_failures(
    known: Sequence[tuple[Platform, KnownFailures | None]],
    results: Sequence[Result],
    registry: Registry,
    selected: Collection[str],
) -> Iterator[Result | Notice]:
    """Yield a result for each failure that did not show; of an older release it may be fixed.

    Args:
        known: the configurations, with what is known of each.
        results: all results of the run.
        registry: the specification.
        selected: the ids of the clauses that were to be judged.

    """
    for platform, expected in known:
        if expected is None:
            continue
        for entry, surprise in platform.absent_failures(expected, results, registry, selected):
            if expected.older is None:
                yield surprise
            else:
                said = (surprise.reason or "").partition(", and the baseline")[0]
                yield Notice(f"Known of {expected.older}: {entry.label}: {said}.")
