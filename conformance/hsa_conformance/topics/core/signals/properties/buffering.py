"""Whether all threads see operations on two signals in one order: the litmus test store buffering.

Each of two threads stores a number in a signal of its own, and then loads the other one's. In an
order of all four operations the thread whose store comes last finds what the other one stored.
"""

from __future__ import annotations

import struct
from typing import Final

from hsa_adapters.moves import Cell, Delay
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.session.threads.litmus import Move, PlannedCall
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.pace import MOST, ROUNDS, Pace
from hsa_reports import Verdict

proves = Proofs()

_STORE: Final = "hsa_signal_store_screlease"
_LOAD: Final = "hsa_signal_load_scacquire"


@proves("signal/one-order", examples=0.1, once=True, chance=True)
def two_threads_do_not_both_miss_what_the_other_stored(scene: Scene) -> None:
    """Of two threads that store, each to its signal, and load the other's, one finds the store.

    They do it some thousand times, by hsa_signal_store_screlease and hsa_signal_load_scacquire.
    """
    session = scene.session
    if reason := session.process.no_barrier:
        raise Unavailable(Verdict.UNTESTED, reason)
    room = session.place(bytes(3 * 8 * MOST), "room")
    numbers, *seen = (Cell(room + 8 * MOST * n, each=True) for n in range(3))
    session.process.write(room, struct.pack(f"<{MOST}Q", *range(1, MOST + 1)))
    pace = Pace()
    made = met = missed = 0
    for _ in range(ROUNDS):
        times = pace.times
        with session.apart():
            own = [signal(scene), signal(scene)]
            threads = [_moves(own[n], own[1 - n], numbers, seen[n], pace.delays[n]) for n in (0, 1)]
            took = session.litmus(threads, times)
        first, second = (
            struct.unpack(f"<{times}Q", session.process.read(cell.address, 8 * times) or b"")
            for cell in seen
        )
        made += times
        met += len({number for number in first if 0 < number < times})
        # The other thread's store behind the one that was found is the one that was missed.
        missed += sum(
            last < times and second[last] < number for number, last in enumerate(first, 1)
        )
        if met >= pace.enough:
            break
        pace.learn(took, times)
    scene.require(
        not missed,
        f"{missed} of {made} times both threads missed what the other one had stored",
        missed,
    )
    if met < pace.enough:
        raise CannotMake(f"threads met {met} times, which is too few")
    session.overlapping += met
    session.timed += met


def _moves(own: int, other: int, numbers: Cell, seen: Cell, delay: int) -> list[Move]:
    return [
        PlannedCall(_STORE, {"signal": own, "value": 0}, {"value": numbers}),
        PlannedCall(_LOAD, {"signal": other}, result=seen),
        Delay(delay),
    ]
