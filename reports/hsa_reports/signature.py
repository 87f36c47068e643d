"""What tells one cause of failures from another where nobody has named it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from hsa_reports.events import Failure, Result

#: What a C library prints before it aborts for `assert`: file, line, function and condition.
_ASSERTION = re.compile(r":\d+: (?P<function>[^\n]+?): Assertion [`'](?P<what>[^\n]*)' failed")
_CALL = re.compile(r"(hsa_\w+)\(")
_STATUS = re.compile(r"HSA_\w*STATUS_\w+")
_DIGITS = 8


@dataclass(frozen=True)
class Signature:
    """What all failures of one cause share, and no other run, machine or order changes.

    Args:
        function: what shows it: a function of the API or, for a place, one of the library's own.
        manner: what it does: "SIGSEGV", "HANG", "HSA_STATUS_SUCCESS", or "" for a wrong effect.
        within: the clause that it breaks; of a place where the process ends, the condition that
            was asserted there.

    """

    function: str
    manner: str
    within: str

    @property
    def id(self) -> str:
        """Return its permanent id: words for people, and a hash of all that it is."""
        key = "\n".join((self.function, self.manner, self.within))
        mark = hashlib.sha256(key.encode()).hexdigest()[:_DIGITS]
        manner = self.manner.removeprefix("HSA_STATUS_") or self.within.partition("/")[2]
        words = re.sub(r"[^a-z0-9_]+", "-", f"{self.function} {manner}".lower())
        return f"{words.strip('-')}-{mark}"

    @property
    def title(self) -> str:
        """Return what is wrong, in one line."""
        where = f" ({self.within})" if self.within else ""
        if self.manner == "HANG":
            return f"{self.function} does not return{where}"
        if _STATUS.match(self.manner):
            return f"{self.function} answers {self.manner}{where}"
        if self.manner:
            return f"{self.function} ends the process with {self.manner}{where}"
        return f"{self.within} does not hold"


def signature(result: Result) -> Signature:
    """Return the signature of a failure.

    Where a failed assertion says in which function of the library a process ends, it is the same
    cause for all calls that lead there. Otherwise a cause is what one clause does when it breaks.
    So one defect that breaks several clauses may be several causes, but two defects in different
    places or of different clauses are never one.

    Args:
        result: what a check found.

    """
    subject, _, _ = result.clause.partition("/")
    failure = result.failure
    if failure is None or result.end is None:
        status = _STATUS.match(failure.got if failure else "")
        return Signature(subject, status[0] if status else "", result.clause)
    # Where a hanging process waits is chance, and the same for many causes.
    place = None if result.end == "HANG" else _place(failure)
    if place is not None:
        return Signature(place[0], result.end, place[1])
    return Signature(_last_call(failure) or subject, result.end, result.clause)


def _place(failure: Failure) -> tuple[str, str] | None:
    """Return in which function of the library a process ended, and what was asserted there."""
    asserted = _ASSERTION.search(failure.stderr or "")
    return (_short(asserted["function"]), asserted["what"]) if asserted else None


def _short(function: str) -> str:
    """Return the name of a C++ function with its class, without namespaces, types and arguments."""
    words = function.partition("(")[0].split()
    return "::".join((words or [function])[-1].split("::")[-2:])


def _last_call(failure: Failure) -> str | None:
    calls = [found[1] for step in failure.steps if (found := _CALL.match(step.call))]
    return calls[-1] if calls else None
