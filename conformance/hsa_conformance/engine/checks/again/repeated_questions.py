"""The check that asking leaves nothing behind, whatever is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine.checks.again.questions import Question, questions
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.growth import growth, left_behind
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.session.session import Session

#: How many examples there are for each of the profile's: each of them asks many times.
_SHARE: Final = 0.4


def asking_check(case: Case, judge: Judge, repertoire: Repertoire) -> Check:
    """Return the check of the `nothing-kept` clause of a function that only tells something.

    Args:
        case: the clause.
        judge: knows what the registry says of a call.
        repertoire: makes conditions hold.

    """
    clause, function = case.clause, case.function

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        builder = repertoire.begin(session, function, draw)
        repertoire.satisfy(builder, case.valid)
        asked = questions(builder, judge, changing=True)
        if not asked:
            raise CannotMake("no text says what the object tells")
        grown = _growth(session, asked)
        counts.satisfied += 1
        if not grown:
            return
        # A library may keep what it needs for each of many: one of them says more.
        for question in asked:
            if alone := _growth(session, [question]):
                asked, grown = [question], alone
                break
        before = len(session.trace.notes)
        _ask_all(session, asked)
        end = len(session.trace.notes)
        words = asked[0].words if len(asked) == 1 else function.name
        whose = f"each of many equal questions for {words}"
        raise left_behind(clause, whose, grown, "nothing", end - before, end)

    return Check(clause.id, "asked many times", body, examples=_SHARE, sweeps=True, once=True)


def _growth(session: Session, asked: Sequence[Question]) -> Mapping[str, int]:
    """Return what grows each time that questions are asked, and by how much."""
    with session.apart():
        return growth(session.process, lambda: _ask_all(session, asked))


def _ask_all(session: Session, asked: Sequence[Question]) -> None:
    for question in asked:
        with session.scratch.lent():
            session.call_with(question.function.name, question.values)
