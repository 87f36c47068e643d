"""What became of a clause from one run to another, or from a baseline to a run: one word each."""

from __future__ import annotations

from enum import StrEnum

from hsa_reports.verdicts import BROKEN, JUDGED, Verdict, rank

#: The verdicts that speak against a library, whether a baseline expects it or not.
FAILS = BROKEN | {Verdict.XFAIL}


class Transition(StrEnum):
    """The words, for the worst first."""

    REGRESSED = "regressed"
    WORSE = "worse"
    DIFFERENT = "different"
    MILDER = "milder"
    FIXED = "fixed"
    UNTRIED = "not tried"
    SAME = "as before"

    @property
    def meaning(self) -> str:
        """Return what the word says, as a phrase for people."""
        return _MEANINGS[self]


_MEANINGS = {
    Transition.REGRESSED: "fails, and held or was not judged before",
    Transition.WORSE: "fails, with a worse verdict",
    Transition.DIFFERENT: "fails with the same verdict, but in a different way",
    Transition.MILDER: "fails, with a milder verdict",
    Transition.FIXED: "failed before, and no longer does",
    Transition.UNTRIED: "was judged before, but not this time",
    Transition.SAME: "nothing changed",
}


def transition(before: Verdict, after: Verdict, *, alike: bool = True) -> Transition | None:
    """Return what became of something.

    Args:
        before: what was found first, or is expected; what a failure would be without a baseline.
        after: what was found last.
        alike: whether two failures show the same.

    Returns:
        None where it was not judged first, and does not fail.

    """
    failed, fails = before in FAILS, after in FAILS
    if before not in JUDGED:
        return Transition.REGRESSED if fails else None
    if after not in JUDGED:
        return Transition.UNTRIED
    if fails and not failed:
        return Transition.REGRESSED
    if failed and not fails:
        return Transition.FIXED
    if before is after or not fails:
        return Transition.SAME if alike or not fails else Transition.DIFFERENT
    # What no clause speaks of is milder than any broken rule, expected or not.
    worse = rank(after) < rank(before) or before is Verdict.UNDOCUMENTED
    return Transition.WORSE if worse else Transition.MILDER
