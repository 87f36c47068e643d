"""Executes single instructions, written as LLVM writes them, on waves with given registers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_device.decoding import read_instruction
from hsa_device.execution.machine import Machine
from hsa_device.isa import instruction_set
from hsa_device.memory import Memory
from hsa_device.model.waves import EXEC, FLAT_SCRATCH, PLAIN_MODE, RUNNING, VCC, Waves
from hsa_device.targets import Family

WHOLE = 2**64 - 1
#: What registers hold that nothing was put into.
OLD = 0xDEADBEEF
_IEEE_AND_CLAMP = 3 << 8
FOLLOWING = 0x1000
_PAIRS = {"exec": EXEC, "vcc": VCC, "flat_scratch": FLAT_SCRATCH}
_PAIR = re.compile(r"([vs])\[(\d+):\d+\]")

Numbers = int | Sequence[int]


def new_waves(
    count: int = 1, memory: Memory | None = None, local: int = 0, width: int = 64
) -> Waves:
    """Return waves of which all lanes are active."""
    made = Waves(count, 64, 32, local, 1, memory or Memory(list), width)
    made.vector[:] = OLD
    made.scalar[:, :108] = OLD
    made.apertures = Machine("gfx90a").apertures
    made.state[:] = RUNNING
    made.mode[:] = PLAIN_MODE | _IEEE_AND_CLAMP
    made.refresh_modes()
    made.put_words(EXEC, np.full(count, WHOLE, np.uint64))
    return made


def give(waves: Waves, registers: Mapping[str, Numbers]) -> None:
    """Put numbers into registers: of vector registers a list, for the lanes in turn."""
    for name, value in registers.items():
        pair = _PAIR.fullmatch(name)
        if name == "scc":
            waves.scc[:] = bool(value)
        elif name == "mode":
            waves.set_mode(np.array(value, np.uint32))
        elif name in _PAIRS:
            waves.put_words(_PAIRS[name], np.full(waves.count, value, np.uint64))
        elif pair and pair[1] == "s":
            waves.scalar_pairs[:, int(pair[2]) // 2] = value
        elif pair:
            lanes = _lanes(value, np.uint64, waves.width)
            waves.vector[int(pair[2])] = lanes & np.uint64(0xFFFFFFFF)
            waves.vector[int(pair[2]) + 1] = lanes >> np.uint64(32)
        elif name == "m0":
            waves.scalar[:, 124] = value
        elif name[0] == "s":
            waves.scalar[:, int(name[1:])] = value
        else:
            first = waves.accumulators if name[0] == "a" else 0
            waves.vector[first + int(name[1:])] = _lanes(value, np.uint32, waves.width)


def _lanes(value: Numbers, kind: type[np.generic], width: int) -> NDArray[Any]:
    given = [value] if isinstance(value, int) else list(value)
    return np.resize(np.array(given, kind), width)


def take(waves: Waves, name: str) -> Numbers:
    """Return what a register of the first wave holds: of vector registers for each lane."""
    pair = _PAIR.fullmatch(name)
    if name == "scc":
        return int(waves.scc[0])
    if name == "pc":
        return int(waves.pc[0])
    if name == "mode":
        return int(waves.mode[0])
    if name in ("exec", "vcc"):
        return int(waves.mask(EXEC if name == "exec" else VCC)[0])
    if pair and pair[1] == "s":
        return int(waves.scalar_pairs[0, int(pair[2]) // 2])
    if pair:
        low, high = (waves.vector[int(pair[2]) + n, 0].astype(np.uint64) for n in (0, 1))
        found: list[int] = (low | high << np.uint64(32)).tolist()
        return found
    if name[0] == "s":
        return int(waves.scalar[0, int(name[1:])])
    first = waves.accumulators if name[0] == "a" else 0
    lanes: list[int] = waves.vector[first + int(name[1:]), 0].tolist()
    return lanes


def execute(waves: Waves, text: str, family: Family = Family.CDNA) -> None:
    """Execute an instruction.

    Args:
        waves: the waves.
        text: of the instruction, as LLVM writes it.
        family: whose instruction it is.

    """
    instruction = read_instruction(text, 8)
    section = instruction_set(family).section_of(instruction.name)
    assert section is not None, f"{instruction.name} is in no section"
    with np.errstate(all="ignore"):
        if instruction.name in section.ends:
            section.ends[instruction.name](instruction)(waves, FOLLOWING)
        else:
            section.instructions[instruction.name](instruction)(waves)
