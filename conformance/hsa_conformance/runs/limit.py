"""How long a run may take, and what is found of the clauses that it had no time for."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from hsa_adapters.worker.supervision.call_budget import queued
from hsa_conformance.engine.running.example_counts import PROFILES, SOAK
from hsa_conformance.selection.durations import of_run
from hsa_reports import Result, Verdict

#: How many times its estimate a run may take that needs nothing but this machine.
TIMES: Final = 10
#: The least seconds of this, as one call that hangs takes longer than most clauses.
LEAST: Final = 60.0
#: How many times this a loaded machine may lengthen it by.
LOAD: Final = 4
_NONE: Final = float("inf")


@dataclass(frozen=True)
class Limit:
    """The end of the time of a run.

    Attributes:
        seconds: how long it may take.
        until: the monotonic time in seconds when that is over.
        queued: what `queued` said when it began.
        slack: how many seconds a loaded machine may lengthen it by.

    """

    seconds: float = _NONE
    until: float = _NONE
    queued: float = 0.0
    slack: float = 0.0

    @classmethod
    def from_now(cls, seconds: float, slack: float = 0.0) -> Limit:
        """Return the limit of a run that begins; 0 seconds are no limit."""
        return cls(seconds, time.monotonic() + seconds, queued(), slack) if seconds else cls()

    def over(self) -> bool:
        """Return whether the time is over, without that in which processors were too few."""
        late = time.monotonic() - self.until
        return late > 0 and late > min(queued() - self.queued, self.slack)

    def passed_by(self, clause: str) -> Result:
        """Return the result of a clause that was not done with in time."""
        reason = (
            f"the run took longer than its limit of {self.seconds:g} s; --resume judges it, "
            "--limit sets another one"
        )
        return Result(clause, "limit", Verdict.NOT_RUN, reason)


def usual(
    clauses: Collection[str], subject: str, profile: str, *, processes: int, machines: int
) -> float:
    """Return the seconds that a run may take on an imitated machine; 0 for any number.

    Args:
        clauses: the ids of what it judges.
        subject: the kind of what is under test; see `selection.durations`.
        profile: a key of PROFILES; how long the one of long runs takes is asked for.
        processes: how many judge.
        machines: on how many machines, one after the other.

    """
    if profile == SOAK:
        return 0.0
    examples = PROFILES[profile] / PROFILES["quick"]
    estimate = machines * examples * of_run(clauses, subject, processes)
    return max(LEAST, float(round(TIMES * estimate)))
