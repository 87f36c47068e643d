"""What operations on signals order: message passing with each of them on its side."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from hsa_adapters.moves import Copy
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Data, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.session.threads.litmus import Move, PlannedCall
from hsa_conformance.topics.core.agents.state import agents
from hsa_conformance.topics.core.signals.generators import group
from hsa_conformance.topics.core.signals.pace import ROUNDS, Pace
from hsa_conformance.topics.core.signals.passing import (
    GUESSED,
    SEEN,
    SIZE,
    Room,
    Round,
    RoundResult,
)
from hsa_conformance.topics.core.signals.properties.operations import ARITHMETIC, functions
from hsa_conformance.topics.core.signals.properties.waits import FOREVER, LEAST
from hsa_reports import Verdict

proves = Proofs()

_RELEASING: Final = ("screlease", "release", "scacq_screl", "acq_rel")
_ACQUIRING: Final = ("scacquire", "acquire", "scacq_screl", "acq_rel")
#: Operations that tell nothing of the value.
_VOID: Final = ("add", "subtract", "and", "or", "xor")
_GROUP_WAIT: Final = "hsa_signal_group_wait_any_scacquire"


def _named(orders: Sequence[str], *operations: str) -> list[str]:
    """Return the functions of some operations that have one of these orders."""
    every = functions(*operations)
    return [name for name in every if any(name.endswith(f"_{order}") for order in orders)]


@proves.each(
    _named(_RELEASING, "store", "silent_store", "exchange", "cas", *_VOID),
    "order",
    examples=0.1,
    once=True,
    chance=True,
)
def what_is_stored_before_a_message_is_there_with_it(scene: Scene) -> None:
    """Who sees a value that the call gives a signal finds what was stored before the call.

    A thread stores a number, in memory or by a relaxed store to another signal, and makes the call,
    some thousand times. Another thread loads the signal's value, and then the number.
    """
    operation = _operation(scene)
    _pass_messages(scene, lambda test: test.sending(scene.clause.function, operation))


@proves.each(
    [*_named(_ACQUIRING, "load", "wait", "exchange", "cas"), _GROUP_WAIT],
    "order",
    examples=0.1,
    once=True,
    chance=True,
)
def what_is_loaded_behind_a_message_is_as_new(scene: Scene) -> None:
    """Whom the call tells a value finds what was stored before the signal was given that value.

    A thread stores a number, in memory or in another signal, and then a value, some thousand times.
    Another thread makes the call, and then loads the number; where that is in a signal, by a
    relaxed load.
    """
    moves = _CALLS[_operation(scene)]
    guessed = moves is _compared
    _pass_messages(scene, lambda test: test.receiving(moves(scene, test), guessed=guessed))


@proves.each(_named(_ACQUIRING, *_VOID), "order", examples=0.1, once=True, chance=True)
def what_is_loaded_behind_a_change_is_as_new(scene: Scene) -> None:
    """Who changes a value by the call finds what was stored before the signal was given that value.

    A thread stores a number, in memory or in another signal, and then exchanges the value, some
    thousand times: it learns which call has changed the one before. Another thread makes the call,
    and then loads the number; where that is in a signal, by a relaxed load.
    """
    _pass_messages(scene, lambda test: test.meeting(scene.clause.function))


def _operation(scene: Scene) -> str:
    """Return the operation of the function whose clause is proved."""
    name = scene.clause.function.removeprefix("hsa_signal_")
    every = ("silent_store", "group_wait", *ARITHMETIC, "cas", "load", "wait")
    return next(o for o in every if name.startswith(f"{o}_"))


def _pass_messages(scene: Scene, make: Callable[[Round], RoundResult]) -> None:
    """Pass messages until enough were met, and require that none came before its number."""
    session = scene.session
    if reason := session.process.no_barrier:
        raise Unavailable(Verdict.UNTESTED, reason)
    chance = Random(scene.draw(drawing.integers(0, (1 << 32) - 1)))
    room = Room(session.place(bytes(SIZE), "room"))
    pace = Pace()
    met = [0, 0]
    for number in range(2 if session.alone else ROUNDS):
        where = number % 2
        if met[where] >= pace.enough:
            continue
        with session.apart():
            received = make(_round(scene, room, chance, pace, in_signal=where == 1))
            _require_none_early(scene, received, ("memory", "another signal")[where])
        met[where] += received.met
        pace.learn(received.took, received.of)
    if min(met) < pace.enough and not session.alone:
        raise CannotMake(
            f"{min(met)} messages were received while others were still to come, which is too few"
        )
    session.overlapping += sum(met)
    session.timed += sum(met)


def _require_none_early(scene: Scene, received: RoundResult, where: str) -> None:
    early = received.early
    left, found = early[0] if early else (0, 0)
    scene.require(
        not early,
        f"{len(early)} of {len(received.pairs)} messages through {scene.clause.function} came "
        f"before the number that was stored in {where} before them",
        f"{found} instead of {left} or more",
    )


def _round(scene: Scene, room: Room, chance: Random, pace: Pace, *, in_signal: bool) -> Round:
    """Return messages such that no two operations together make a third, and signals for them."""
    operation = _operation(scene)
    base = {"and": -1, "or": 0}.get(operation, chance.getrandbits(64) - (1 << 63))
    operands = struct.unpack(f"<{pace.times}Q", chance.randbytes(8 * pace.times))
    change = ARITHMETIC.get(operation) if operation in _VOID else None
    values = [change(base, operand) % (1 << 64) for operand in operands] if change else operands
    first = _signal(scene, base, chance)
    other = _signal(scene, 0, chance) if in_signal else None
    return Round(scene.session, room, first, other, base, operands, values, pace.delays)


def _signal(scene: Scene, initial: int, chance: Random) -> int:
    """Create a signal that any agent may wait for, or one of them alone where nobody waits."""
    waits = _operation(scene).endswith("wait")
    consumers = (
        [] if waits else chance.choice([[], *([a.handle] for a in agents(scene.session.model))])
    )
    answer = scene.set_up(
        "hsa_signal_create",
        initial_value=initial,
        num_consumers=len(consumers),
        consumers=handle_array(consumers) if consumers else 0,
        signal=Out(),
    )
    return answer["signal"]


# The calls that tell the value of a signal.


def _loaded(scene: Scene, test: Round) -> list[Move]:
    result = test.room.column(SEEN)
    return [PlannedCall(scene.clause.function, {"signal": test.signal}, result=result)]


def _exchanged(scene: Scene, test: Round) -> list[Move]:
    values: dict[str, Value] = {"signal": test.signal, "value": test.base}
    return [PlannedCall(scene.clause.function, values, result=test.room.column(SEEN))]


def _compared(scene: Scene, test: Round) -> list[Move]:
    """Return a comparison with the value that was there just before."""
    values: dict[str, Value] = {"signal": test.signal, "expected": 0, "value": test.base}
    guess = {"expected": test.room.column(GUESSED)}
    compare = PlannedCall(scene.clause.function, values, guess, test.room.column(SEEN))
    return [test.relaxed("load", result=GUESSED), compare]


def _met(scene: Scene, test: Round) -> list[Move]:
    """Return a wait for what any value meets."""
    states = ("HSA_WAIT_STATE_BLOCKED", "HSA_WAIT_STATE_ACTIVE")
    constants = scene.session.registry.constants
    values: dict[str, Value] = {
        "signal": test.signal,
        "condition": constants["HSA_SIGNAL_CONDITION_GTE"],
        "compare_value": LEAST,
        "timeout_hint": FOREVER,
        "wait_state_hint": constants[states[test.base % 2]],
    }
    return [PlannedCall(scene.clause.function, values, result=test.room.column(SEEN))]


def _met_by_any(scene: Scene, test: Round) -> list[Move]:
    """Return a wait for a group of the one signal, for what any value meets."""
    constants = scene.session.registry.constants
    condition = constants["HSA_SIGNAL_CONDITION_GTE"]
    value = test.room.shared(1)
    values: dict[str, Value] = {
        "signal_group": group(scene, [test.signal]),
        "conditions": Data(condition.to_bytes(4, "little"), f"[{condition}]"),
        "compare_values": Data(LEAST.to_bytes(8, "little", signed=True), f"[{LEAST}]"),
        "wait_state_hint": constants["HSA_WAIT_STATE_ACTIVE"],
        "signal": test.room.shared(2).address,
        "value": value.address,
    }
    return [PlannedCall(scene.clause.function, values), Copy(value, test.room.column(SEEN))]


_CALLS: Final = {
    "load": _loaded,
    "exchange": _exchanged,
    "cas": _compared,
    "wait": _met,
    "group_wait": _met_by_any,
}
