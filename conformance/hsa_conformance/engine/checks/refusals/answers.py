"""What a function may answer during which it was refused something, and after that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked, Violation
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.refusals.refusers import Refuser
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Expectation
from hsa_conformance.engine.session.session import Session
from hsa_reports.demands import Answers, Demand, Fills
from hsa_spec import Clause, Function

#: What every function may answer that is refused something: hsa.h gives them this meaning.
_MEANT: Final = ("HSA_STATUS_ERROR_OUT_OF_RESOURCES", "HSA_STATUS_ERROR")
#: What none may answer while the runtime is initialised.
_UNINITIALIZED: Final = "HSA_STATUS_ERROR_NOT_INITIALIZED"


class RefusedAnswers:
    """Judges the answers of one function.

    Args:
        clause: the clause that is blamed.
        function: the function.
        refuser: who refuses it something.

    """

    def __init__(self, clause: Clause, function: Function, refuser: Refuser) -> None:
        self.clause = clause
        self.function = function
        self.refuser = refuser

    def wrong(
        self,
        summary: str,
        got: str,
        allowed: Mapping[str, Sequence[str]],
        demand: Demand | None = None,
        step_count: int | None = None,
    ) -> Violation:
        """Return the breach of the clause: what the call itself owes.

        Args:
            summary: what is wrong, in a sentence.
            got: what was observed.
            allowed: each allowed answer with the clauses that allow it.
            demand: what the last step had to do, as far as a program can tell.
            step_count: how many of the steps show it, where that is not all of them.

        """
        return breach(self.clause, summary, got, allowed, demand=demand, step_count=step_count)

    def wrong_after(
        self,
        summary: str,
        got: str,
        allowed: Mapping[str, Sequence[str]],
        demand: Demand | None = None,
    ) -> Violation:
        """Return the breach of what a refusal must not cost after the call that met it.

        No text says so in as many words; see `wrong`.
        """
        return breach(self.clause, summary, got, allowed, demand=demand, stated=False)

    def blocked_after(self, calls: str, blocked: Blocked, session: Session) -> Exception:
        """Return what is to be raised where a valid call behind a refusal does not succeed.

        Args:
            calls: those that were refused something, such as "calls".
            blocked: the valid call.
            session: the process that it was made in.

        """
        if blocked.end is not None and session.met(blocked.end):
            return blocked.end
        allowed = {"HSA_STATUS_SUCCESS": [self.clause.id]}
        summary = f"after {calls} {self.refuser.met}, {blocked.reason}"
        return self.wrong_after(summary, blocked.got, allowed)

    def check(self, answer: Answer, expected: Expectation) -> None:
        """Judge the answer of a call during which something was refused.

        Args:
            answer: the answer.
            expected: what the registry says of the call where nothing is refused.

        Raises:
            Violation: it is none that fits.

        """
        if answer.ok:
            self._check_success(answer)
            return
        listed = {*self.function.documented, *expected.allowed, *_MEANT} - {_UNINITIALIZED}
        if not expected.open and answer.name not in listed:
            summary = f"answered {answer.name}, which the function does not document"
            allowed = {status: [self.clause.id] for status in sorted(listed)}
            raise self.wrong(summary, answer.name, allowed, Answers(tuple(sorted(listed))))

    def _check_success(self, answer: Answer) -> None:
        success = f"answered SUCCESS although {self.refuser.done}"
        for name in answer.unwritten():
            got, allowed = f"{answer.name}, {name} untouched", {"an output": [self.clause.id]}
            raise self.wrong(f"{success}, and did not write {name}", got, allowed, Fills(name))
        for p in answer.function.params:
            if (p.direction, p.role) == ("out", "handle") and answer.number(p.name) == 0:
                allowed = {"another handle": [self.clause.id]}
                raise self.wrong(f"{success}, and {p.name} is 0", f"{p.name} = 0", allowed)

    def check_again(self, answer: Answer, expected: Expectation) -> None:
        """Judge the answer of the call that failed, made once more with nothing refused.

        Args:
            answer: the answer.
            expected: what the registry says of the call.

        Raises:
            Violation: it is another one.

        """
        if not expected.open and answer.name not in expected.allowed:
            by = self.refuser.by
            summary = f"after a call that {by} made fail, the same call fails without that"
            allowed = {status: [self.clause.id] for status in expected.allowed}
            raise self.wrong_after(summary, answer.name, allowed, Answers(tuple(expected.allowed)))

    def check_ended(self, answer: Answer) -> None:
        """Judge the answer of hsa_shut_down after a call that did not start the runtime.

        Args:
            answer: the answer.

        Raises:
            Violation: there was something to shut down.

        """
        if answer.name != _UNINITIALIZED:
            summary = f"after {self.function.name} failed, there is a runtime to shut down"
            allowed = {_UNINITIALIZED: [self.clause.id]}
            raise self.wrong_after(summary, answer.name, allowed, Answers((_UNINITIALIZED,)))
