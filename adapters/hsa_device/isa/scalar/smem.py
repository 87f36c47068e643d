"""MI200 ISA, 12.6 SMEM: scalar loads, and clocks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa.scalar.operands import read, write
from hsa_device.model.compilation import Compile, Run, Section, nothing, require_known
from hsa_device.model.types import TYPES
from hsa_device.model.waves import Values, Waves

_WORDS = {"": 1, "x2": 2, "x4": 4, "x8": 8, "x16": 16}
TICK = 10  # ns of the clock that s_memrealtime reads
_WORD, _PAIR = TYPES["u32"], TYPES["u64"]


def _offset(instruction: Instruction) -> Callable[[Waves], Values]:
    """Return what computes the offset in bytes: a register, a number, or both."""
    operand = instruction.operands[2]
    added = np.int64(instruction.number("offset"))
    if operand.kind is Kind.INTEGER:
        total = np.full(1, operand.number, np.int64) + added
        return lambda _: total
    register = read(instruction, operand, _WORD)
    return lambda w: register(w).astype(np.int64) + added


def _load(count: int) -> Compile:
    def make(instruction: Instruction) -> Run:
        require_known(instruction, "glc", "dlc", "offset")
        base, offset = read(instruction, instruction.operands[1], _PAIR), _offset(instruction)
        return _loaded(instruction, count, lambda w: base(w) + offset(w).view(np.uint64))

    return make


def _loaded(instruction: Instruction, count: int, address: Callable[[Waves], Values]) -> Run:
    first = instruction.operands[0].number
    write(instruction, instruction.operands[0], _WORD)  # that it can be written

    def run(waves: Waves) -> None:
        # The two lowest bits are ignored.
        start = np.broadcast_to(address(waves), waves.pc[waves.chosen].shape) & np.uint64(2**64 - 4)
        found = [waves.memory.load(start + np.uint64(4 * place), 4) for place in range(count)]
        for place, values in enumerate(found):
            waves.put_word(first + place, values)

    return run


def clock(unit: int) -> Compile:
    """Return what reads a clock.

    Args:
        unit: what it counts, in ns.

    """

    def make(instruction: Instruction) -> Run:
        put = write(instruction, instruction.operands[0], _PAIR)
        return lambda w: put(w, np.full(1, time.monotonic_ns() // unit, np.uint64))

    return make


_INSTRUCTIONS: Mapping[str, Compile] = {
    **{f"s_load_dword{suffix}": _load(count) for suffix, count in _WORDS.items()},
    "s_memtime": clock(1),
    "s_memrealtime": clock(TICK),
    **dict.fromkeys(
        ("s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol", "s_dcache_wb_vol"), nothing
    ),
}

SECTION = Section("SMEM", _INSTRUCTIONS, {})
