"""The check of what a balanced pair of create and destroy leaves behind: nothing that adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.case import KEPT, Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.growth import (
    Choices,
    RunsOut,
    growth,
    in_words,
    left_behind,
)
from hsa_conformance.engine.generation.atoms import of_success
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.demands import KeepsNothing
from hsa_spec import Function, Registry

#: How many examples there are for each of the profile's: each of them is many rounds.
_SHARE = 0.4
#: Bytes of a block that a library hardly cuts out of a larger one.
LARGE: Final = 4 << 20
#: Rounds in which each call is looked at, to see whose is what grows.
_LOOKS = 16
#: In how many of these a function adds to it at least if it is its: a heap grows now and then.
_OWN = _LOOKS // 2
#: No call adds one for certain: a new mapping may join its neighbours, or part them. Bytes tell.
MAPPINGS: Final = "memory mapping"
#: It takes memory of its own when it comes to run, which may be in a later call.
_THREAD: Final = "thread"

#: Does one round: gets a session and what draws, and makes equal calls for equal choices.
Work = Callable[[Session, Draw], None]


def kept_check(case: Case, registry: Registry, repertoire: Repertoire) -> Check:
    """Return the check of one `nothing-kept` clause."""
    clause, function = case.clause, case.function
    ends = ends_runtime(function)

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        rounds = Rounds(session, draw, started if ends else pair(function, repertoire))
        before = len(session.trace.notes)
        makers = [
            name
            for rule in session.rules.clean_up
            if rule.function == function.name
            for name in rule.makers
        ]
        try:
            grown = growth(session.process, rounds.one, makers=makers)
        except RunsOut as lack:
            demand = KeepsNothing(rounds.steps, ())
            raise lack.breach(clause, demand, before + rounds.steps) from None
        counts.satisfied += 1
        if not grown:
            return
        end = len(session.trace.notes)
        if not ends:
            _excuse(session, draw, rounds, function, grown)
        whose = "each of many equal rounds of these calls"
        raise left_behind(clause, whose, grown, "nothing", end - before, end)

    def started(session: Session, draw: Draw) -> None:
        del draw
        start_again(session)
        session.call(function.name)

    def _excuse(
        session: Session, draw: Draw, rounds: Rounds, of: Function, grown: Mapping[str, int]
    ) -> None:
        """Stop where what grows is that of other calls of the rounds.

        Raises:
            Unavailable: it is; BLOCKED where another pair of calls leaves the same behind alone.

        """
        suspects = guilty(session, rounds.one, grown)
        if of.name in suspects or not suspects:
            return
        for other in suspects:
            alone = Rounds(session, draw, pair(registry.functions[other], repertoire))
            same = growth(session.process, alone.one).keys() & grown.keys()
            if same:
                amount = in_words({name: grown[name] for name in same})
                reason = f"{other}/{KEPT}: each round leaves {amount} behind"
                raise Unavailable(Verdict.BLOCKED, reason)
        reason = f"{in_words(grown)} are left behind by {' or '.join(suspects)}, but not alone"
        raise Unavailable(Verdict.UNTESTED, reason)

    return Check(
        clause.id,
        "equal rounds",
        body,
        initialised=not ends,
        fresh=ends,
        examples=_SHARE,
        sweeps=not ends,
        once=not ends,
    )


def ends_runtime(function: Function) -> bool:
    """Return whether what the function gives back is the runtime itself."""
    return not function.params


def start_again(session: Session) -> None:
    """Start the runtime, which may have been shut down before.

    Raises:
        Unavailable: it does not start again.

    """
    if not session.model.initialised_once:
        session.set_up("hsa_init")
    elif not session.call("hsa_init").ok:
        reason = "the runtime does not start again, which hsa_init/starts-again is about"
        raise Unavailable(Verdict.NOT_APPLICABLE, reason)


def pair(function: Function, repertoire: Repertoire) -> Work:
    """Return a round: all that a call needs is made, the call is made, the rest is given back."""
    valid = of_success(function)
    inputs = [p.name for p in function.params if p.direction == "in"]

    def work(session: Session, draw: Draw) -> None:
        session.least = Fixtures(session, draw).each("blocks", {"small": 0, "large": LARGE})
        builder = repertoire.begin(session, function, draw)
        builder.swept_parameters = inputs
        repertoire.satisfy(builder, valid)
        builder.note()
        if not session.call_with(function.name, builder.values).ok:
            raise CannotMake(f"{function.name} refuses what it should take back")
        if not clean_up_both(session):
            raise CannotMake("what else was made cannot be given back")

    return work


class Rounds:
    """Equal rounds in one session; the trace has the first.

    Args:
        session: the process and what is known of it.
        draw: draws the choices of the example; see `generation.drawing`.
        work: one round.

    """

    def __init__(self, session: Session, draw: Draw, work: Work) -> None:
        self._session = session
        self._work = work
        self._choices = Choices(draw)
        self._begun = False
        self.steps = 0  # of the first round

    def one(self) -> None:
        """Do the next round."""
        draw = self._choices.again()
        if not self._begun:
            self._begun = True
            before = len(self._session.trace.notes)
            self._work(self._session, draw)
            self.steps = len(self._session.trace.notes) - before
        else:
            with self._session.apart():
                self._work(self._session, draw)


def guilty(session: Session, one: Callable[[], None], grown: Mapping[str, int]) -> list[str]:
    """Return the functions that destroy objects and give back less than creating these took.

    Args:
        session: the process and what is known of it.
        one: does one more of the rounds.
        grown: what grows.

    """
    rules = session.rules.clean_up
    makers: dict[str, set[str]] = {rule.function: {rule.function} for rule in rules}
    gained: list[dict[str, Counter[str]]] = []
    held, known = session.process.ledger(), _sizes(session)

    def look(function: str, _: Mapping[str, Value]) -> None:
        nonlocal held, known
        now, sizes = session.process.ledger(), _sizes(session)
        by_call = gained[-1].setdefault(function, Counter())
        for name in grown:
            by_call[name] += now.get(name, 0) - held.get(name, 0)
        for rule in rules:
            if sizes.get(rule.kind, 0) > known.get(rule.kind, 0):
                makers[rule.function].add(function)
        held, known = now, sizes

    before, session.observer = session.observer, look
    try:
        for _ in range(_LOOKS):
            gained.append({})
            one()
    finally:
        session.observer = before

    def adds(calls: Iterable[str], name: str) -> int:
        """Return in how many rounds these calls together leave more of it than they found."""
        return sum(
            sum(by_call[call][name] for call in calls if call in by_call) > 0 for by_call in gained
        )

    telling = grown.keys() & {_THREAD} or grown.keys() - {MAPPINGS} or grown.keys()
    return [
        function
        for function, calls in makers.items()
        if any(adds(calls, name) >= _OWN for name in telling)
    ]


def _sizes(session: Session) -> Mapping[str, int]:
    return {kind: len(objects) for kind, objects in session.model.objects.items()}
