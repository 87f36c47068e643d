"""MI200 ISA, 12.2 SOPK: scalar instructions with a number of 16 bits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa import bits
from hsa_device.isa.scalar.operands import read, scalars, write
from hsa_device.isa.scalar.sopc import COMPARISONS
from hsa_device.isa.scalar.sopp import target
from hsa_device.model.compilation import CompileEnd, End, Run, Section, lacking
from hsa_device.model.operations import Operation, op
from hsa_device.model.types import TYPES
from hsa_device.model.waves import FLAT_SCRATCH, Values, Waves

_FIELD = re.compile(r"hwreg\((\w+)(?:, ?(\d+), ?(\d+))?\)")


def _move(value: Values) -> Values:
    return value


def _move_if(value: Values, scc: Values, before: Values) -> Values:
    return np.where(scc, value, before)


def _add(value: Values, before: Values) -> tuple[Values, Values]:
    return bits.add_overflow(before, value.astype(np.int32))


def _multiply(value: Values, before: Values) -> Values:
    return before * value


OPERATIONS: Mapping[str, Operation] = {
    "s_movk_i32": op("i32: i16", _move),
    "s_cmovk_i32": op("i32: i16 scc i32", _move_if, accumulates=True),
    **{
        f"s_cmpk_{name}_{t}32": op(f"scc: {t}32 {t}16", function)
        for name, function in COMPARISONS.items()
        for t in "iu"
    },
    "s_addk_i32": op("i32 scc: i16 i32", _add, accumulates=True),
    "s_mulk_i32": op("i32: i16 i32", _multiply, accumulates=True),
}


def _field(instruction: Instruction, place: int) -> tuple[str, int, int]:
    """Return the register that an operand names, and offset and width of bits of it."""
    match = _FIELD.fullmatch(instruction.operands[place].text)
    if match is None or match[1] not in _REGISTERS:
        raise lacking(instruction, f"the register {instruction.operands[place].text!r}")
    return match[1], int(match[2] or 0), int(match[3] or 32)


def _get_register(instruction: Instruction) -> Run:
    put = write(instruction, instruction.operands[0], TYPES["u32"])
    name, offset, width = _field(instruction, 1)
    mask = np.uint32((1 << width) - 1)
    found = _REGISTERS[name]
    return lambda w: put(w, found(w) >> np.uint32(offset) & mask)


def _mode(waves: Waves) -> Values:
    return waves.mode[waves.chosen]


def _apertures(waves: Waves) -> Values:
    """Return the upper 16 bits of where scratch is seen, and above them those of LDS."""
    private, shared = (waves.apertures[f"src_{n}_base"] >> 48 for n in ("private", "shared"))
    return np.full(1, shared << 16 | private, np.uint32)


def _cycles(_: Waves) -> Values:
    """Return a clock of 20 bits."""
    return np.full(1, time.monotonic_ns() & 0xFFFFF, np.uint32)


#: Registers that may be read: those of scratch and of cycles RDNA3 has (RDNA3 ISA, "Hardware
#: registers").
_REGISTERS: Mapping[str, Callable[[Waves], Values]] = {
    "HW_REG_MODE": _mode,
    "HW_REG_SH_MEM_BASES": _apertures,
    "HW_REG_FLAT_SCR_LO": lambda w: w.word(FLAT_SCRATCH),
    "HW_REG_FLAT_SCR_HI": lambda w: w.word(FLAT_SCRATCH + 1),
    "HW_REG_SHADER_CYCLES": _cycles,
}


def _set_register(instruction: Instruction) -> Run:
    name, offset, width = _field(instruction, 0)
    if name != "HW_REG_MODE":
        raise lacking(instruction, f"a write to {name}")
    value = read(instruction, instruction.operands[1], TYPES["u32"])
    mask = np.uint32((1 << width) - 1 << offset & 0xFFFFFFFF)

    def run(waves: Waves) -> None:
        new = value(waves) << np.uint32(offset) & mask
        waves.set_mode(waves.mode[waves.chosen] & ~mask | new)

    return run


def _call(instruction: Instruction) -> End:
    put = write(instruction, instruction.operands[0], TYPES["u64"])
    distance = target(instruction, 1)

    def end(waves: Waves, following: int) -> None:
        put(waves, np.full(1, following, np.uint64))
        waves.pc[waves.chosen] = following + distance

    return end


_ENDS: Mapping[str, CompileEnd] = {"s_call_b64": _call}
_OTHERS = {
    "s_getreg_b32": _get_register,
    "s_setreg_b32": _set_register,
    "s_setreg_imm32_b32": _set_register,
}

SECTION = Section("SOPK", {**scalars(OPERATIONS), **_OTHERS}, _ENDS)
