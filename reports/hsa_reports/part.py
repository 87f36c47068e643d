"""What a run has in whole and settled, so that another may go on behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hsa_reports.event_file import EventFileError
from hsa_reports.events import Event, Judged, Notice, RunEnded, RunStarted
from hsa_reports.result import Result
from hsa_reports.stream import read_events
from hsa_reports.verdicts import UNSETTLED

_Line = tuple[bytes, Event]


@dataclass(frozen=True)
class Part:
    """What a run has found of the clauses that were judged, and need not be judged again.

    Attributes:
        started: what the run was about.
        events: what was found of those clauses, and what was said of all.
        content: the lines of the event file that this is; none where no clause was judged.
        end: the end of the run, if it came to one.

    """

    started: RunStarted
    events: tuple[Event, ...]
    content: bytes
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
    # What follows the last end of a line was not written in whole, even where it can be read.
    whole = path.read_bytes().split(b"\n")[:-1]
    if not whole:
        return None
    (first, started), *lines = zip(whole, read_events(path), strict=False)
    assert isinstance(started, RunStarted)
    events = [event for _, event in lines]
    end = next((event for event in events if isinstance(event, RunEnded)), None)
    done = any(isinstance(event, Judged) for event in events)
    if end and not done and any(isinstance(e, Result) and e.calls for e in events):
        raise EventFileError(
            f"{path}: an older version wrote it, and this one cannot go on with it"
        )
    kept = [line for group in _by_clause(lines) for line in _settled(group)]
    if not any(isinstance(event, Judged) for _, event in kept):
        return Part(started, (), b"", end)
    content = b"".join(line + b"\n" for line in (first, *(line for line, _ in kept)))
    return Part(started, tuple(event for _, event in kept), content, end)


def _by_clause(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Yield the lines of each clause that was judged, up to the one that says so."""
    group: list[_Line] = []
    for line in lines:
        group.append(line)
        if isinstance(line[1], Judged):
            yield group
            group = []


def _settled(group: list[_Line]) -> list[_Line]:
    """Return the lines of a clause, or what is not of it, where another try may settle it."""
    if not any(isinstance(event, Result) and event.verdict in UNSETTLED for _, event in group):
        return group
    return [line for line in group if isinstance(line[1], Notice) and line[1].clause is None]
