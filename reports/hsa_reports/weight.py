"""How much a defect matters to a program that uses the library."""

from __future__ import annotations

from enum import StrEnum

from hsa_reports.failure import Failure


class Weight(StrEnum):
    """How much a defect matters to a program that uses the library, the most first."""

    PROCESS = "process"
    RESULT = "result"
    RESOURCES = "resources"
    STATUS = "status"
    ROBUSTNESS = "robustness"

    @property
    def meaning(self) -> str:
        """Return the weight as a phrase for people."""
        return _MEANINGS[self]

    @property
    def rank(self) -> int:
        """Return its place in the order, 0 for the heaviest."""
        return _RANKS[self]


_MEANINGS = {
    Weight.PROCESS: "ends the process in correct use",
    Weight.RESULT: "wrong result in correct use",
    Weight.RESOURCES: "loses resources",
    Weight.STATUS: "wrong status",
    Weight.ROBUSTNESS: "robustness",
}
_RANKS = {weight: rank for rank, weight in enumerate(Weight)}
_ERROR = "STATUS_ERROR"


def supposed(failure: Failure | None, *, ends: bool) -> Weight:
    """Return what a failure weighs that nobody has weighed, by what the call was and what came.

    A call for which errors alone are right is wrong use. An end by a failed assertion, which a
    build can leave out, weighs the least in any use.

    Args:
        failure: what came back, and what would have been right.
        ends: the process ended, or hung.

    """
    if failure is not None and failure.asserted:
        return Weight.ROBUSTNESS
    allowed = failure.allowed if failure else ()
    if not allowed or not all(_ERROR in each.status for each in allowed):
        return Weight.PROCESS if ends else Weight.RESULT
    refused = failure is not None and not ends and _ERROR in failure.got
    return Weight.STATUS if refused else Weight.ROBUSTNESS
