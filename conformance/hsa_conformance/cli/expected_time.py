"""About how long a run takes, which it tells as it begins."""

from __future__ import annotations

import argparse
from collections.abc import Collection


def expected_seconds(
    options: argparse.Namespace, clauses: Collection[str], workers: int
) -> float | None:
    """Return about how long a run takes, None for a runtime or profile that nobody has measured.

    Args:
        options: those of `run`.
        clauses: the ids of what is to be judged.
        workers: how many processes judge.

    """
    from hsa_conformance.configurations import ALL
    from hsa_conformance.selection.durations import of_run, subject_of

    measured = not options.library or options.virtual_kfd not in (None, ALL)
    if options.profile != "quick" or not measured:
        return None
    return of_run(clauses, subject_of(options.library), workers)
