"""MI200 ISA, 12.10 VOP3P, V_FMA_MIX: sources of 16 and of 32 bits together.

OP_SEL_HI says which sources are numbers of 16 bits, and OP_SEL of which half of a register; NEG_HI
is their absolute value here, which LLVM writes as such.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.isa.vector import floats, parts
from hsa_device.isa.vector.modes import clamped, with_modes
from hsa_device.isa.vector.operands import Read, keep_high, read, words_of
from hsa_device.model.compilation import Compile, Run, lacking, require_known
from hsa_device.model.operations import op
from hsa_device.model.types import TYPES, Type
from hsa_device.model.waves import Values, Waves


def _fused(a: Values, b: Values, c: Values) -> Values:
    """Return a * b + c of 32 bits, rounded once: a result of 16 bits is rounded again after it."""
    return floats.fma(*(v.astype(np.float32, copy=False) for v in (a, b, c)))


def _make(result: Type, *, upper: bool = False) -> Compile:
    """Return what makes an instruction ready that has such a result, in a half of its register."""

    def make(instruction: Instruction) -> Run:
        require_known(instruction, "op_sel", "op_sel_hi", "clamp")
        narrow = instruction.numbers("op_sel_hi", (0, 0, 0))
        halves = instruction.numbers("op_sel", (0, 0, 0))
        kinds = ["f16" if each else "f32" for each in narrow]
        operation = op(f"{result.name}: {' '.join(kinds)}", _fused, rounds=True)
        reads = [
            _source(instruction, operand, type_of, upper=bool(half))
            for operand, type_of, half in zip(
                instruction.operands[1:], operation.sources, halves, strict=True
            )
        ]
        computed = with_modes(
            instruction, operation, lambda *v: _fused(*v).astype(result.dtype, copy=False)
        )
        number, clamps = instruction.operands[0].number, instruction.has("clamp")

        def run(waves: Waves) -> None:
            found = computed(waves, [each(waves) for each in reads])
            words = words_of(clamped(waves, found) if clamps else found, result)
            if result.width == 16:
                words = keep_high(waves.row(number), words, upper=upper)
            waves.put(number, words)

        return run

    return make


def _source(instruction: Instruction, operand: Operand, type_of: Type, *, upper: bool) -> Read:
    if not upper or type_of.width == 32:
        return read(instruction, operand, type_of)
    if operand.kind in (Kind.INTEGER, Kind.FLOAT):
        raise lacking(instruction, "the upper half of a constant")
    return read(instruction, operand, type_of, lambda words: lambda w: parts.upper_half(words(w)))


MIXED: Mapping[str, Compile] = {
    "v_fma_mix_f32": _make(TYPES["f32"]),
    "v_fma_mixlo_f16": _make(TYPES["f16"]),
    "v_fma_mixhi_f16": _make(TYPES["f16"], upper=True),
}
