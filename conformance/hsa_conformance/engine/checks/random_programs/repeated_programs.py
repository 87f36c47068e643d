"""The checks of a long life: random programs of calls, each made again and again in one process.

A program makes objects of several kinds and gives them back, in equal rounds. The process is
counted after each, and its processor time is read. What a call leaves behind now and then is no
growth in the few rounds of `kept`, and is one in thousands.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from hsa_adapters import interrupts
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable, Violation
from hsa_conformance.engine.checks.case import KEPT, SLOWER, Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects import leaks
from hsa_conformance.engine.checks.growth import growth
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_spec import Clause, Registry

#: How many programs share the time of a long run, and how many pairs of calls each has at most.
PROGRAMS: Final = 3
LONGEST: Final = 8
#: In so many windows a run is cut, once its first tenth was left out, of at least so many rounds.
WINDOWS: Final = 16
LEAST: Final = 4
#: By how much rounds have to be slower in the end. Less may be the machine's doing.
SLOWDOWN: Final = 1.25

_TIME: Final = "seconds of processor time"


@dataclass(frozen=True)
class Trend:
    """What rises from window to window, without exception.

    A quantity that changes by chance does so once in 32768 runs, if each step is as likely to be up
    as down: the least of a window leaves out what comes and goes.

    Args:
        first: its least value in the first window.
        last: that in the last one.
        rounds: how many rounds are between them.

    """

    first: float
    last: float
    rounds: int

    @property
    def slope(self) -> float:
        """By how much it rises in each round."""
        return (self.last - self.first) / self.rounds


def trend(values: Sequence[float]) -> Trend | None:
    """Return how a quantity rises, None where it does not.

    Args:
        values: what it was after each round; at least LEAST * WINDOWS of them behind a tenth.

    """
    settled = values[len(values) // 10 :]
    size = len(settled) // WINDOWS
    least = [min(settled[n * size : (n + 1) * size]) for n in range(WINDOWS)]
    rises = all(later > earlier for earlier, later in pairwise(least))
    return Trend(least[0], least[-1], (WINDOWS - 1) * size) if rises else None


def trends(series: Mapping[str, Sequence[float]], slug: str) -> Mapping[str, Trend]:
    """Return what rises of what a clause is about: holdings, or the time of a round."""
    found = {
        name: rising
        for name, values in series.items()
        if (name == _TIME) is (slug == SLOWER) and (rising := trend(values)) is not None
    }
    return {n: t for n, t in found.items() if n != _TIME or t.last >= SLOWDOWN * t.first}


def program_check(case: Case, registry: Registry, repertoire: Repertoire) -> Check:
    """Return the check of one of the clauses about long lives."""
    clause = case.clause

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        share = session.length / PROGRAMS
        pairs = _pairs(session, draw, registry, repertoire)
        fixtures = Fixtures(session, draw)
        program = [fixtures.one_of(sorted(pairs)) for _ in range(LONGEST)]

        def one() -> None:
            for name in program:
                pairs[name]()

        found = trends(_observed(session, one, share), clause.slug)
        counts.satisfied += 1
        if not found:
            return
        kinds = sorted(set(program))
        alone = [n for n in kinds if _rises_alone(session, pairs[n], share / 2, clause.slug)]
        raise _violation(clause, found, alone if len(kinds) > 1 else kinds, kinds)

    return Check(
        clause.id,
        "programs",
        body,
        fresh=True,
        examples=PROGRAMS / 10,
        once=True,
    )


def _rises_alone(session: Session, work: Callable[[], None], seconds: float, slug: str) -> bool:
    """Return whether a pair of calls raises something by itself, as far as the time tells."""
    try:
        return bool(trends(_observed(session, work, seconds), slug))
    except CannotMake:
        return False


def _pairs(
    session: Session, draw: Draw, registry: Registry, repertoire: Repertoire
) -> Mapping[str, Callable[[], None]]:
    """Return what makes and gives back an object in equal rounds, by the function that takes it.

    Raises:
        Unavailable: nothing can be made here.

    """
    found: dict[str, Callable[[], None]] = {}
    for name, function in registry.functions.items():
        kept_clause = f"{name}/{KEPT}" in registry.clauses and bool(function.params)
        if not kept_clause or function.stable or not session.offers(name):
            continue
        rounds = leaks.Rounds(session, draw, leaks.pair(function, repertoire))
        try:
            rounds.one()
            grown = growth(session.process, rounds.one)
        except (ProvesNothing, Unavailable, Blocked):
            continue  # why it cannot be made, its own clauses tell
        if not grown:  # nor is what grows at once told a second time
            found[name] = rounds.one
    if not found:
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "there is nothing that can be made and given back"
        )
    return found


def _observed(
    session: Session, work: Callable[[], None], seconds: float
) -> Mapping[str, Sequence[float]]:
    """Do a piece of work for some time; return what was there after each round, and its time.

    Raises:
        CannotMake: there was time for too few rounds.

    """
    end = time.monotonic() + seconds
    series: dict[str, list[float]] = {}
    spent = session.process.spent()
    while time.monotonic() < end:
        interrupts.checkpoint()
        work()
        before, spent = spent, session.process.spent()
        for name, count in {**session.process.ledger(), _TIME: spent - before}.items():
            series.setdefault(name, []).append(count)
        spent = session.process.spent()
    rounds, wanted = len(series.get(_TIME, ())), WINDOWS * LEAST * 10 // 9 + 1
    if rounds < wanted:
        raise CannotMake(f"there was time for {rounds} of {wanted} rounds: give --for more")
    return series


def _violation(
    clause: Clause, found: Mapping[str, Trend], alone: Sequence[str], program: Sequence[str]
) -> Violation:
    words = [
        f"{name} from {t.first:.6g} to {t.last:.6g} in {t.rounds} rounds, {t.slope:.3g} in each"
        for name, t in sorted(found.items())
    ]
    whose = f"of {', '.join(alone)}" if alone else f"of {', '.join(program)} together"
    return breach(
        clause,
        f"equal rounds {whose} raise {'; '.join(words)}",
        " and ".join(sorted(found)),
        {clause.states: [clause.id]},
    )
