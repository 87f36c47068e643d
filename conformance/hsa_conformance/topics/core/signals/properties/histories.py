"""Histories of operations of several threads on one signal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import places
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.core.signals.properties.operations import ARITHMETIC, functions
from hsa_conformance.topics.core.signals.properties.values import load
from hsa_conformance.topics.shared.histories import Change, drawn_lanes, histories, require_order

proves = Proofs()

#: Values that are drawn: few, so that a comparison is met now and then, and of both halves.
_VALUES: Final = (0, 1, 2, -1, 1 << 32, (1 << 32) + 1)


def _arithmetic(operation: str, old: int, operands: Mapping[str, int]) -> int:
    return ARITHMETIC[operation](old, operands["value"])


def _exchanged(old: int, operands: Mapping[str, int]) -> int:
    met = (old - operands["expected"]) % 2**64 == 0
    return operands["value"] if met else old


_CHANGES: Final[Mapping[str, Change]] = {
    **{name: partial(_arithmetic, of) for of in ARITHMETIC for name in functions(of)},
    **dict.fromkeys(functions("cas"), _exchanged),
    **{name: lambda old, _: old for name in functions("load")},
}


@proves.each(_CHANGES, "threads", examples=0.1, once=True, chance=True)
def some_order_explains_what_threads_do_to_a_signal(scene: Scene) -> None:
    """Two threads operate on one signal: some order explains each result and the last value."""
    function = scene.clause.function
    every = [name for name in _CHANGES if scene.session.offers(name)]
    loads = [name for name in every if name in functions("load")]
    for number in histories(scene):
        # What is stored beside an operation hides what that has lost.
        others = every if number % 2 else loads
        before = scene.draw(drawing.sampled_from(_VALUES))
        handle = signal(scene, before)

        numbers = count(1)

        def operand(numbers: Iterator[int] = numbers) -> int:
            # Also where all that is drawn is as simple as can be, calls differ.
            return _VALUES[(scene.draw(places(len(_VALUES))) + next(numbers)) % len(_VALUES)]

        def make(name: str, handle: int = handle, operand: Callable[[], int] = operand) -> Task:
            described = scene.session.registry.functions[name]
            operands = [p.name for p in described.params if p.name != "signal"]
            return name, {"signal": handle, **{of: operand() for of in operands}}

        lanes = drawn_lanes(scene, make, function, others)
        require_order(scene, lanes, _CHANGES, before, partial(_value, scene, handle))


def _value(scene: Scene, handle: int) -> int:
    return load(scene, handle).status
