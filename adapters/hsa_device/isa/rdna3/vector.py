"""RDNA3 ISA, "VOP1", "VOP2", "VOP3" and "VOPC": what MI200 lacks, or what means something else.

Results of 16 bits keep the other half of their register, and op_sel takes sources of 16 bits from
either half (RDNA3 ISA, "16-bit math and VGPRs").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.isa.rdna3.names import NAMES
from hsa_device.isa.scalar import operands as scalar
from hsa_device.isa.vector import rounding, vop1, vop2, vop3, vopc
from hsa_device.isa.vector.choosing import chosen
from hsa_device.isa.vector.lanes import vector
from hsa_device.isa.vector.vop3p import halves
from hsa_device.model.compilation import Compile, Run, Section, lacking, require_known
from hsa_device.model.operations import Operation, op
from hsa_device.model.types import TYPES
from hsa_device.model.waves import EXEC, Waves

_ROW = 16
_UPPER = 128  # vector registers that can be named whose upper halves can be named as well

OPERATIONS: Mapping[str, Operation] = {
    "v_mov_b16": op("b16: b16", lambda value: value),
    "v_not_b16": op("b16: b16", np.invert),
    "v_cvt_i32_i16": op("i32: i16", lambda value: value),
    "v_cvt_u32_u16": op("u32: u16", lambda value: value),
    "v_and_b16": op("b16: b16 b16", lambda a, b: a & b),
    "v_or_b16": op("b16: b16 b16", lambda a, b: a | b),
    "v_xor_b16": op("b16: b16 b16", lambda a, b: a ^ b),
    "v_cndmask_b16": op("b16: b16 b16 mask", lambda a, b, mask: np.where(mask, b, a)),
    "v_xor3_b32": op("b32: b32 b32 b32", lambda a, b, c: a ^ b ^ c),
    **{
        f"v_{first}{second}_{t}": op(f"{t}: {t} {t} {t}", lambda a, b, c, f=f, s=s: s(f(a, b), c))
        for t in ("i32", "u32")
        for first, f, second, s in (
            ("max", np.maximum, "min", np.minimum),
            ("min", np.minimum, "max", np.maximum),
        )
    },
    **{
        f"v_{name}_{t}": chosen(name, t, first=True)
        for name in ("min", "max", "min3", "max3", "med3", "minmax", "maxmin")
        for t in ("f16", "f32")
    },
    **{f"v_{name}_f64": chosen(name, "f64", first=True) for name in ("min", "max")},
}


def halves_kept(operation: Operation) -> Operation:
    """Return an operation as RDNA3 has it: numbers of 16 bits are one half of their registers."""
    narrow = any(each.width == 16 for each in operation.results)
    return replace(picking(operation), keeps_high=narrow, selects=True)


def picking(operation: Operation) -> Operation:
    """Return an operation as RDNA3 has it: a least or largest number is not flushed as a result.

    MODE says what its sources are (RDNA3 ISA, V_MIN_F32).
    """
    return replace(operation, selects_source=operation.exactly is rounding.unrounded)


def _narrow(operation: Operation) -> Compile:
    """Return what makes an instruction ready with numbers of 16 bits.

    Where it has no bits of op_sel, upper halves are numbered from 128 on; LLVM before 19 does not
    say that they are halves.
    """
    compiled = vector(operation)
    types = (*operation.results, *operation.sources)

    def make(instruction: Instruction) -> Run:
        for operand, kind in zip(instruction.operands, types, strict=False):
            beyond = operand.kind is Kind.VECTOR and operand.number >= _UPPER
            if beyond and kind.width == 16 and instruction.encoding in ("e32", "dpp"):
                raise lacking(instruction, f"the half of a register {operand.text!r}")
        return compiled(instruction)

    return make


def _without_result(operation: Operation) -> Compile:
    """V_CMPX: the result is the new EXEC, and no operand."""
    compared = _narrow(operation)

    def make(instruction: Instruction) -> Run:
        target = Operand(Kind.SCALAR, EXEC, 2, "exec")
        sources = instruction.operands[-2:]
        return compared(replace(instruction, operands=(target, *sources)))

    return make


def _from_row(other: int) -> Compile:
    """V_PERMLANE16 and V_PERMLANEX16: each lane reads one of its row, or of the row beside it.

    Args:
        other: 1 for the row beside it.

    """

    def make(instruction: Instruction) -> Run:
        require_known(instruction, "op_sel")
        result, source, *selects = instruction.operands
        inactive_too, bounded, *_ = instruction.numbers("op_sel", (0, 0))
        low, high = (scalar.read(instruction, each, TYPES["u32"]) for each in selects)

        def run(waves: Waves) -> None:
            lane = np.arange(waves.width)
            both = low(waves).astype(np.uint64) | high(waves).astype(np.uint64) << np.uint64(32)
            named = both[:, None] >> (lane % _ROW * 4).astype(np.uint64) & np.uint64(15)
            row = (lane // _ROW ^ other) * _ROW
            lanes = np.broadcast_to(named.astype(np.intp) + row, waves.active.shape)
            found = np.take_along_axis(waves.row(source.number), lanes, 1)
            there = np.take_along_axis(waves.active, lanes, 1) | bool(inactive_too)
            kept = np.uint32(0) if bounded else waves.row(result.number)
            waves.put(result.number, np.where(there, found, kept))

        return run

    return make


def _other_half(instruction: Instruction) -> Run:
    """V_PERMLANE64: lanes of the halves of a wave of 64 are exchanged, whether active or not."""
    result, source = instruction.operands

    def run(waves: Waves) -> None:
        if waves.width == 64:
            waves.put(result.number, np.roll(waves.row(source.number), 32, axis=1))

    return run


#: Instructions that mean the same on MI200, with numbers of 16 bits, by the names that RDNA3 has.
HALVES: Mapping[str, Operation] = {
    NAMES.get(name, name): halves_kept(operation)
    for table in (vop1.OPERATIONS, vop2.OPERATIONS, vop3.OPERATIONS, vopc.OPERATIONS)
    for name, operation in table.items()
    if any(each.width == 16 for each in (*operation.results, *operation.sources))
    and name not in OPERATIONS
}
_CMPX = {
    NAMES.get(name, name).replace("v_cmp_", "v_cmpx_"): _without_result(halves_kept(operation))
    for name, operation in vopc.OPERATIONS.items()
}
_OWN = {name: halves_kept(operation) for name, operation in OPERATIONS.items()}

SECTION = Section(
    "Vector",
    {
        **{name: _narrow(operation) for name, operation in {**HALVES, **_OWN}.items()},
        **_CMPX,
        **{f"v_pk_{n}_f16": halves(picking(chosen(n, "f16", first=True))) for n in ("min", "max")},
        "v_permlane16_b32": _from_row(0),
        "v_permlanex16_b32": _from_row(1),
        "v_permlane64_b32": _other_half,
    },
    {},
    frozenset(name for name, operation in HALVES.items() if not operation.exact),
)
