"""The events of a run, as plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hsa_reports.result import Result
from hsa_reports.subject import Subject

#: The clause that every run judges: a runtime that does not start is a finding, whatever was
#: selected.
ALWAYS_JUDGED = "hsa_init/success"

#: The check of what the starts of the runtime show, whatever was selected.
STARTS = "start"

#: The check of what a baseline itself contributes: known failures that did not show.
BASELINE = "baseline"


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
        narrowed: the ids of those clauses that are tried with some values of an axis alone.
        unlisted: what the machine has more of than the library lists, in words.

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
    narrowed: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()

    @property
    def selected(self) -> tuple[str, ...]:
        """Return the ids of all that was selected, in the other shards, too."""
        return (*self.clauses, *(self.shard.others if self.shard else ()))


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
        wall: seconds that the command took, where it judged all that this run has.
        processor: seconds of processor time that it took, in all its processes.

    """

    finished: datetime
    exit_status: int
    initialised: bool
    summary: str
    wall: float | None = None
    processor: float | None = None


Event = RunStarted | Result | Notice | Judged | RunEnded
