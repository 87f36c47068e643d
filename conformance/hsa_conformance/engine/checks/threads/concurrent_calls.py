"""The check that threads may call a function at one time, as they may one after the other.

Each example has a process of its own, so that its first calls are the first ones of the function
there. What threads call is drawn: the same call, or one of its own each, beside calls of other
functions. Some order of these calls has to explain what they answer, and what they made has to be
there, whole, and can be given back. Equal rounds of them leave nothing behind. Where no other
function is called beside, the process ends by exit in the end, as it does when one thread made the
calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from typing import Final

from hsa_adapters.ends import ORDERLY
from hsa_conformance.engine.calls.outcomes import ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import STATUS
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.growth import Choices, growth, left_behind
from hsa_conformance.engine.checks.threads.histories import Histories
from hsa_conformance.engine.checks.threads.lanes import Lanes
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.valid_calls import ValidCalls
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.library.tool_tables import for_tools
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.tables import unreachable
from hsa_conformance.engine.session.threads import overlap
from hsa_reports import Verdict
from hsa_spec import Clause, Registry

#: Rounds that are added while too few calls overlap, as on a busy machine.
_MORE: Final = 40
#: Rounds after which the process is counted: something has to grow in each of them.
_ROUNDS: Final = 8
#: What grows by chance where threads allocate memory, however much of it they free.
_OF_THREADS: Final = ("bytes of host memory",)
#: How many examples there are for each of the profile's: each of them is a process of its own.
_SHARE: Final = 0.2


def _counted(grown: Mapping[str, int]) -> Mapping[str, int]:
    """Return what of it tells anything: each thread has parts of the heap for itself."""
    return {what: amount for what, amount in grown.items() if what not in _OF_THREADS}


def _end(session: Session, clause: Clause) -> None:
    """Let the process end by exit, if it is the library's alone.

    Raises:
        Violation: it does not end as it was told to.

    """
    with suppress(Unavailable):
        session.need_own_process()
        how = session.end_by("exit").how
        if how != ORDERLY:
            summary = f"a process does not end by exit when threads have called {clause.function}"
            allowed = {clause.states: [clause.id]}
            raise breach(clause, summary, how, allowed)


def threads_check(case: Case, registry: Registry, calls: ValidCalls) -> Check:
    """Return the check of one `threads` clause.

    Args:
        case: the clause.
        registry: the specification.
        calls: builds calls that succeed.

    """
    clause, function = case.clause, case.function
    others = [
        f
        for f in registry.functions.values()
        if f.topic == function.topic and f.result == STATUS
        if unreachable(f) is None and not for_tools(f, registry)
    ]

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        if reason := session.process.no_barrier:
            raise Unavailable(Verdict.UNTESTED, reason)
        lonely = not draw(drawing.booleans())
        lanes = Lanes(session, function, () if lonely else others, calls)
        histories = Histories(session, clause, calls.judge)
        histories.add(lanes.first(draw))
        rounds = Choices(draw)
        begun = False

        def one() -> None:
            nonlocal begun
            again = rounds.again()
            if begun:
                with session.apart():
                    histories.add(lanes.next(again))
            else:
                begun = True
                histories.add(lanes.next(again))

        before = len(session.trace.notes)
        try:
            grown = _counted(growth(session.process, one, _ROUNDS, _ROUNDS))
        except CannotMake:
            if not session.model.lasting:
                raise
            counts.satisfied += 1  # what no call changes back is done once in a process
            return
        for _ in range(_MORE):
            if overlap.is_enough(session.overlapping, session.timed):
                break
            one()
        with suppress(ProvesNothing):
            for varied in chain(lanes.varied(draw), lanes.differing(draw)):
                histories.add_unless_alone(varied)
        with suppress(CannotMake):
            lanes.burst(draw, clause)
        counts.satisfied += 1
        if grown:
            end = len(session.trace.notes)
            whose = "each of many equal rounds of calls of several threads"
            raise left_behind(clause, whose, grown, "nothing", end - before, end)
        if lonely:
            _end(session, clause)

    return Check(
        clause.id, "several threads", body, fresh=True, examples=_SHARE, once=True, chance=True
    )
