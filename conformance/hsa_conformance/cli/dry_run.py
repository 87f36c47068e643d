"""`run --dry-run`: what would be judged, and about how long it takes; no library is started."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError
from hsa_conformance.cli.expected_time import expected_seconds
from hsa_conformance.cli.processes import processes

if TYPE_CHECKING:
    from hsa_conformance.selection.selection import Selection
    from hsa_spec import Registry


def show(options: argparse.Namespace, chosen: Selection, registry: Registry) -> int:
    """Print a line for each clause, and one for all of them; return the exit status.

    Raises:
        CommandError: the run that is to be resumed cannot be read.

    """
    from hsa_conformance.engine.running.choice.applicability import LONG_RUN, GeneralExclusions
    from hsa_conformance.engine.running.example_counts import SOAK
    from hsa_conformance.selection.durations import estimate, subject_of
    from hsa_conformance.topics import TOPICS
    from hsa_reports.counting import clause_count
    from hsa_reports.text import wrapped

    declared = GeneralExclusions(
        registry, TOPICS, met=(LONG_RUN,) if options.profile == SOAK else ()
    )
    subject, done = subject_of(options.library), _judged(options)
    left = [clause for clause in chosen.clauses if clause.id not in done]
    untested = 0
    for clause in left:
        reason = declared.reason(clause)
        untested += reason is not None
        what = f"UNTESTED: {reason}" if reason else f"{estimate([clause.id], subject):.2f} s"
        print(wrapped(f"{clause.id}  {what}"))
    ids = [clause.id for clause in left]
    workers = processes(options.workers, ids, subject)
    seconds = expected_seconds(options, ids, workers)
    time = "" if seconds is None else f"about {seconds:.0f} s "
    told = f"{clause_count(len(left))}, of which {untested} are declared not to be tested"
    print(wrapped(f"{told}: {time}in {workers} process{'es' * (workers > 1)}"))
    return 0


def _judged(options: argparse.Namespace) -> frozenset[str]:
    """Return the ids of the clauses that need not be judged again."""
    if not (options.resume and options.out):
        return frozenset()
    from hsa_reports import EVENTS, EventFileError, read_part

    try:
        path = Path(options.out) / EVENTS
        part = read_part(path) if path.exists() else None
    except EventFileError as error:
        raise CommandError(str(error)) from None
    return frozenset(e.clause for e in part.judged) if part else frozenset()
