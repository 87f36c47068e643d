"""Equal rounds: a piece of work is done again and again, and what grows each time is kept.

A library may keep what it needs again: what the first rounds leave is no growth. So the process is
counted after each round but the first ones: descriptors, mappings, threads, bytes of the heap, and
what an imitated driver holds (`hsa_adapters.worker.resources.ledger`). What there is more of after
nearly every one of them has grown. Where what is kept is a place in a table of the library, nothing
grows, but one of the rounds is the first that lacks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hsa_adapters.protocol import Process
from hsa_conformance.engine.calls.outcomes import Blocked, Violation
from hsa_conformance.engine.generation.drawing import Choice, Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.statuses import OUT_OF_RESOURCES, SUCCESS
from hsa_reports.demands import Demand, KeepsNothing
from hsa_spec import Clause

#: Rounds in which a library may fill what it keeps for later ones.
WARM_UP: Final = 2
#: Rounds after which the process is counted.
ROUNDS: Final = 16
#: In how many of these something has to grow.
ENOUGH: Final = 14

_BYTES: Final = "bytes of "


@dataclass
class Choices:
    """Draws once, and gives what was drawn again in each later round.

    Args:
        draw: draws the choices of the example; see `generation.drawing`.

    """

    draw: Draw
    objects: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Return what is the same for equal choices."""
        return repr([value for _, value in self.objects])

    def again(self) -> Draw:
        """Return what draws the choices of the first round again, in their order.

        In the first round it draws them.
        """
        if not self.objects:
            return self._first
        left = iter(self.objects)

        def repeat(choice: Choice[Any]) -> Any:  # noqa: ANN401 - what was drawn
            options, value = next(left, (None, None))
            if options != repr(choice):
                raise CannotMake("equal choices led to unequal rounds")
            return value

        return repeat

    def _first(self, choice: Choice[Any]) -> Any:  # noqa: ANN401 - what is drawn
        value = self.draw(choice)
        self.objects.append((repr(choice), value))
        return value


class RunsOut(CannotMake):
    """A call that made an object before lacks resources, although all was given back since.

    Args:
        function: what is called.

    """

    def __init__(self, function: str) -> None:
        super().__init__(f"{function} lacks resources")
        self.function = function

    def breach(self, clause: Clause, demand: Demand, step_count: int | None = None) -> Violation:
        """Return the breach of a clause about what calls leave behind; see `engine.judging`."""
        return breach(
            clause,
            f"an equal call succeeded before, and all was given back: {self}",
            f"{self.function} answered {OUT_OF_RESOURCES}",
            {SUCCESS: [clause.id]},
            demand=demand,
            step_count=step_count,
        )


def growth(
    process: Process,
    work: Callable[[], None],
    rounds: int = ROUNDS,
    enough: int = ENOUGH,
    prepare: Callable[[], None] | None = None,
    makers: Collection[str] = (),
) -> Mapping[str, int]:
    """Do a piece of work in equal rounds; return what grows, and by how much each time.

    Args:
        process: where it is done.
        work: one round.
        rounds: how many rounds there are after those that warm up.
        enough: in how many of these something has to grow.
        prepare: what comes before each round, and may grow.
        makers: functions that make what each round gives back.

    Returns:
        The growth by what one of the things is called; nothing where all is well.

    Raises:
        RunsOut: one of the makers is refused, after it succeeded in earlier rounds.

    """
    done = 0

    def one() -> None:
        nonlocal done
        try:
            work()
        except Blocked as blocked:
            function = blocked.clause.partition("/")[0]
            if not done or blocked.got != OUT_OF_RESOURCES or function not in makers:
                raise
            raise RunsOut(function) from None
        done += 1

    for _ in range(WARM_UP):
        if prepare is not None:
            prepare()
        one()
    before, grown, more = process.ledger(), Counter[str](), Counter[str]()
    for round_ in range(1, rounds + 1):
        if prepare is not None:
            prepare()
            before = process.ledger()
        one()
        now = process.ledger()
        for name, count in now.items():
            gained = count - before.get(name, 0)
            more[name] += gained
            grown[name] += gained > 0
        if max(grown.values(), default=0) < enough - (rounds - round_):
            return {}  # the rounds that are left are too few
        before = now
    return {
        name: max(1, round(more[name] / rounds)) for name, times in grown.items() if times >= enough
    }


def in_words(grown: Mapping[str, int]) -> str:
    """Return what grew in words, such as "2 file descriptors and 48 bytes of host memory"."""
    words = [_amount(name, count) for name, count in sorted(grown.items())]
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def left_behind(
    clause: Clause,
    whose: str,
    grown: Mapping[str, int],
    allowed: str,
    steps: int,
    step_count: int,
    *,
    stated: bool = True,
) -> Violation:
    """Return the breach of a clause about what calls leave behind.

    Args:
        clause: the clause.
        whose: whose remains they are, such as "each failing call".
        grown: what grows, and by how much each time.
        allowed: what would be right, such as "nothing".
        steps: how many steps of the trace a round has.
        step_count: how many steps there are at the end of the round that the trace has.
        stated: whether a text says in as many words that calls must not leave this behind.

    """
    amount = in_words(grown)
    summary = f"{whose} leaves {amount} behind"
    return breach(
        clause,
        summary,
        amount,
        {allowed: [clause.id]},
        demand=KeepsNothing(steps, tuple(sorted(grown))),
        step_count=step_count,
        stated=stated,
    )


def _amount(name: str, count: int) -> str:
    if name.startswith(_BYTES):
        return f"{count} {name}"
    thing, of, rest = name.partition(" of ")
    return f"1 {name}" if count == 1 else f"{count} {thing}s{of}{rest}"
