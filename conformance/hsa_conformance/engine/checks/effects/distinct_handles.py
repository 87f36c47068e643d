"""The check that objects which live at one time have handles of their own."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.valid_calls import ValidCalls
from hsa_conformance.engine.session.session import Session

#: How many objects live at one time, at most.
_MOST: Final = 5


def distinct_check(case: Case, calls: ValidCalls) -> Check:
    """Return the check of one `distinct` clause.

    Most calls are equal: a library that looks for what it has made already finds it.

    Args:
        case: the clause.
        calls: builds calls that succeed.

    """
    clause, function = case.clause, case.function
    [handle] = [p.name for p in function.params if p.ownership == "creates" and p.role == "handle"]

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        scene, builder = Scene(session, draw, clause), _built(session, draw)
        living: list[int] = []
        for _ in range(draw(drawing.integers(2, _MOST))):
            if living and draw(drawing.integers(0, 3)) == 3:
                builder = _built(session, draw)
            answer = session.call_with(function.name, builder.values)
            if not answer.ok:
                raise CannotMake("an equal call is refused, which its other clauses are about")
            new = answer[handle]
            shared = "two objects that live have one handle"
            scene.require(new not in living, shared, f"{new:#x}")
            living.append(new)
        counts.satisfied += 1

    def _built(session: Session, draw: Draw) -> Builder:
        builder = calls.build(session, function, draw)
        calls.require_success(builder)
        return builder

    return Check(clause.id, "objects at one time", body)
