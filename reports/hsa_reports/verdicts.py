"""The verdicts, their order, and what each of them counts as."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """What a check, or all checks of a clause together, found."""

    CRASH = "CRASH"
    HANG = "HANG"
    FAIL = "FAIL"
    FLAKY = "FLAKY"
    XPASS = "XPASS"
    FRAGILE = "FRAGILE"
    WARN = "WARN"
    UNDOCUMENTED = "UNDOCUMENTED"
    XFAIL = "XFAIL"
    BLOCKED = "BLOCKED"
    VACUOUS = "VACUOUS"
    NOT_RUN = "NOT_RUN"
    IMITATED = "IMITATED"
    PASS = "PASS"
    UNTESTED = "UNTESTED"
    NOT_APPLICABLE = "NOT_APPLICABLE"

    @property
    def meaning(self) -> str:
        """Return what the verdict says, as a phrase for people."""
        return _MEANINGS[self]

    def fails(self, *, strict: bool) -> bool:
        """Return whether this verdict makes a run fail.

        Args:
            strict: the run also holds the implementation to what counts as a warning.

        """
        return self in FAILURES or (strict and self in WARNINGS)


WORST_FIRST: tuple[Verdict, ...] = (
    Verdict.CRASH,
    Verdict.HANG,
    Verdict.FAIL,
    Verdict.FLAKY,
    Verdict.XPASS,
    Verdict.FRAGILE,
    Verdict.WARN,
    Verdict.UNDOCUMENTED,
    Verdict.XFAIL,
    Verdict.BLOCKED,
    Verdict.VACUOUS,
    Verdict.NOT_RUN,
    Verdict.IMITATED,
    Verdict.PASS,
    Verdict.UNTESTED,
    Verdict.NOT_APPLICABLE,
)
"""The order of the verdicts, worst first; the verdict of a clause is the worst of its results.

What makes a run fail comes first, the deadliest for a client in front, so that no other result can
hide it. New findings that do not make it fail come before failures that the baseline expects. Then
comes what was left undone (set-up broke, the condition never came up, the run was cut short, an
imitation answered): it stands above PASS because a skip is never a pass, so a clause passes only
where all that was tried of it passed. UNTESTED and NOT_APPLICABLE stand below PASS: they say that
this check has nothing to say about the clause, so another check of the same clause decides.
"""

FAILURES = frozenset(
    {Verdict.CRASH, Verdict.HANG, Verdict.FAIL, Verdict.FLAKY, Verdict.XPASS},
)
"""What makes a run fail; XPASS too, because a stale baseline hides the next break."""

WARNINGS = frozenset({Verdict.FRAGILE, Verdict.WARN})
"""What makes a strict run fail, too: the text does not say it in so many words."""

BROKEN = (FAILURES | WARNINGS | {Verdict.UNDOCUMENTED}) - {Verdict.XPASS}
"""What speaks against the implementation, whether a baseline expects it or not."""

DEATHS = frozenset({Verdict.CRASH, Verdict.HANG, Verdict.FRAGILE})
"""Where a call ended the process, or hung."""

JUDGED = FAILURES | WARNINGS | {Verdict.UNDOCUMENTED, Verdict.XFAIL, Verdict.PASS}
"""Where the implementation itself gave an answer that was held against the clause."""

UNSETTLED = frozenset({Verdict.FLAKY, Verdict.NOT_RUN})
"""What another try may settle: a run that is resumed judges these clauses again."""

OUTSIDE_PERCENTAGES = frozenset({Verdict.NOT_APPLICABLE, Verdict.IMITATED})
"""What no percentage counts; every other clause is applicable, judged or not."""

_MEANINGS = {
    Verdict.CRASH: "a call that has a rule of the text ended the process",
    Verdict.HANG: "a call that has a rule of the text did not come back in its time",
    Verdict.FAIL: "a rule of the text is broken",
    Verdict.FLAKY: "the same input gave different answers",
    Verdict.XPASS: "holds, but the baseline says it fails: update the baseline",
    Verdict.FRAGILE: "a call for which no undisputed `must` holds ended the process, or hung",
    Verdict.WARN: "a rule that follows from the text is broken",
    Verdict.UNDOCUMENTED: "input that no text speaks of was refused with an unlisted status",
    Verdict.XFAIL: "fails as the baseline says",
    Verdict.BLOCKED: "the set-up broke on another clause",
    Verdict.VACUOUS: "the condition was never produced",
    Verdict.NOT_RUN: "selected, but never reached, or ended from outside",
    Verdict.IMITATED: "answered by an imitation of driver, device or profiler: proves nothing",
    Verdict.PASS: "holds for every example tried",
    Verdict.UNTESTED: "declared as not testable here",
    Verdict.NOT_APPLICABLE: "does not concern this release or machine",
}

_RANK = {verdict: rank for rank, verdict in enumerate(WORST_FIRST)}


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the worst of the verdicts, NOT_RUN when there are none."""
    return min(verdicts, key=rank, default=Verdict.NOT_RUN)


def rank(verdict: Verdict) -> int:
    """Return the place of a verdict in the order, 0 for the worst."""
    return _RANK[verdict]
