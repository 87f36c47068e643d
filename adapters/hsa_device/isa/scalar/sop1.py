"""MI200 ISA, 12.3 SOP1: scalar instructions with one source."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa import bits
from hsa_device.isa.scalar.operands import read, scalars, write
from hsa_device.isa.scalar.sop2 import LOGIC, nonzero
from hsa_device.model.compilation import CompileEnd, End, Section
from hsa_device.model.operations import Operation, op
from hsa_device.model.types import TYPES
from hsa_device.model.waves import Values, Waves, gather, spread

Saved = tuple[Values, Values, Values]


def _move(value: Values) -> Values:
    return value


def _move_if(value: Values, scc: Values, before: Values) -> Values:
    return np.where(scc, value, before)


def _in_quads(value: Values) -> Values:
    lanes = spread(value)
    return np.logical_or.reduce(lanes.reshape(len(lanes), -1, 4), axis=2)


def whole_quads(value: Values) -> Values:
    """Return a mask with all four lanes where one of them is in another."""
    return gather(np.repeat(_in_quads(value), 4, axis=1))


def quads(value: Values) -> Values:
    """Return a bit for each four lanes: whether one of them is in a mask."""
    found = _in_quads(value)
    return gather(np.pad(found, ((0, 0), (0, 3 * found.shape[1]))))


def _ones(value: Values) -> Values:
    return bits.count_ones(value).astype(np.int32)


def _set(bit: bool) -> Callable[[Values, Values], Values]:
    def changed(place: Values, before: Values) -> Values:
        kind = before.dtype.type
        one = kind(1) << (place & np.uint32(before.dtype.itemsize * 8 - 1)).astype(before.dtype)
        return before | one if bit else before & ~one

    return changed


def _twice(value: Values) -> Values:
    """Each bit stands twice in the result."""
    return gather(np.repeat(spread(value.astype(np.uint64))[:, :32], 2, axis=1))


def saved(name: str) -> Callable[[Values, Values], Saved]:
    """Return what changes EXEC by a source, and returns it as it was."""
    logic = LOGIC[name]

    def changed(source: Values, exec_mask: Values) -> Saved:
        before = exec_mask.copy()
        after = logic(source, before)
        return before, after, after != 0

    return changed


def saved_other(name: str) -> Callable[[Values, Values], Saved]:
    """Return the same with source and EXEC in the other order."""
    logic = LOGIC[name]

    def changed(source: Values, exec_mask: Values) -> Saved:
        before = exec_mask.copy()
        after = logic(before, source)
        return before, after, after != 0

    return changed


def written(order: int) -> Callable[[Values, Values], Saved]:
    """Return what changes EXEC, and returns that: the source without it, or it without the source.

    Args:
        order: 2 for the source first, 1 for EXEC.

    """

    def changed(source: Values, exec_mask: Values) -> Saved:
        after = source & ~exec_mask if order == 2 else exec_mask & ~source
        return after, after, after != 0

    return changed


_SAVE = "b64 exec scc: b64 exec"

OPERATIONS: Mapping[str, Operation] = {
    **{f"s_mov_b{n}": op(f"b{n}: b{n}", _move) for n in (32, 64)},
    **{f"s_cmov_b{n}": op(f"b{n}: b{n} scc b{n}", _move_if, accumulates=True) for n in (32, 64)},
    **{f"s_not_b{n}": op(f"b{n} scc: b{n}", nonzero(np.invert)) for n in (32, 64)},
    "s_wqm_b64": op("b64 scc: b64", nonzero(whole_quads)),
    "s_quadmask_b64": op("b64 scc: b64", nonzero(quads)),
    **{f"s_brev_b{n}": op(f"b{n}: b{n}", bits.reverse) for n in (32, 64)},
    **{f"s_bcnt0_i32_b{n}": op(f"i32 scc: b{n}", nonzero(lambda v: _ones(~v))) for n in (32, 64)},
    **{f"s_bcnt1_i32_b{n}": op(f"i32 scc: b{n}", nonzero(_ones)) for n in (32, 64)},
    **{f"s_ff0_i32_b{n}": op(f"i32: b{n}", lambda v: bits.first_one(~v)) for n in (32, 64)},
    **{f"s_ff1_i32_b{n}": op(f"i32: b{n}", bits.first_one) for n in (32, 64)},
    **{f"s_flbit_i32_b{n}": op(f"i32: b{n}", bits.leading_zeros) for n in (32, 64)},
    "s_flbit_i32": op("i32: i32", bits.leading_signs),
    "s_flbit_i32_i64": op("i32: i64", bits.leading_signs),
    "s_sext_i32_i8": op("i32: i8", _move),
    "s_sext_i32_i16": op("i32: i16", _move),
    **{
        f"s_bitset{bit}_b{n}": op(f"b{n}: b32 b{n}", _set(bool(bit)), accumulates=True)
        for bit in (0, 1)
        for n in (32, 64)
    },
    "s_bitreplicate_b64_b32": op("b64: b32", _twice),
    "s_abs_i32": op("i32 scc: i32", nonzero(np.abs)),
    **{f"s_{name}_saveexec_b64": op(_SAVE, saved(name)) for name in LOGIC},
    "s_andn1_saveexec_b64": op(_SAVE, saved_other("andn2")),
    "s_orn1_saveexec_b64": op(_SAVE, saved_other("orn2")),
    "s_andn1_wrexec_b64": op(_SAVE, written(1)),
    "s_andn2_wrexec_b64": op(_SAVE, written(2)),
}

_ADDRESS = TYPES["u64"]


def _get_pc(instruction: Instruction) -> End:
    put = write(instruction, instruction.operands[0], _ADDRESS)

    def end(waves: Waves, following: int) -> None:
        put(waves, np.full(1, following, np.uint64))
        waves.pc[waves.chosen] = following

    return end


def _set_pc(instruction: Instruction) -> End:
    target = read(instruction, instruction.operands[0], _ADDRESS)

    def end(waves: Waves, following: int) -> None:
        waves.pc[waves.chosen] = target(waves)

    return end


def _swap_pc(instruction: Instruction) -> End:
    put = write(instruction, instruction.operands[0], _ADDRESS)
    target = read(instruction, instruction.operands[1], _ADDRESS)

    def end(waves: Waves, following: int) -> None:
        waves.pc[waves.chosen] = target(waves)
        put(waves, np.full(1, following, np.uint64))

    return end


_ENDS: Mapping[str, CompileEnd] = {
    "s_getpc_b64": _get_pc,
    "s_setpc_b64": _set_pc,
    "s_swappc_b64": _swap_pc,
}

SECTION = Section("SOP1", scalars(OPERATIONS), _ENDS)
