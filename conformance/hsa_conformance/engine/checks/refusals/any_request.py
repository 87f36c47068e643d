"""The check of calls during which something is refused, whatever the function asks for.

The driver refuses it, or the C library, which has no memory left. A few valid calls show what a
function asks for. Then each kind of that is refused in processes of their own, at its first and at
its last occurrence. A round is: what the call needs is made, something is refused during it, what
it answers is judged, the same call is made again if it failed, and all is given back. Equal rounds
follow, to see what grows. Where it succeeds although something is refused, properties of the
function have to hold all the same.
"""

from __future__ import annotations

from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.refusals.effects import RefusedEffects
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.checks.refusals.refused_rounds import RefusedRounds
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.judge import Expectation
from hsa_conformance.engine.session.session import Session

#: How many examples there are for each of the profile's, beside one for each way.
_SHARE: Final = 0.2

#: Tickets of a lottery: far more than there are ways.
_MANY: Final = 1 << 10


def refused_check(of: RefusedFunction, name: str, *, thorough: bool) -> Check:
    """Return the check of a clause about calls during which something is refused.

    Args:
        of: the function, and what is known of its calls.
        name: of the check.
        thorough: whether everything is tried, once and from then on.

    """

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        ticket = draw(drawing.integers(0, _MANY))
        counting = not of.ways.complete
        if counting:
            of.count(session, draw)
        if of.ways.asks_nothing:
            raise of.refuser.nothing(of.function.name, of.ways.counted)
        if counting:
            raise CannotMake("requests were counted, and nothing was refused")
        way = of.ways.choose(session.axes, ticket)
        rounds = RefusedRounds(of, session, draw, way)
        try:
            rounds.judge(counts)
            RefusedEffects(of, session, draw, way).judge(succeeded=rounds.succeeded)
        except Ended as end:
            if end.call is not None:
                # Nothing is known of a call after a refusal but what this clause says.
                unknown = Expectation((), end.call.function)
                session.whose(end).expected = of.expectation if rounds.under_way else unknown
            raise

    return Check(
        of.clause.id,
        name,
        body,
        initialised=not of.starts,
        fresh=True,
        examples=_SHARE,
        sweeps=True,
        once=not thorough,
    )
