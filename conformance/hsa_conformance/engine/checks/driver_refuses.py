"""The check of calls during which the driver refuses something, whatever the function asks of it.

A few valid calls show which calls of the driver a function makes. Then each kind of them is
refused in processes of their own, at its first and at its last occurrence. A round is: what the
call needs is made, the driver refuses something during it, what it answers is judged, the same call
is made again if it failed, and all is given back. Equal rounds follow, to see what grows. Where it
succeeds although something is refused, properties of the function have to hold all the same.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from hsa_adapters.errors import Ended
from hsa_conformance.engine.check import Check, Counts
from hsa_conformance.engine.checks.refused_effects import RefusedEffects
from hsa_conformance.engine.checks.refused_function import RefusedFunction
from hsa_conformance.engine.checks.refused_rounds import RefusedRounds
from hsa_conformance.engine.generation.fixtures import CannotMake, Draw
from hsa_conformance.engine.judge import Expectation
from hsa_conformance.engine.outcomes import Unavailable
from hsa_conformance.engine.session import Session
from hsa_reports import Verdict

SLUG: Final = "driver-refuses"

#: How many examples there are for each of the profile's, beside one for each way.
_SHARE: Final = 0.2

#: Tickets of a lottery: far more than there are ways.
_MANY: Final = 1 << 10


def driver_refuses_check(of: RefusedFunction, *, thorough: bool) -> Check:
    """Return the check of one `driver-refuses` clause.

    Args:
        of: the function, and what is known of its calls.
        thorough: whether every errno is tried, once and from then on.

    """

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        ticket = draw(st.integers(0, _MANY))
        if not of.ways.complete:
            of.count(session, draw)
            raise CannotMake("the driver was asked, and refused nothing")
        way = of.ways.choose(session.axes, ticket)
        if way is None:
            reason = f"{of.function.name} makes no call that the driver can refuse"
            tried = f"{of.ways.counted} valid calls in processes of their own"
            raise Unavailable(Verdict.NOT_APPLICABLE, f"{reason}, in {tried}")
        try:
            rounds = RefusedRounds(of, session, draw, way)
            rounds.judge(counts)
            if rounds.succeeded:
                RefusedEffects(of, session, draw, way).judge()
        except Ended as end:
            if end.call is not None:
                # Nothing is known of a call after a refusal but what this clause says.
                function = end.call.function
                session.whose(end).expected = Expectation((), function)
            raise

    return Check(
        of.clause.id,
        "refused anything by the driver",
        body,
        initialised=not of.starts,
        fresh=True,
        examples=_SHARE,
        sweeps=True,
        once=not thorough,
    )
