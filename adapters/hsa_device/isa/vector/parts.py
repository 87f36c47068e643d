"""Parts of registers, and lanes of others: SDWA, DPP and op_sel (MI200 ISA, 6.3 to 6.5).

RDNA3 has no SDWA, no DPP beyond rows, and DPP8, ROW_SHARE, ROW_XMASK and FI of its own (RDNA3 ISA,
"Data Parallel Processing").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from hsa_device.decoding import Instruction
from hsa_device.model.compilation import lacking
from hsa_device.model.waves import Lanes, Values, Waves, Words

#: What SDWA takes of a register: the offset of the lowest bit, and how many bits.
_PARTS: Mapping[str, tuple[int, int]] = {
    "DWORD": (0, 32),
    **{f"BYTE_{n}": (8 * n, 8) for n in range(4)},
    **{f"WORD_{n}": (16 * n, 16) for n in range(2)},
}
SDWA = ("dst_sel", "dst_unused", "src0_sel", "src1_sel")
#: Which lane each lane reads, by the modifier that says so.
_DPP = (
    *("quad_perm", "row_shl", "row_shr", "row_ror", "wave_shl", "wave_rol", "wave_shr", "wave_ror"),
    *("row_mirror", "row_half_mirror", "row_bcast", "row_newbcast"),
    *("row_share", "row_xmask", "dpp8"),
)
DPP = (*_DPP, "row_mask", "bank_mask", "bound_ctrl", "fi")
_ROW = 16
_MOST = 64  # lanes of a wave

ReadWords = Callable[[Waves], Words]


def take(name: str, *, signed: bool) -> Callable[[Words], Words]:
    """Return what takes a part of registers of 32 bits, as their lowest bits.

    Args:
        name: of the part, as SDWA writes it.
        signed: whether the sign of the part is put before it.

    """
    start, size = _PARTS[name]
    if size == 32:
        return lambda words: words
    up, down = 32 - start - size, 32 - size
    if signed:
        return lambda w: (w.view(np.int32) << np.int32(up) >> np.int32(down)).view(np.uint32)
    return lambda words: words >> np.uint32(start) & np.uint32((1 << size) - 1)


def place(name: str, unused: str) -> Callable[[Words, Words], Words]:
    """Return what puts a result into a part of registers.

    Args:
        name: of the part, as SDWA writes it.
        unused: what becomes of the rest, as SDWA writes it.

    """
    start, size = _PARTS[name]
    if size == 32:
        return lambda value, _: value
    mask = np.uint32((1 << size) - 1 << start)

    def placed(value: Words, before: Words) -> Words:
        moved = value << np.uint32(start) & mask
        if unused == "UNUSED_PRESERVE":
            return before & ~mask | moved
        if unused == "UNUSED_SEXT":
            up = np.int32(32 - start - size)
            return (moved.view(np.int32) << up >> up).view(np.uint32)
        return moved

    return placed


class Permutation:
    """What DPP does: which lane each lane reads, and which lanes write.

    Args:
        instruction: that has its modifiers.

    """

    def __init__(self, instruction: Instruction) -> None:
        self._source, valid = _lanes(instruction)
        rows = instruction.number("row_mask", 15)
        banks = instruction.number("bank_mask", 15)
        lane = np.arange(_MOST)
        self._valid = valid
        self._written: Lanes = ((rows >> lane // _ROW & 1) & (banks >> lane % _ROW // 4 & 1)) == 1
        self._bounded = instruction.has("bound_ctrl") or instruction.has("dpp8")
        self._inactive_too = instruction.has("fi")

    def read(self, words: Words, active: Lanes) -> Words:
        """Return what each lane reads; 0 from lanes that are not there, or not active."""
        found = words[:, self._source[: active.shape[1]]]
        return np.where(self._there(active), found, np.uint32(0))

    def written(self, active: Lanes) -> Lanes:
        """Return which lanes write their result."""
        found = active & self._written[: active.shape[1]]
        return found if self._bounded else found & self._there(active)

    def _there(self, active: Lanes) -> Lanes:
        """Return for which lanes there is one that they read."""
        width = active.shape[1]  # no lane reads one that waves of 32 lack
        valid = self._valid[:width]
        return valid if self._inactive_too else active[:, self._source[:width]] & valid


def _lanes(instruction: Instruction) -> tuple[NDArray[np.intp], Lanes]:
    """Return which lane each lane reads, and whether there is such a lane."""
    name = next(m for m in _DPP if instruction.has(m))
    lane = np.arange(_MOST)
    row, within = lane // _ROW * _ROW, lane % _ROW
    count = 0
    if name not in ("quad_perm", "row_mirror", "row_half_mirror", "dpp8"):
        count = instruction.number(name)
    found = {
        "row_shl": within + count,
        "row_shr": within - count,
        "row_ror": (within - count) % _ROW,
        "row_mirror": _ROW - 1 - within,
        "row_half_mirror": within // 8 * 8 + 7 - within % 8,
        "row_newbcast": np.full(_MOST, count),
        "row_share": np.full(_MOST, count),
        "row_xmask": within ^ count,
    }
    if name in found:
        moved = found[name]
        return row + moved % _ROW, (moved >= 0) & (moved < _ROW)
    if name in ("quad_perm", "dpp8"):
        order = np.array(instruction.numbers(name, ()))
        size = len(order)
        return lane // size * size + order[lane % size], np.ones(_MOST, np.bool_)
    shifted = {"wave_shl": lane + 1, "wave_shr": lane - 1}
    turned = {"wave_rol": lane + 1, "wave_ror": lane - 1}
    if name in shifted:
        moved = shifted[name]
        return moved % _MOST, (moved >= 0) & (moved < _MOST)
    if name in turned:
        return turned[name] % _MOST, np.ones(_MOST, np.bool_)
    if name == "row_bcast" and count == 15:
        return np.maximum(row - 1, 0), lane >= _ROW
    if name == "row_bcast" and count == 31:
        return np.full(_MOST, 31), lane >= 32
    raise lacking(instruction, f"the modifier {name!r}")


def permuted(read: ReadWords, permutation: Permutation) -> ReadWords:
    """Return what reads the words of other lanes."""
    return lambda w: permutation.read(read(w), w.active)


def selected(read: ReadWords, part: str, *, signed: bool) -> ReadWords:
    """Return what reads parts of words."""
    taken = take(part, signed=signed)
    return lambda w: taken(read(w))


def upper_half(values: Values) -> Values:
    """Return the upper half of words as their lower one."""
    return values >> np.uint32(16)
