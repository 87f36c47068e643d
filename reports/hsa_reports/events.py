"""The events of a run, as plain frozen data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hsa_reports.actions import Action
from hsa_reports.demands import Demand
from hsa_reports.place import Place
from hsa_reports.programs import Ran
from hsa_reports.subject import Subject
from hsa_reports.verdicts import DEATHS, Verdict

#: The clause that every run judges: a runtime that does not start is a finding, whatever was
#: selected.
ALWAYS_JUDGED = "hsa_init/success"

#: The check of what a baseline itself contributes: known failures that did not show.
BASELINE = "baseline"

#: What a failure got whose process ended; what stands behind a comma is more about the same end.
_END = re.compile(r"(?P<kind>CRASH|HANG|EXIT) \((?P<detail>[^,()]+)")


@dataclass(frozen=True)
class Shard:
    """The part of a selection that a run judges, where several runs share it.

    Args:
        number: which part, from 1.
        of: how many there are.
        others: the ids of the clauses that the other parts judge, in the order of the registry.

    """

    number: int
    of: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunStarted:
    """The first event: what is under test, and which clauses were selected.

    Args:
        suite_version: the version of this distribution.
        registry_digest: the digest of the registry that judged.
        started: when, with an offset from UTC.
        command: the command line, word by word.
        profile: "quick", "full" or "exhaustive".
        seed: the seed that was asked for, or None.
        strict: broken `should` clauses make the run fail.
        subject: what is under test.
        clauses: the ids selected, in the order of the registry; of a shard, those that it judges.
        options: what else was asked for that verdicts may depend on, by the name of the option.
        shard: the part that this run is, None where it judges all that was selected.
        without_device: the machine has no device, and was not expected to have one.

    """

    suite_version: str
    registry_digest: str
    started: datetime
    command: tuple[str, ...]
    profile: str
    seed: int | None
    strict: bool
    subject: Subject
    clauses: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    shard: Shard | None = None
    without_device: bool = False

    @property
    def selected(self) -> tuple[str, ...]:
        """Return the ids of all that was selected, in the other shards, too."""
        return (*self.clauses, *(self.shard.others if self.shard else ()))


@dataclass(frozen=True)
class Step:
    """One call of the shortest sequence that shows a defect, with its result in words.

    `action` is the same for programs; event files of older versions have none.
    """

    process: str
    call: str
    result: str
    action: Action | None = None


@dataclass(frozen=True)
class Allowed:
    """A status that would have been right, and the clauses that say so."""

    status: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class TextReading:
    """What one of the texts that differ about a contested clause answers.

    Args:
        clause: the clause's id.
        text: where the text is, with what it says of this.
        answer: a status, statuses with "or" between them, what can be observed, or "anything".

    """

    clause: str
    text: str
    answer: str


@dataclass(frozen=True)
class Failure:
    """The shortest example that shows a defect.

    Args:
        summary: one sentence.
        steps: the calls, the last of which shows it.
        got: what came back.
        allowed: what would have been right.
        detail: anything more in words.
        stderr: the last lines the library printed.
        seen: for a hang, what could be seen of the threads.
        reproduce: one command line.
        demand: what the last step had to do, as far as a program can tell.
        program: the command line that makes a program of the steps.
        readings: each text of each contested clause that holds for the last step or is broken.
        ran: what came of the program; None where nobody tried to make one.
        place: where in the library the process ended, where that is known.

    """

    summary: str
    steps: tuple[Step, ...]
    got: str
    allowed: tuple[Allowed, ...]
    detail: str | None = None
    stderr: str | None = None
    seen: str | None = None
    reproduce: str = ""
    demand: Demand | None = None
    program: str | None = None
    readings: tuple[TextReading, ...] = ()
    ran: Ran | None = None
    place: Place | None = None

    @property
    def tried(self) -> str | None:
        """Return what came of the program, in a sentence; None where none can be asked for."""
        if self.ran is not None:
            return self.ran.words
        return "The program was not run." if self.program else None


@dataclass(frozen=True)
class Tried:
    """What came of one value that a check had to be tried with.

    Args:
        axis: what has the value, such as the name of a parameter.
        value: such as the name of an enumerator.
        outcome: "judged"; "imitated", where it holds and an imitation decided it; "failed", in a
            result of its own if the value is to blame; "lacking": the machine has nothing that it
            could be tried with; "over budget": it could take more memory than the run may; or
            "untried".
        reason: why it was not judged, or what failed.

    """

    axis: str
    value: str
    outcome: str
    reason: str | None = None

    @property
    def reached(self) -> bool:
        """Return whether a call was made with it whose answer was looked at."""
        return self.outcome in ("judged", "imitated", "failed")


@dataclass(frozen=True)
class Result:
    """What one check of one clause found.

    Args:
        clause: the clause's id.
        check: "satisfied", "near miss", "property NAME" or another word; see `words.check_name`.
        verdict: what it found.
        reason: why nothing was judged, or what else to know.
        satisfied: examples in which the clause's condition held.
        near_misses: examples in which one atom of it did not hold.
        discarded: examples that prove nothing.
        calls: calls made to the implementation.
        replayed: examples that failed in earlier runs and were made again; the others count them.
        seconds: time spent.
        failure: the shortest example, where there is a defect.
        source: where in the suite the code is that judged, such as
            "topics/core/queues/properties/indices.py:77 the_index_is_what_was_stored"; None where
            nothing was judged, and in event files of older versions.
        contested: the clause holds, and texts that contradict each other have several answers.
        value: what the failure depends on, such as "attribute=HSA_AGENT_INFO_NAME"; None for a
            result that is about no value alone.
        values: what came of each value that the check had to be tried with.
        decided_by: who decides it ("runtime", "driver", "device"), where that is not whom the
            clause names.
        known: the verdict of a failure that a baseline explains, which is XFAIL; else None.
        cause: the permanent id of the cause that a baseline names for it, such as
            "wait-any-timeout"; None where it names none, and where no baseline explains it.
        machine: the configuration that it came about on, such as "gfx1100", where a run has
            several; else None.

    """

    clause: str
    check: str
    verdict: Verdict
    reason: str | None = None
    satisfied: int = 0
    near_misses: int = 0
    discarded: int = 0
    calls: int = 0
    seconds: float = 0.0
    failure: Failure | None = None
    source: str | None = None
    contested: bool = False
    value: str | None = None
    values: tuple[Tried, ...] = ()
    decided_by: str | None = None
    known: Verdict | None = None
    cause: str | None = None
    machine: str | None = None
    replayed: int = 0

    @property
    def real(self) -> Verdict:
        """Return the verdict that it has without a baseline."""
        return self.known or self.verdict

    @property
    def end(self) -> str | None:
        """Return what ended the process, such as "SIGSEGV", "HANG" or "exit status 3"."""
        found = self.failure and self.real in DEATHS and _END.match(self.failure.got)
        if not found:
            return None
        return found["kind"] if found["kind"] == "HANG" else found["detail"]

    @property
    def real_words(self) -> str | None:
        """Return the real verdict of an expected failure, such as "CRASH SIGSEGV"; else None."""
        words = dict.fromkeys((str(self.known), self.end))
        return " ".join(word for word in words if word) if self.known else None

    @property
    def label(self) -> str:
        """Return its verdict, such as "FAIL" or "XFAIL (CRASH SIGSEGV)"."""
        return f"{self.verdict} ({self.real_words})" if self.known else str(self.verdict)

    @property
    def blocked_by(self) -> str | None:
        """Return the id of the clause that a BLOCKED result names as the one that broke."""
        clause, colon, _ = (self.reason or "").partition(": ")
        named = self.verdict is Verdict.BLOCKED and colon and "/" in clause and " " not in clause
        return clause if named else None


@dataclass(frozen=True)
class Notice:
    """Something that people should know about the run.

    `clause` is one that was not judged for this reason; a run that is resumed judges it after all.
    """

    text: str
    clause: str | None = None


@dataclass(frozen=True)
class Judged:
    """A clause was judged, and all that it showed stands before this; a resumed run goes by it.

    Args:
        clause: the clause's id.
        seconds: how long it took.
        initialised: something was judged after hsa_init had succeeded.
        strays: the ids of clauses that nobody selected, and that it showed to be broken.

    """

    clause: str
    seconds: float
    initialised: bool
    strays: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunEnded:
    """The last event.

    Args:
        finished: when, with an offset from UTC.
        exit_status: what the command answers.
        initialised: something was judged after hsa_init had succeeded.
        summary: one line for people.

    """

    finished: datetime
    exit_status: int
    initialised: bool
    summary: str


Event = RunStarted | Result | Notice | Judged | RunEnded
