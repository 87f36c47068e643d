"""Operations on one signal from two threads at once.

One thread calls again and again as fast as it can. Meanwhile the other one makes its calls one by
one, and what they do must be found in the end: an operation that reads and writes in two steps
loses what came between. Sums of two threads that are as fast as each other lose it also where a
processor takes the two steps in one instruction.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from hsa_adapters.calls import Repeat
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.properties.operations import (
    functions,
    operation,
    operation_of,
)
from hsa_conformance.topics.core.signals.properties.values import load
from hsa_conformance.topics.shared.fast_threads import fast_threads
from hsa_conformance.topics.shared.losses import Loss, loss_beside_others, require_no_loss

proves = Proofs()

#: Calls of the fast thread, at most: far more than it has time for, so that it is the other one
#: that ends first. They change the lower half of the value alone, sums of two fast ones aside.
FAST: Final = 1 << 30
#: How often two threads meet, each time on another signal.
ROUNDS: Final = 8
#: Calls of the other thread.
SLOW: Final = 31
#: Seconds between those, in which the fast thread gets its turn where both have one core.
GAP: Final = 0.0003
#: The lower half of a value.
HALF: Final = 1 << 32


def _bit(n: int) -> int:
    return 1 << (32 + n)


#: The bits that the slow thread sets, clears or toggles, each once.
_BITS: Final = sum(_bit(n) for n in range(SLOW))


@dataclass(frozen=True)
class Slow:
    """What the slow thread makes of the upper half of a value.

    Args:
        initial: the upper half at first.
        operand: the operand of its n-th call, from 0, which leaves the lower half as it is.
        end: the upper half in the end.

    """

    initial: int
    operand: Callable[[int], int]
    end: int


@dataclass(frozen=True)
class Fast:
    """What the fast thread makes of the lower half of a value.

    Args:
        initial: the lower half at first.
        first: the operand of its first call, which leaves the upper half as it is.
        step: by how much it grows from call to call.
        end: the lower half in the end, by the number of its calls, which is not 0.

    """

    initial: int
    first: int
    step: int
    end: Callable[[int], int]


_SLOW: Final[Mapping[str, Slow]] = {
    "add": Slow(0, lambda _: HALF, SLOW * HALF),
    "subtract": Slow(SLOW * HALF, lambda _: HALF, 0),
    "and": Slow(_BITS, lambda n: ~_bit(n), 0),
    "or": Slow(0, _bit, _BITS),
    "xor": Slow(0, _bit, _BITS),
}

_FAST: Final[Mapping[str, Fast]] = {
    "add": Fast(0, 1, 0, lambda n: n),
    "subtract": Fast(FAST, 1, 0, lambda n: FAST - n),
    "and": Fast(HALF - 1, -FAST, 1, lambda _: -FAST % HALF),
    "or": Fast(0, 1, 1, lambda n: (1 << n.bit_length()) - 1),
    "xor": Fast(0, 1, 1, lambda n: (n, 1, n + 1, 0)[n % 4]),
}

#: What a call with 1 adds.
_SUMS: Final[Mapping[str, int]] = {"add": 1, "subtract": -1}


@proves.each(functions(*_SLOW), "atomic", examples=0.1)
def operations_of_two_threads_all_take_effect(scene: Scene) -> None:
    """Two threads operate on one signal: in the end its value is what all of them make."""
    own = scene.clause.function
    for _ in range(ROUNDS // 2):
        require_no_loss(scene, _loss(scene, own, own))


@proves.each(functions(*_SLOW), "atomic", examples=0.1)
def other_operations_beside_it_take_effect(scene: Scene) -> None:
    """Another thread makes another operation: nothing is lost, or that one loses changes as well.

    A function is at fault that loses changes beside most others, if these lose none among
    themselves.
    """
    own, others = scene.clause.function, functions(*_SLOW)
    lost = loss_beside_others(scene, own, others, partial(_loss, scene), ROUNDS // 2)
    require_no_loss(scene, lost)


def _loss(scene: Scene, slow: str, fast: str) -> Loss | None:
    """Let two threads operate on one signal; return what is lost, None if nothing is."""
    upper, lower = _SLOW[operation(slow)], _FAST[operation(fast)]
    handle = signal(scene, upper.initial + lower.initial)
    operands = [upper.operand(n) for n in range(SLOW)]
    _call_beside(scene, slow, fast, handle, (lower.first, lower.step), operands)
    made = scene.session.join().status
    found, wanted = load(scene, handle).status % 2**64, upper.end + lower.end(made)
    if found == wanted:
        return None
    made_by = f"{made} calls of {fast} in one thread and {SLOW} of {slow} in another"
    return Loss(f"after {made_by} the value is {found:#x} instead of {wanted:#x}", f"{found:#x}")


@proves.each(functions(*_SUMS), "atomic", examples=0.1, once=True)
def sums_of_two_fast_threads_lose_nothing(scene: Scene) -> None:
    """Two threads add to a signal, or subtract, as fast as they can: nothing of it is lost."""
    handle, sign = signal(scene, 0), _SUMS[operation_of(scene)]
    arguments = [{"signal": handle, "value": value} for value in (1, HALF)]
    for made in fast_threads(scene, scene.clause.function, arguments):
        found, wanted = load(scene, handle).status, sign * made * (1 + HALF)
        scene.require(
            found == wanted,
            f"after {made} calls in each of two threads the value is {found:#x} instead of "
            f"{wanted:#x}",
            f"{found:#x}",
        )


@proves.each(functions("exchange"), "atomic", examples=0.1)
def exchanged_values_are_neither_lost_nor_seen_twice(scene: Scene) -> None:
    """Two threads exchange values: each is returned by one later exchange, or is the last.

    One thread puts in values whose lower half is 0, and the other says how many it took.
    """
    for _ in range(ROUNDS):
        own, handle = scene.clause.function, signal(scene, -1)
        # The fast thread puts in odd values, whose lower half is never 0.
        values = [n * HALF for n in range(1, SLOW + 1)]
        taken = _call_beside(scene, own, own, handle, (1, 2), values)
        fast = scene.session.join()
        taken.append(load(scene, handle).status)
        once = len(set(taken)) == len(taken)
        scene.require(once, "a value is returned or there in the end, and returned again", taken)
        found = fast.zeros + sum(value % HALF == 0 for value in taken)
        scene.require(
            found == SLOW,
            f"of {SLOW} values that one thread put in, {found} were taken out or are there in the "
            "end",
            found,
        )


@proves.each(functions("load"), "sees-store")
def a_load_beside_stores_returns_one_of_them(scene: Scene) -> None:
    """A load beside another thread's stores gives one of the stored values, never a mixture.

    What is stored are multiples of a number that changes both halves of the value.
    """
    unit = scene.choose([HALF + 1, -HALF - 1])
    store = scene.choose(list(functions("store")))
    seen = _call_beside(scene, scene.clause.function, store, signal(scene), (unit, unit))
    made = scene.session.join().status
    for value in seen:
        scene.require(
            value % unit == 0 and 0 <= value // unit <= made,
            f"a load returned {value:#x}, which the signal was never given",
            f"{value:#x}",
        )


def _call_beside(
    scene: Scene,
    slow: str,
    fast: str,
    handle: int,
    growing: tuple[int, int],
    values: Sequence[int] = (),
) -> list[int]:
    """Let a thread call one function fast, call another slowly, and go on.

    Args:
        scene: where the clause is demanded.
        slow: the function that is called slowly.
        fast: the function of the fast thread, which is still under way in the end.
        handle: the signal of both.
        growing: the operand of the fast thread's first call, and by how much it grows.
        values: the operands of the slow calls; none where they have none.

    Returns:
        What the slow calls returned.

    """
    first, step = growing
    scene.session.start(fast, {"signal": handle, "value": first}, Repeat(FAST, step))
    returned = []
    for n in range(SLOW):
        time.sleep(GAP)
        operand = {"value": values[n]} if values else {}
        returned.append(scene.call(slow, signal=handle, **operand).status)
    return returned
