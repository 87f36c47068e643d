"""MI200 ISA, 12.9 VOPC: vector comparisons, whose result is a mask of lanes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa.vector import floats
from hsa_device.isa.vector.lanes import vector, vectors
from hsa_device.model.compilation import Compile, Run, Section
from hsa_device.model.operations import Operation, op
from hsa_device.model.waves import EXEC, Values, Waves

Compare = Callable[[Values, Values], Values]


def _ordered(a: Values, b: Values) -> Values:
    return ~(np.isnan(a) | np.isnan(b))


def _always(truth: bool) -> Compare:
    return lambda a, b: np.broadcast_to(np.bool_(truth), np.broadcast_shapes(a.shape, b.shape))


def _not(function: Compare) -> Compare:
    return lambda a, b: ~function(a, b)


def _less_or_greater(a: Values, b: Values) -> Values:
    return (a < b) | (a > b)


_BOTH: Mapping[str, Compare] = {
    "f": _always(False),
    "lt": operator.lt,
    "eq": operator.eq,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_INTEGERS: Mapping[str, Compare] = {**_BOTH, "ne": operator.ne, "t": _always(True)}
_FLOATS: Mapping[str, Compare] = {
    **_BOTH,
    "lg": _less_or_greater,
    "o": _ordered,
    "u": _not(_ordered),
    "nge": _not(operator.ge),
    "nlg": _not(_less_or_greater),
    "ngt": _not(operator.gt),
    "nle": _not(operator.le),
    "neq": operator.ne,
    "nlt": _not(operator.lt),
    "tru": _always(True),
}

OPERATIONS: Mapping[str, Operation] = {
    **{
        f"v_cmp_{name}_{t}{n}": op(f"mask: {t}{n} {t}{n}", function)
        for name, function in _INTEGERS.items()
        for t in "iu"
        for n in (16, 32, 64)
    },
    **{
        f"v_cmp_{name}_f{n}": op(f"mask: f{n} f{n}", function, rounds=True)
        for name, function in _FLOATS.items()
        for n in (16, 32, 64)
    },
    **{f"v_cmp_class_f{n}": op(f"mask: f{n} b32", floats.classes) for n in (16, 32, 64)},
}


def _to_exec(operation: Operation) -> Compile:
    """V_CMPX: the result is the new EXEC as well."""
    compared = vector(operation)

    def make(instruction: Instruction) -> Run:
        compare = compared(instruction)
        number = instruction.operands[0].number

        def run(waves: Waves) -> None:
            compare(waves)
            if number != EXEC:
                waves.put_words(EXEC, waves.words(number))

        return run

    return make


_CMPX = {n.replace("v_cmp_", "v_cmpx_"): _to_exec(each) for n, each in OPERATIONS.items()}

SECTION = Section("VOPC", {**vectors(OPERATIONS), **_CMPX}, {})
