"""What a run that was cut short has judged, and whether this one may go on behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_conformance.runs.compatibility import differences
from hsa_conformance.runs.journal import Journal
from hsa_reports import EventFileError, Part, RunStarted, read_part

FINISHED = "the run is finished, and nothing was judged again"


def begun(config: pytest.Config, journal: Journal) -> Part | None:
    """Return what the run that is to be resumed has judged; None where there is none.

    Args:
        config: the options.
        journal: opens the event file, if it is there.

    Raises:
        pytest.UsageError: it cannot be read, or another process writes it.

    """
    target = Path(config.getoption("--hsa-events") or "")
    if not (config.getoption("--hsa-resume") and target.is_file()):
        return None
    journal.open(target, resume=True)
    try:
        part = read_part(target)
    except EventFileError as error:
        journal.close()
        raise pytest.UsageError(str(error)) from None
    if part is None:
        journal.keep(b"")
    return part


def check(part: Part, started: RunStarted) -> None:
    """Return where this run may go on behind another one, and has something left to judge.

    Args:
        part: what the other one has.
        started: how this one begins.

    Raises:
        pytest.UsageError: they are of different subjects, or were asked for different things.
        pytest.exit.Exception: the other one is finished; with its exit status.

    """
    if others := list(differences(part.started, started)):
        advice = "give the options of that run, or choose another place with --out"
        raise pytest.UsageError(f"this is not the run to resume: {'; '.join(others)}; {advice}")
    if part.end is not None and not part.left:
        pytest.exit(f"{FINISHED}: {part.end.summary}", part.end.exit_status)
