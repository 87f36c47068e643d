"""Changes that two threads make to one value: which function loses some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.fixtures import places
from hsa_reports import Verdict

#: How many other functions are drawn, and how many of them have to agree that none is at fault.
_OTHERS: Final = 7
_AGREEING: Final = 4
#: How often the function is tried beside each, since a loss is chance.
_TRIES: Final = 4


@dataclass(frozen=True)
class Loss:
    """What is lost.

    Args:
        summary: what is wrong, in a sentence.
        found: the value in the end.

    """

    summary: str
    found: str


def loss_beside_others(
    scene: Scene,
    own: str,
    functions: Iterable[str],
    lost: Callable[[str, str], Loss | None],
    rounds: int,
) -> Loss | None:
    """Return what a function loses beside others, None if it loses nothing or another may be wrong.

    Of two functions at one time nobody knows which one loses a change. One that loses some beside
    most others is wrong, if these lose none among themselves.

    Args:
        scene: where the clause is demanded.
        own: the function under test.
        functions: those that may be called beside it.
        lost: lets one thread call a function slowly and another call one fast; returns what is
            lost. A fast function that is wrong spends much of its time between its two steps.
        rounds: how many others are tried, if nothing is lost.

    Raises:
        Unavailable: the library offers no other of the functions.

    """
    offered = [f for f in functions if f == own or scene.session.offers(f)]
    place = offered.index(own)
    others = offered[place + 1 :] + offered[:place]
    if not others:
        raise Unavailable(
            Verdict.NOT_APPLICABLE, f"the library offers no other function like {own}"
        )
    number = min(_OTHERS, len(others))
    # Functions of one operation stand together in the list: far apart, they have little in common.
    first, step = scene.draw(places(len(others))), max(1, len(others) // number)
    drawn = [others[(first + step * n) % len(others)] for n in range(number)]
    for other in drawn[:rounds]:
        if (found := lost(other, own)) is not None:
            losing = [o for o in drawn if any(lost(o, own) for _ in range(_TRIES))]
            agreeing = losing[:_AGREEING]
            most = len(agreeing) == _AGREEING and 2 * len(losing) > len(drawn)
            alone = most and not any(lost(*pair) for pair in permutations(agreeing, 2))
            return found if alone else None
    return None


def require_no_loss(scene: Scene, lost: Loss | None) -> None:
    """Require that nothing is lost.

    Raises:
        Violation: something is.

    """
    summary, found = ("", "") if lost is None else (lost.summary, lost.found)
    scene.require(lost is None, summary, found)
