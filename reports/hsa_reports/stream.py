"""The event file: one JSON object a line, each flushed as it is written."""

from __future__ import annotations

import fcntl
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from hsa_reports.event_file import EventFileError, event_file, read_text
from hsa_reports.events import ALWAYS_JUDGED, STARTS, Event, Judged, Notice, RunEnded, RunStarted
from hsa_reports.result import Result
from hsa_reports.text import one_line
from hsa_reports.wire import from_json, to_json


class EventWriter:
    """Writes events to a file, each at once, so that a killed run loses one line at most.

    Args:
        path: the file; a run never writes into another's.
        resume: go on with the file of a run that was cut short, if there is one.

    Raises:
        FileExistsError: there is such a file, and it is not to be gone on with.
        BlockingIOError: another process writes to it.
        OSError: the file cannot be opened for writing.

    """

    def __init__(self, path: Path, *, resume: bool = False) -> None:
        mode = "r+b" if resume and path.exists() else "xb"
        self._file = path.open(mode, buffering=0)
        self._whole = 0
        try:
            _lock(self._file)
        except BlockingIOError:
            self._file.close()
            raise

    def keep(self, content: bytes) -> None:
        """Drop those lines of the file that are not among some.

        Args:
            content: the lines to keep, in their order.

        Raises:
            OSError: the file cannot be changed.

        """
        self._file.seek(0)
        before, lines = (text.splitlines(keepends=True) for text in (self._file.read(), content))
        pairs = zip(before, lines, strict=False)
        same = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        self._cut(sum(map(len, lines[:same])))
        for line in lines[same:]:
            self._append(line)

    def _cut(self, size: int) -> None:
        self._file.truncate(size)
        self._file.seek(size)
        self._whole = size

    def write(self, event: Event) -> None:
        """Append one event, whole or not at all.

        Raises:
            ValueError: the event breaks the published schema; nothing was written.
            OSError: the file cannot be written, for example because the disk is full.

        """
        line = json.dumps(to_json(event), allow_nan=False, separators=(",", ":"))
        self._append(line.encode("ascii") + b"\n")

    def _append(self, line: bytes) -> None:
        rest = memoryview(line)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            with suppress(OSError):
                self._cut(self._whole)
            raise
        self._whole += len(line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


#: How a half of a surrogate pair is written in JSON; what is written otherwise was decoded.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def read_events(source: Path) -> Iterator[Event]:
    """Yield the events of a run, checked one by one and in their order.

    A last line that was cut off while it was written is dropped, with a notice in its place.

    Args:
        source: the folder of the run, or its event file, which may be compressed with gzip.

    Raises:
        EventFileError: the file cannot be read, or a line of it is not what belongs there.

    """
    path = event_file(source)
    lines = read_text(path).split("\n")
    cut = lines.pop()
    if cut:
        lines.append(cut)
    order = _Order()
    decode = json.JSONDecoder(parse_constant=_refuse).decode
    for number, line in enumerate(lines, start=1):
        try:
            document = decode(line)
        except (ValueError, RecursionError) as error:
            if cut and number == len(lines) and order.started:
                yield Notice(f"Line {number} was cut off while it was written, and is left out.")
                return
            raise _broken(path, number, f"no JSON object ({error})") from error
        try:
            event = from_json(document, clean=_HALF.search(line) is None)
            order.check(event)
        except ValueError as error:
            raise _broken(path, number, str(error)) from error
        yield event
    if not order.started:
        raise EventFileError(f"{path}: no run was written to it; give the events.jsonl of a run")


def _lock(file: IO[bytes]) -> None:
    """Keep other runs from the file, where the file system knows locks.

    Raises:
        BlockingIOError: another one has it.

    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass


class _Order:
    """What has been read so far, to tell what may come next."""

    def __init__(self) -> None:
        self.started = False
        self._ended = False
        self._selected: frozenset[str] = frozenset()

    def check(self, event: Event) -> None:
        """Raise ValueError when the event does not belong after those before it."""
        if isinstance(event, RunStarted) == self.started:
            raise ValueError("the run event comes first, and once")
        if self._ended:
            raise ValueError("an event after the end event")
        if isinstance(event, RunStarted):
            self.started = True
            self._selected = frozenset((*event.selected, ALWAYS_JUDGED))
        elif isinstance(event, Result) and event.check == STARTS:
            pass  # what every process of the run needs concerns it, whatever was selected
        elif isinstance(event, Result | Judged) and event.clause not in self._selected:
            raise ValueError(f"a result for {event.clause}, which the run did not select")
        self._ended = isinstance(event, RunEnded)


def _broken(path: Path, line: int, why: str) -> EventFileError:
    return EventFileError(
        f"{path}, line {line}: {one_line(why)}. Only the last line of an event file may be "
        "incomplete: remove the line, or run again."
    )


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
