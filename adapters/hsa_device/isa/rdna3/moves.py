"""RDNA3 ISA, "VOP1" and "SOP1": moves between registers whose numbers M0 is added to.

Registers that a wave does not have are not executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa.vector.operands import read_word
from hsa_device.model.compilation import Compile, Run, Section, lacking
from hsa_device.model.waves import M0, VCC, Values, Waves


def _moved(instruction: Instruction, waves: Waves, number: int, most: int) -> NDArray[Any]:
    """Return the number of a register for each wave."""
    found = waves.word(M0).astype(np.int64) + number
    if (found >= most).any():
        raise lacking(instruction, f"a register beyond the {most} that there are")
    return found


def _vector(*, source_moves: bool, result_moves: bool) -> Compile:
    def make(instruction: Instruction) -> Run:
        result, source = instruction.operands
        if source_moves and source.kind is not Kind.VECTOR:
            raise lacking(instruction, f"the source {source.text!r}")
        fixed = read_word(instruction, source)

        def run(waves: Waves) -> None:
            most, numbers = len(waves.vector), waves.numbers
            value: Values = fixed(waves)
            if source_moves:
                value = waves.vector[_moved(instruction, waves, source.number, most), numbers]
            if not result_moves:
                waves.put(result.number, value)
                return
            targets = _moved(instruction, waves, result.number, most)
            before = waves.vector[targets, numbers]
            waves.vector[targets, numbers] = np.where(waves.active, value, before)

        return run

    return make


def _scalar(count: int) -> Compile:
    def make(instruction: Instruction) -> Run:
        result, source = instruction.operands

        def run(waves: Waves) -> None:
            first = _moved(instruction, waves, source.number, VCC + 1 - count)
            values = [waves.scalar[waves.numbers, first + place] for place in range(count)]
            for place, value in enumerate(values):
                waves.put_word(result.number + place, value)

        return run

    return make


_INSTRUCTIONS: Mapping[str, Compile] = {
    "v_movrels_b32": _vector(source_moves=True, result_moves=False),
    "v_movreld_b32": _vector(source_moves=False, result_moves=True),
    "v_movrelsd_b32": _vector(source_moves=True, result_moves=True),
    **{f"s_movrels_b{32 * n}": _scalar(n) for n in (1, 2)},
}

SECTION = Section("Moves", _INSTRUCTIONS, {})
