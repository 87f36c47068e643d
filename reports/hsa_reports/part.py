"""What a run that was cut short has in whole, so that another may go on behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hsa_reports.event_file import EventFileError
from hsa_reports.events import Event, Judged, Notice, RunEnded, RunStarted
from hsa_reports.result import Result
from hsa_reports.stream import read_events


@dataclass(frozen=True)
class Part:
    """The beginning of a run, up to the last clause that was judged.

    Attributes:
        started: what the run was about.
        events: what came after that, of the clauses that were judged.
        size: how many bytes of the event file this is; 0 where no clause was judged.
        end: the end of the run, if it came to one.

    """

    started: RunStarted
    events: tuple[Event, ...]
    size: int
    end: RunEnded | None

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Return the clauses that need not be judged again."""
        return tuple(e for e in self.events if isinstance(e, Judged))

    @property
    def results(self) -> tuple[Result, ...]:
        """Return what was found about them."""
        return tuple(e for e in self.events if isinstance(e, Result))

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what was said, but for what kept a clause from being judged."""
        return tuple(e for e in self.events if isinstance(e, Notice) and e.clause is None)

    @property
    def left(self) -> frozenset[str]:
        """Return the ids of the clauses that are still to be judged."""
        return frozenset(self.started.clauses).difference(e.clause for e in self.judged)


def read_part(path: Path) -> Part | None:
    """Return what an event file has in whole; None where not even its first line is.

    Args:
        path: the file, not compressed.

    Raises:
        EventFileError: it is no event file, or an older version wrote it, which did not say when a
            clause was done with.

    """
    lines = path.read_bytes().split(b"\n")[:-1]
    if not lines:
        return None
    # What follows the last end of a line was not written in whole, even where it can be read.
    started, *events = list(read_events(path))[: len(lines)]
    assert isinstance(started, RunStarted)
    done = [number for number, event in enumerate(events, start=1) if isinstance(event, Judged)]
    whole = done[-1] if done else 0
    size = sum(len(line) + 1 for line in lines[: whole + 1]) if whole else 0
    end = next((event for event in events if isinstance(event, RunEnded)), None)
    if end and not done and any(isinstance(event, Result) for event in events):
        raise EventFileError(
            f"{path}: an older version wrote it, and this one cannot go on with it"
        )
    return Part(started, tuple(events[:whole]), size, end)
