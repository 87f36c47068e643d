"""Writes down what a run finds: in its event file, and in the tally that its exit status needs."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

import hsa_reports
from hsa_conformance import own_errors
from hsa_conformance.runs.exit_status import NOT_CARRIED_OUT, End, Tally, speaks_against
from hsa_conformance.runs.fidelity import fidelity
from hsa_reports import EventWriter, Part, Result
from hsa_reports.wire import packed, unpacked

_RESULT: Final = "hsa_result"
_STRAY: Final = "hsa_stray"
_NOTICE: Final = "hsa_notice"
_SEEN: Final = "hsa_seen"
_EXECUTED: Final = "hsa_executed"
_INITIALISED: Final = "hsa_initialised"


class JournalEntry:
    """What a process that judges hands to the one that writes it down.

    Args:
        record: pytest's `record_property`.

    """

    def __init__(self, record: Any) -> None:  # noqa: ANN401 - pytest has no type for it
        self._record = record

    def notice(self, text: str) -> None:
        """Hand over what people should know."""
        self._record(_NOTICE, text)

    def seen(self, text: str) -> None:
        """Hand over what the library does that no clause is about."""
        self._record(_SEEN, text)

    def executed(self, instructions: Mapping[str, str]) -> None:
        """Hand over how instructions of kernels were executed, by their names."""
        self._record(_EXECUTED, json.dumps(dict(instructions)))

    def stray(self, result: Result) -> None:
        """Hand over what was found of a clause that was not selected."""
        self._record(_STRAY, packed(result))

    def not_done(self, result: Result) -> None:
        """Hand over that a clause was not judged to the end, and why."""
        self._record(_RESULT, packed(result))

    def judged(self, results: list[Result], *, initialised: bool) -> None:
        """Hand over all that was found of the others."""
        for result in results:
            self._record(_RESULT, packed(result))
        self._record(_INITIALISED, initialised)


class Journal:
    """The event file of a run, and the tally beside it.

    Args:
        strict: broken `should` clauses fail the run, too.

    """

    def __init__(self, *, strict: bool) -> None:
        self.tally = Tally(strict)
        self._start_time: float | None = time.monotonic()
        self._processor = 0.0  # seconds of other processes
        self._writer: EventWriter | None = None
        self._errors: set[str] = set()
        self._executed: dict[str, str] = {}
        self._found: set[tuple[object, ...]] = set()
        self._seen: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Return whether there is an event file that can be written."""
        return self._writer is not None

    def open(self, path: Path, *, resume: bool = False) -> None:
        """Open the event file.

        Args:
            path: the file.
            resume: go on with it if it is there.

        Raises:
            pytest.UsageError: another run has it.

        """
        try:
            self._writer = EventWriter(path, resume=resume)
        except FileExistsError:
            advice = "choose another place with --out, or go on with it with --resume"
            raise pytest.UsageError(f"{path} already holds a run; {advice}") from None
        except BlockingIOError:
            raise pytest.UsageError(f"{path} is being written: the run still goes on") from None
        except OSError as error:
            text = f"cannot write {path}: {error.strerror}; choose another place with --out"
            pytest.exit(text, NOT_CARRIED_OUT)

    def go_on(self, part: Part) -> None:
        """Go on behind what a run has judged, and count it as if it had just been found."""
        self.keep(part.content)
        self._start_time = None
        for result in part.results:
            self._count(result)
        for judged in part.judged:
            self.tally.collected.add(judged.clause)
            self.tally.strays.update(judged.strays)
            self.tally.initialised |= judged.initialised

    def keep(self, content: bytes) -> None:
        """Drop what is not among some lines of the event file."""
        if self._writer is not None:
            self._writer.keep(content)

    def emit(self, event: hsa_reports.Event) -> None:
        """Write an event, if the run has an event file."""
        if self._writer is None:
            return
        try:
            self._writer.write(event)
        except OSError as error:
            self.close()
            said = f"cannot write events any more: {error.strerror}"
            pytest.exit(f"{said}; what was judged so far is kept", NOT_CARRIED_OUT)

    def note(self, result: Result) -> None:
        """Write a result that counts."""
        self._count(result)
        self.emit(result)

    def tell(self, event: Result | hsa_reports.Notice) -> None:
        """Write a result that counts, or what people should know."""
        if isinstance(event, Result):
            self.note(event)
        else:
            self.emit(event)

    def note_start(self, result: Result) -> None:
        """Write what a start has shown outside of any clause, once, however often a run starts."""
        if outcome(result) not in self._found:
            self.note(result)

    def note_seen(self, texts: Iterable[str]) -> None:
        """Write what the library does that no clause is about, each once, whoever saw it."""
        for text in dict.fromkeys(texts):
            if text not in self._seen:
                self._seen.add(text)
                self.emit(hsa_reports.Notice(text))

    def _count(self, result: Result) -> None:
        self.tally.results.append(result)
        self._found.add(outcome(result))

    def take(self, report: pytest.TestReport) -> None:
        """Write down what the test of a clause has found, here or in another process."""
        if report.when != "call":
            # Not only fixtures: a process of pytest-xdist that died reports from nowhere.
            if report.failed:
                self._note_error(report)
            return
        said: dict[str, list[str]] = {}
        for kind, text in report.user_properties:
            said.setdefault(kind, []).append(str(text))
        for result in map(_result, said.get(_RESULT, [])):
            self.note(result)
        strays = [_result(text) for text in said.get(_STRAY, [])]
        for result in strays:
            notice = f"{result.verdict}: {result.clause}, which was not selected: {result.reason}"
            self.emit(hsa_reports.Notice(notice))
        broken = tuple(dict.fromkeys(r.clause for r in strays if speaks_against(r)))
        self.tally.strays.update(broken)
        for text in said.get(_NOTICE, []):
            self.emit(hsa_reports.Notice(text, own_errors.clause_of(report)))
        self.note_seen(said.get(_SEEN, []))
        for text in said.get(_EXECUTED, []):
            self._executed |= json.loads(text)
        initialised = "True" in said.get(_INITIALISED, [])
        self.tally.initialised |= initialised
        if _INITIALISED in said:
            clause, seconds = own_errors.clause_of(report), round(report.duration, 4)
            self.emit(hsa_reports.Judged(clause, seconds, initialised, broken))
        elif report.failed:
            self._note_error(report)

    def _note_error(self, report: pytest.TestReport) -> None:
        ended = own_errors.OwnError("the suite", "a process of the suite ended")
        error = own_errors.failed(report) or ended
        self.tally.errors[error.whose] += 1
        if error.text not in self._errors:
            self._errors.add(error.text)
            said = error.text.removesuffix(own_errors.MORE)
            clause = own_errors.clause_of(report)
            self.emit(hsa_reports.Notice(f"{clause} was not judged: {said}.", clause))

    def add_processor(self, seconds: float) -> None:
        """Add the processor time of another process of the run to that of this one."""
        self._processor += seconds

    def end(self, end: End) -> None:
        """Write the end of the run, and before it how its kernels were executed, if any were."""
        if self._executed:
            self.emit(hsa_reports.Notice(fidelity(self._executed)))
        self.emit(
            hsa_reports.RunEnded(
                finished=datetime.now(UTC),
                exit_status=end.status,
                initialised=self.tally.initialised,
                summary=end.why,
                wall=None
                if self._start_time is None
                else round(time.monotonic() - self._start_time, 1),
                # Workers have told of theirs, which may be children that ended by now.
                processor=round(self._processor + processor_time(children=not self._processor), 1),
            )
        )

    def close(self) -> None:
        """Close the event file."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()


def processor_time(*, children: bool = True) -> float:
    """Return the seconds of processor time of this process.

    Args:
        children: whether that of its children that ended is added.

    """
    return sum(os.times()[: 4 if children else 2])


def _result(text: str) -> Result:
    event = unpacked(text)
    assert isinstance(event, Result)
    return event


def outcome(result: Result) -> tuple[object, ...]:
    """Return what a start has shown, however often it did."""
    return (result.clause, result.check, result.verdict, result.reason, result.machine)
