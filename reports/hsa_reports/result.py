"""What one check of one clause found, and the values that it was tried with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from hsa_reports.failure import Failure
from hsa_reports.verdicts import DEATHS, Verdict

#: What a failure got whose process ended; what stands behind a comma is more about the same end.
_END = re.compile(r"(?P<kind>CRASH|HANG|EXIT) \((?P<detail>[^,()]+)")


#: The axis of what happens before a check's call; results name it where something does.
BEFORE: Final = "before"
#: The axis of the function that another thread calls meanwhile.
BESIDE: Final = "beside"
#: The axis of the function that is called between two equal questions.
AFTER: Final = "after"
#: The check of a clause that is not judged, whatever the machine has.
APPLICABILITY: Final = "applicability"


def clause_of(reason: str | None) -> str | None:
    """Return the id of a clause with which the reason of an obstacle begins, if one does."""
    clause, colon, _ = (reason or "").partition(": ")
    return clause if colon and "/" in clause and " " not in clause else None


@dataclass(frozen=True)
class ValueResult:
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
    def blocked_by(self) -> str | None:
        """Return the id of the clause that broke where a value could not be tried for it."""
        return clause_of(self.reason) if self.outcome == "untried" else None

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
        ways: in how many ways something can happen before the check's call, or how many functions
            can be called beside it; those that were tried are among the values, with the axis
            "before" or "beside".
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
    values: tuple[ValueResult, ...] = ()
    decided_by: str | None = None
    known: Verdict | None = None
    cause: str | None = None
    machine: str | None = None
    replayed: int = 0
    ways: int = 0

    def counting(self, results: Sequence[Result]) -> Result:
        """Return it with the examples, calls and seconds of several results together."""
        return replace(
            self,
            satisfied=sum(r.satisfied for r in results),
            near_misses=sum(r.near_misses for r in results),
            discarded=sum(r.discarded for r in results),
            calls=sum(r.calls for r in results),
            replayed=sum(r.replayed for r in results),
            seconds=round(sum(r.seconds for r in results), 4),
        )

    @property
    def name(self) -> str:
        """Return the clause, with the value that the failure depends on, as `--select` takes it."""
        return f"{self.clause}[{self.value}]" if self.value else self.clause

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
        return clause_of(self.reason) if self.verdict is Verdict.BLOCKED else None
