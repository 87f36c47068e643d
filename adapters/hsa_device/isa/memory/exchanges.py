"""MI200 ISA, 12.13 LDS: instructions that lanes read each other by, without any memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hsa_device.decoding import Instruction
from hsa_device.isa.memory import transfers
from hsa_device.model.compilation import Compile, Run, Section, lacking
from hsa_device.model.waves import Values, Waves

_SWIZZLE = re.compile(r"swizzle\((\w+),(.+)\)")
_LANE = np.arange(64)
_WITHIN = _LANE % 32  # of 32 lanes, which a swizzle does not leave


def _named(waves: Waves, instruction: Instruction, reach: int) -> Values:
    """Return the lane that each lane names, among so many neighbours."""
    address, offset = instruction.operands[1], np.uint32(instruction.number("offset"))
    named = (waves.row(address.number) + offset) >> np.uint32(2) & np.uint32(reach - 1)
    return named.astype(np.intp) + np.arange(waves.width) // reach * reach


def pull(reach: int) -> Compile:
    """Return DS_BPERMUTE: each lane reads one that it names; 0 from lanes that are not active.

    Args:
        reach: how many neighbouring lanes may name each other.

    """
    return partial(_among, reach=reach, exchanged=_pulled)


def push(reach: int) -> Compile:
    """Return DS_PERMUTE: each lane writes to one that it names; of several the last one stays.

    Args:
        reach: how many neighbouring lanes may name each other.

    """
    return partial(_among, reach=reach, exchanged=_pushed)


def _among(
    instruction: Instruction, *, reach: int, exchanged: Callable[[Waves, Values, Values], Values]
) -> Run:
    result, _, source = instruction.operands

    def run(waves: Waves) -> None:
        words = waves.row(transfers.register(waves, source))
        found = exchanged(waves, words, _named(waves, instruction, reach))
        waves.put(transfers.register(waves, result), found)

    return run


def _pulled(waves: Waves, words: Values, lanes: Values) -> Values:
    """Return what each lane reads from the lane that stands there."""
    return np.take_along_axis(np.where(waves.active, words, 0), lanes, 1)


def _pushed(waves: Waves, words: Values, lanes: Values) -> Values:
    """Return what each lane has when all have written to the lane that stands there."""
    found = np.zeros_like(words)
    rows = np.arange(len(words))
    for lane in range(waves.width):
        here = waves.active[:, lane]
        found[rows[here], lanes[here, lane]] = words[here, lane]
    return found


def _swizzle(instruction: Instruction) -> Run:
    """DS_SWIZZLE: each lane reads one that the offset says; 0 from lanes that are not active."""
    result, source = instruction.operands
    match = _SWIZZLE.fullmatch(instruction.modifiers.get("offset", ""))
    if match is None:
        raise lacking(instruction, "an offset that is not written as a swizzle")
    lanes = _swizzled(instruction, match[1], match[2].split(","))

    def run(waves: Waves) -> None:
        words = waves.row(transfers.register(waves, source))
        named = np.broadcast_to(lanes[: waves.width], words.shape)
        waves.put(transfers.register(waves, result), _pulled(waves, words, named))

    return run


def _swizzled(instruction: Instruction, name: str, given: Sequence[str]) -> NDArray[np.int64]:
    """Return the lane that each lane reads."""
    if name == "BITMASK_PERM":
        return _LANE - _WITHIN + _masked(given[0].strip('"'))
    numbers = [int(each) for each in given]
    if name == "QUAD_PERM":
        return _LANE // 4 * 4 + np.array(numbers)[_LANE % 4]
    found = {
        "BROADCAST": _LANE // numbers[0] * numbers[0] + numbers[-1],
        "SWAP": _LANE ^ numbers[0],
        "REVERSE": _LANE ^ numbers[0] - 1,
    }
    if name not in found:
        raise lacking(instruction, f"the swizzle {name}")
    return found[name]


def _masked(bits: str) -> NDArray[np.int64]:
    """Return numbers of lanes of which bits are 0, 1, as they are (p) or turned (i)."""
    kept, ones, turned = (
        sum(1 << place for place, bit in enumerate(reversed(bits)) if bit in wanted)
        for wanted in ("pi", "1", "i")
    )
    return (_WITHIN & kept | ones) ^ turned


_INSTRUCTIONS: Mapping[str, Compile] = {
    "ds_bpermute_b32": pull(64),
    "ds_permute_b32": push(64),
    "ds_swizzle_b32": _swizzle,
}

SECTION = Section("LDS, exchanges", _INSTRUCTIONS, {})
