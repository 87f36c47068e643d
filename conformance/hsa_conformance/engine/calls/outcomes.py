"""What can come out of one example, other than that all is well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hsa_adapters.errors import Ended
from hsa_reports import AllowedStatus, Failure, Place, Step, Verdict
from hsa_reports.demands import Demand
from hsa_spec import DecidedBy, World

#: What is observed of a process that does not end, where nobody waits for it but a property.
A_HANG: Final = "a hang"
#: Why what takes kernels is not judged on a machine that is imitated without a device for them.
NO_KERNELS: Final = "needs a device that runs kernels, which imitations do not"


class Violation(Exception):  # noqa: N818 - a finding about the library, not an error of ours
    """A clause does not hold.

    Args:
        clause: id of the clause that is blamed.
        verdict: what the rule of `engine.judging.verdict` makes of it.
        summary: what is wrong, in one sentence.
        got: what was observed.
        allowed: each allowed answer with the clauses that allow it.
        detail: signal or exit status, for a crash.
        demand: what the last step had to do, as far as a program can tell.
        end: how the process ended, where it is gone.
        decided_by: who decides what is wrong, where that is not whom the clause names.
        step_count: how many steps there were when it was seen; what follows only cleans up.
        also: ids of further clauses that it breaks as much, where it belongs to several calls;
            None where it belongs to one.

    """

    def __init__(
        self,
        clause: str,
        verdict: Verdict,
        summary: str,
        got: str,
        allowed: Mapping[str, Sequence[str]],
        detail: str | None = None,
        demand: Demand | None = None,
        end: Ended | None = None,
        decided_by: DecidedBy | None = None,
        step_count: int | None = None,
        also: Sequence[str] | None = None,
    ) -> None:
        super().__init__(f"{clause}: {summary}")
        self.clause = clause
        self.verdict = verdict
        self.summary = summary
        self.got = got
        self.allowed = allowed
        self.detail = detail
        self.demand = demand
        self.end = end
        self.decided_by = decided_by
        self.step_count = step_count
        self.also = also

    @property
    def ended(self) -> str | None:
        """The kind of the process's end, where it is gone: "CRASH", "HANG" or "EXIT"."""
        return None if self.end is None else self.end.kind

    @property
    def ended_at(self) -> Place | None:
        """For a crash, where in the library."""
        return Place(**vars(self.end.place)) if self.end and self.end.place else None

    def failure(self, steps: Sequence[Step]) -> Failure:
        """Return it as reports have it, with the steps that led to it."""
        return Failure(
            summary=self.summary,
            steps=tuple(steps)[: self.step_count],
            got=self.got,
            allowed=tuple(
                AllowedStatus(status, tuple(ids)) for status, ids in self.allowed.items()
            ),
            detail=self.detail,
            stderr=(self.end.stderr or None) if self.end else None,
            seen=(self.end.seen or None) if self.end else None,
            demand=self.demand,
            place=self.ended_at,
            also=tuple(self.also or ()),
        )


class CallLimit(BaseException):
    """As many calls were made as were to be; holds how the process ended then, if it did.

    It is no Exception, since an example must not go on after it.
    """

    def __init__(self, end: Ended | None) -> None:
        super().__init__()
        self.end = end


class ProvesNothing(Exception):  # noqa: N818
    """An example says nothing about the clause; another choice may."""


class OverBudget(ProvesNothing):
    """A call could take more memory than the run may."""


class Blocked(Exception):  # noqa: N818
    """Set-up broke on another clause, so this one could not be judged.

    Attributes:
        clause: id of the other clause.
        got: what the call answered, or how the process ended.
        deadly: whether the call ended the process.
        refused: whether it is a call for set-up that was answered with an error.
        arguments: the arguments of that call, where they are known.
        world: what was known of the process that it was made in.
        end: how it ended, where that is known.
        steps: the calls up to there.
        unwritten: the output that the call had to write and did not, if it succeeded.
        stated: whether a text says in as many words that it has to succeed here.

    """

    stated = True

    def __init__(
        self,
        clause: str,
        got: str,
        *,
        deadly: bool = False,
        refused: bool = False,
        arguments: Sequence[int] = (),
        world: World | None = None,
        end: Ended | None = None,
        steps: Sequence[Step] = (),
        unwritten: str | None = None,
    ) -> None:
        super().__init__(f"set-up needs {clause}, and the call answered {got}")
        self.clause = clause
        self.got = got
        self.deadly = deadly or end is not None
        self.refused = refused
        self.arguments = arguments
        self.world = world
        self.end = end
        self.steps = tuple(steps)
        self.unwritten = unwritten

    def __deepcopy__(self, _: object) -> Blocked:
        # What a moment of the model remembers of an obstacle does not change.
        return self

    @property
    def reason(self) -> str:
        """Return what reports say: the id of the clause, and how it broke."""
        return f"{self.clause}: {self.got if self.deadly else f'answered {self.got}'}"


class Unavailable(Exception):  # noqa: N818
    """The clause cannot be judged; `verdict` says why: BLOCKED, NOT_APPLICABLE or UNTESTED.

    The reason of BLOCKED begins with the id of the clause that blocks, and a colon.
    """

    def __init__(self, verdict: Verdict, reason: str) -> None:
        super().__init__(reason)
        self.verdict = verdict
        self.reason = reason


class ImitationLimit(Unavailable):
    """The clause cannot be judged: the devices, which are imitated, could not do what was asked."""


class Inconsistent(Exception):  # noqa: N818
    """A generator and an evaluator disagree, by a mistake of the suite or of the library."""
