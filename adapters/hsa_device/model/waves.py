"""The registers of the waves that are resident, and which waves the next instruction is for.

Registers of one number lie together for all waves and lanes, so that one operation of numpy does an
instruction for all waves that stand at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hsa_device.memory import Memory

#: Scalar registers with names. That of scratch, which no instruction of RDNA3 names, is the last.
VCC, M0, EXEC, FLAT_SCRATCH = 106, 124, 126, 128
#: How many there are.
SCALARS = 130
#: What a wave does: it executes, waits at a barrier, or has ended.
RUNNING, WAITING, ENDED = 0, 1, 2
#: MODE where nothing is flushed and all rounding is to nearest even (MI200 ISA, "Mode register").
PLAIN_MODE = 0xF0
IEEE = 1 << 9  # of MODE: signalling NaNs become quiet, even where a number could be chosen

Words: TypeAlias = NDArray[np.uint32]
Doubles: TypeAlias = NDArray[np.uint64]
Lanes: TypeAlias = NDArray[np.bool_]
Chosen: TypeAlias = slice | NDArray[np.intp]
# Registers are looked at as any type of numpy.
Values: TypeAlias = NDArray[Any]

_MASKS: Mapping[int, np.dtype[Any]] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


class Waves:
    """Registers of waves; what reads or writes them does so for the chosen waves.

    Args:
        count: of waves.
        vector: vector registers of each lane, accumulation registers included.
        accumulators: the first of them that is an accumulation register.
        group: LDS of a work-group in bytes.
        group_waves: waves of a work-group.
        memory: what addresses mean.
        width: work-items of a wave: 32, or 64.

    Attributes:
        scc: a bit of each wave.
        mode: the MODE register of each wave.
        pc: the address of the instruction that each wave executes next, where it is not under way.
        state: what each wave does.
        local: LDS of all work-groups, one after the other.
        group_size: LDS of a work-group in bytes.
        local_address: where flat addresses of LDS lie in the memory.
        apertures: the values of the registers that say where LDS and scratch are seen.
        interrupt: takes the number with which a wave interrupts the host; None where nobody can be.
        chosen: the waves that the next instruction is for.
        active: their lanes that EXEC has.
        whole: whether these are all lanes.
        plain: whether no wave has a MODE that flushes denormals, rounds but to nearest, or lacks
            IEEE.

    """

    def __init__(
        self,
        count: int,
        vector: int,
        accumulators: int,
        group: int,
        group_waves: int,
        memory: Memory,
        width: int = 64,
    ) -> None:
        self.count = count
        self.width = width
        self._all = np.uint64(2**width - 1)
        self.accumulators = accumulators
        self.group_waves = group_waves
        self.memory = memory
        self.vector: Words = np.zeros((vector, count, width), np.uint32)
        self.scalar: Words = np.zeros((count, SCALARS), np.uint32)
        self.scalar_pairs: Doubles = self.scalar.view(np.uint64)
        self.scc: Lanes = np.zeros(count, np.bool_)
        self.mode: Words = np.zeros(count, np.uint32)
        self.pc: Doubles = np.zeros(count, np.uint64)
        self.state: NDArray[np.uint8] = np.full(count, ENDED, np.uint8)
        self.group_size = group
        self._group_room = -(-group // 8) * 8
        self.local: NDArray[np.uint8] = np.zeros(count // group_waves * self._group_room, np.uint8)
        self.local_address = self.local.ctypes.data
        self.apertures: Mapping[str, int] = {}
        self.interrupt: Callable[[int], None] | None = None
        self.plain = True
        self.lanes: Lanes = np.zeros((count, width), np.bool_)
        self.choose(slice(None))

    def choose(self, chosen: Chosen) -> None:
        """Let the next instructions be for these waves."""
        self.chosen = chosen
        self._look_at_lanes()

    @property
    def numbers(self) -> NDArray[np.intp]:
        """Return the numbers of the chosen waves."""
        return np.arange(self.count)[self.chosen]

    def row(self, register: int) -> Words:
        """Return a vector register: a row for each wave, which may be the register itself."""
        return self.vector[register][self.chosen]

    def pair(self, register: int) -> Doubles:
        """Return two vector registers as one of 64 bits."""
        low = self.row(register)
        both = np.empty((*low.shape, 2), np.uint32)
        both[..., 0] = low
        both[..., 1] = self.row(register + 1)
        return both.view(np.uint64)[..., 0]

    def put(self, register: int, values: Values) -> None:
        """Write a vector register of the active lanes.

        Args:
            register: its number.
            values: of 32 bits, for each wave and lane or for all alike.

        """
        whole = self.vector[register]
        if self.whole:
            whole[self.chosen] = values
        elif isinstance(self.chosen, slice):
            np.copyto(whole[self.chosen], values, where=self.active)
        else:
            whole[self.chosen] = np.where(self.active, values, whole[self.chosen])

    def put_pair(self, register: int, values: Doubles) -> None:
        """Write two vector registers with values of 64 bits."""
        halves = np.ascontiguousarray(values).view(np.uint32).reshape(*values.shape, 2)
        self.put(register, halves[..., 0])
        self.put(register + 1, halves[..., 1])

    def packed(self, register: int) -> Words:
        """Return a vector register of the active lanes alone, as a list."""
        row = self.row(register)
        return row.reshape(-1) if self.whole else row[self.active]

    def put_packed(self, register: int, values: Values) -> None:
        """Write a vector register of the active lanes, which are given alone, as a list."""
        if self.whole:
            self.vector[register][self.chosen] = values.reshape(-1, self.width)
            return
        row = self.vector[register][self.chosen]
        row[self.active] = values
        if not isinstance(self.chosen, slice):
            self.vector[register][self.chosen] = row

    def pack(self, values: Values) -> Values:
        """Return what there is for each wave and lane for the active lanes alone, as a list."""
        spread = np.broadcast_to(values, self.active.shape)
        return spread.reshape(-1) if self.whole else spread[self.active]

    def word(self, register: int) -> Words:
        """Return a scalar register of each wave."""
        return self.scalar[self.chosen, register]

    def words(self, register: int) -> Doubles:
        """Return two scalar registers of each wave as one of 64 bits."""
        return self.scalar_pairs[self.chosen, register // 2]

    def put_word(self, register: int, values: Values) -> None:
        """Write a scalar register."""
        self.scalar[self.chosen, register] = values
        if register >= EXEC:
            self._exec_changed()

    def put_words(self, register: int, values: Values) -> None:
        """Write two scalar registers."""
        self.scalar_pairs[self.chosen, register // 2] = values
        if register == EXEC:
            self._exec_changed()

    def mask(self, register: int) -> Words | Doubles:
        """Return a mask with a bit for each lane: a register, or two where waves have 64 lanes."""
        return self.words(register) if self.width == 64 else self.word(register)

    def put_mask(self, register: int, lanes: Lanes) -> None:
        """Write a mask."""
        if self.width == 64:
            self.put_words(register, gather(lanes))
        else:
            self.put_word(register, gather(lanes))

    def _exec_changed(self) -> None:
        self.lanes[self.chosen] = spread(self.mask(EXEC))
        self._look_at_lanes()

    def _look_at_lanes(self) -> None:
        self.active = self.lanes[self.chosen]
        self.whole = bool((self.mask(EXEC) == self._all).all())

    def local_starts(self) -> Doubles:
        """Return where the LDS of the work-group begins in `local`, for each wave."""
        return (self.numbers // self.group_waves * self._group_room).astype(np.uint64)

    def set_mode(self, values: Values) -> None:
        """Write the MODE register."""
        self.mode[self.chosen] = values
        self.refresh_modes()

    def refresh_modes(self) -> None:
        """Look at the MODE registers, once they were written."""
        self.plain = bool(((self.mode & (0xFF | IEEE)) == PLAIN_MODE | IEEE).all())

    def one_mode(self) -> int | None:
        """Return the MODE of the chosen waves, None where they have different ones."""
        modes: Sequence[int] = np.unique(self.mode[self.chosen]).tolist()
        return modes[0] if len(modes) == 1 else None


def spread(masks: Words | Doubles) -> Lanes:
    """Return the bits of masks, lane by lane."""
    octets = np.ascontiguousarray(masks)[:, None].view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").view(np.bool_)


def gather(lanes: Lanes) -> Words | Doubles:
    """Return masks with these bits, lane by lane."""
    octets = np.packbits(lanes, axis=1, bitorder="little")
    return octets.view(_MASKS[octets.shape[1]])[:, 0]
