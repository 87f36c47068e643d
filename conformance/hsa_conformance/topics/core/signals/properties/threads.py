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
from typing import Final

from hsa_adapters.calls import Repeat
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.properties.operations import (
    functions,
    operation_of,
)
from hsa_conformance.topics.core.signals.properties.values import load
from hsa_conformance.topics.shared.fast_threads import fast_threads

proves = Proofs()

#: Calls of the fast thread, at most: far more than it has time for, so that it is the other one
#: that ends first. They change the lower 30 bits alone, sums aside.
FAST: Final = 1 << 30
#: How often two threads meet, each time on another signal.
ROUNDS: Final = 8
#: Calls of the other thread.
SLOW: Final = 31
#: Seconds between those, in which the fast thread gets its turn where both have one core.
GAP: Final = 0.0003
#: The lower half of a value.
HALF: Final = 1 << 32


@dataclass(frozen=True)
class Race:
    """What two threads do to one signal.

    Args:
        initial: the signal's first value.
        first: the operand of the fast thread's first call; it grows by one from call to call.
        slow: the operand of the other thread's n-th call, from 0.
        end: the value in the end, by the number of calls of the fast thread, which is not 0.

    """

    initial: int
    first: int
    slow: Callable[[int], int]
    end: Callable[[int], int]


def _bit(n: int) -> int:
    return 1 << (32 + n)


#: The bits that the other thread sets, clears or toggles, each once.
_BITS: Final = sum(_bit(n) for n in range(SLOW))

#: What a call with 1 adds.
_SUMS: Final[Mapping[str, int]] = {"add": 1, "subtract": -1}

_RACES: Final[Mapping[str, Race]] = {
    "add": Race(0, 1, lambda _: 1 << 40, lambda n: n * (n + 1) // 2 + (SLOW << 40)),
    "subtract": Race(0, 1, lambda _: 1 << 40, lambda n: -(n * (n + 1) // 2) - (SLOW << 40)),
    "and": Race(-1, -FAST, lambda n: ~_bit(n), lambda _: -FAST & ~_BITS),
    "or": Race(0, 1, _bit, lambda n: (1 << n.bit_length()) - 1 | _BITS),
    "xor": Race(0, 1, _bit, lambda n: (n, 1, n + 1, 0)[n % 4] | _BITS),
}


@proves.each(functions(*_RACES), "atomic", examples=0.1)
def operations_of_two_threads_all_take_effect(scene: Scene) -> None:
    """Two threads operate on one signal: in the end its value is what all of them make."""
    race = _RACES[operation_of(scene)]
    for _ in range(ROUNDS):
        beside = scene.clause.function  # of two functions nobody knows whose change is lost
        handle = signal(scene, race.initial)
        _call_beside(scene, beside, handle, race.first, 1, [race.slow(n) for n in range(SLOW)])
        made = scene.session.join().status
        found, wanted = load(scene, handle).status, race.end(made)
        scene.require(
            found == wanted,
            f"after {made} calls in one thread and {SLOW} in another the value is {found:#x} "
            f"instead of {wanted:#x}",
            f"{found:#x}",
        )


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
        beside = scene.clause.function
        handle = signal(scene, -1)
        # The fast thread puts in odd values, whose lower half is never 0.
        values = [n * HALF for n in range(1, SLOW + 1)]
        taken = _call_beside(scene, beside, handle, 1, 2, values)
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
    seen = _call_beside(scene, store, signal(scene), unit, unit)
    made = scene.session.join().status
    for value in seen:
        scene.require(
            value % unit == 0 and 0 <= value // unit <= made,
            f"a load returned {value:#x}, which the signal was never given",
            f"{value:#x}",
        )


def _call_beside(
    scene: Scene, fast: str, handle: int, first: int, step: int, values: Sequence[int] = ()
) -> list[int]:
    """Let a thread call one function fast, call the one under test slowly, and go on.

    Args:
        scene: where the clause is demanded.
        fast: the function of the fast thread, which is still under way in the end.
        handle: the signal of both.
        first: the operand of the fast thread's first call.
        step: by how much it grows.
        values: the operands of the slow calls; none where they have none.

    Returns:
        What the slow calls returned.

    """
    scene.session.start(fast, {"signal": handle, "value": first}, Repeat(FAST, step))
    returned = []
    for n in range(SLOW):
        time.sleep(GAP)
        operand = {"value": values[n]} if values else {}
        returned.append(scene.call(scene.clause.function, signal=handle, **operand).status)
    return returned
