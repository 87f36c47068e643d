"""What tells one cause of failures from another where nobody has named it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from hsa_reports.failure import ASSERTED, Failure
from hsa_reports.place import Place, short
from hsa_reports.result import Result

#: What a C library prints before it aborts for `assert`: file, line, function and condition.
_ASSERTION = re.compile(r":\d+: (?P<function>[^\n]+?): Assertion [`'](?P<what>[^\n]*)' failed")
_CALL = re.compile(r"(hsa_\w+)\(")
_IN_THREADS = re.compile(r"\b(hsa_\w+)(?:\(| in the thread)")
_STATUS = re.compile(r"HSA_\w*STATUS_\w+")
#: How a process ended; what stands for any other manner is a sentence about it.
_ENDS = re.compile(r"SIG[A-Z]|signal \d|exit status \d")
_DIGITS = 8


@dataclass(frozen=True)
class Signature:
    """What all failures of one cause share, and no other run, machine or order changes.

    Args:
        function: what shows it: a function of the API, one of the library's own in which an
            assertion failed, or the instruction at which the process ends.
        manner: what it does: "SIGSEGV", "HANG", "HSA_STATUS_SUCCESS", or "" for a wrong effect.
        within: the clause that it breaks; the condition that was asserted; or the build of the
            library that has the instruction.
        shown: what people read in place of the function and what it is within.
        asserted: whether `within` is a condition that was asserted.

    """

    function: str
    manner: str
    within: str
    shown: str = field(default="", compare=False)
    asserted: bool = field(default=False, compare=False)

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
        if self.shown:
            return f"{self.shown} ends the process with {self.manner}"
        if self.manner == "HANG":
            return f"{self.function} does not return{where}"
        if _STATUS.match(self.manner):
            return f"{self.function} answers {self.manner}{where}"
        if ends(self.manner):
            how = f"{self.manner}, {ASSERTED}" if self.asserted else self.manner
            return f"{self.function} ends the process with {how}{where}"
        if self.manner:
            return f"{self.function} spoils its process: {self.manner}{where}"
        return f"{self.within} does not hold"


def ends(manner: str) -> bool:
    """Return whether a manner is how a process ends; any other of a dead one is why it cannot work.

    Args:
        manner: such as "SIGSEGV", or "its system calls are filtered".

    """
    return _ENDS.match(manner) is not None


def signature(result: Result) -> Signature:
    """Return the signature of a failure.

    Where it is known in which place of the library a process ends, it is the same cause for all
    calls that lead there. A place is the function and condition of a failed assertion, or else one
    instruction: of a function, even of one that has a name, it is not known whether it fails in one
    way only, and names are not known on every machine. Instructions belong to one build of a
    library, so the signature of such a cause does, too; without a build id there is none. Otherwise
    a cause is what one clause does when it breaks. So one defect that breaks several clauses may be
    several causes, but two defects in different places or of different clauses are never one.

    Args:
        result: what a check found.

    """
    subject, _, _ = result.clause.partition("/")
    failure = result.failure
    if failure is None or result.end is None:
        status = _STATUS.match(failure.got if failure else "")
        return Signature(subject, status[0] if status else "", result.clause)
    # Where a hanging process waits is chance, and the same for many causes.
    if result.end != "HANG":
        if asserted := _ASSERTION.search(failure.stderr or ""):
            function, what = short(asserted["function"]), asserted["what"]
            return Signature(function, result.end, what, asserted=True)
        if failure.place and failure.place.build:
            return _instruction(failure.place, failure.place.build, result.end)
    return Signature(_last_call(failure, subject), result.end, result.clause)


def _instruction(place: Place, build: str, end: str) -> Signature:
    where = place.instruction
    shown = f"{short(place.function)} ({where})" if place.function else where
    return Signature(f"at {place.offset:#x}", end, f"build {build}", shown)


def _last_call(failure: Failure, subject: str) -> str:
    """Return the function whose call came last, or the subject among those of several threads."""
    for step in reversed(failure.steps):
        if found := _CALL.match(step.call):
            return found[1]
        if names := dict.fromkeys(_IN_THREADS.findall(step.call)):
            return subject if subject in names else " and ".join(names)
    return subject
