"""Dispatches, and how their work-groups begin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsa_device.code import Descriptor
from hsa_device.code.descriptor import USER_REGISTERS
from hsa_device.model.waves import (
    EXEC,
    FLAT_SCRATCH,
    RUNNING,
    Waves,
    gather,
)

Size = tuple[int, int, int]
Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Scratch:
    """Scratch of all resident waves; sizes are in bytes.

    Args:
        address: where it begins.
        wave: how much a wave has.
        item: how much a work-item has of that.
        waves: how many waves it has room for; None for as many as are resident.
        given: the buffer resource that it is reached by, where a runtime made one.

    """

    address: int
    wave: int
    item: int
    waves: int | None = None
    given: tuple[int, int, int, int] | None = None

    @property
    def resource(self) -> tuple[int, int, int, int]:
        """Return a buffer resource for it, swizzled by lane (MI200 ISA, "Buffer resource")."""
        swizzle, of_64, by_lane = 1 << 31, 3 << 21, 1 << 23
        return self.given or (
            self.address & 0xFFFFFFFF,
            self.address >> 32 | swizzle,
            0xFFFFFFFF,
            of_64 | by_lane,
        )


@dataclass(frozen=True)
class Dispatch:
    """A dispatch; sizes of grid and work-groups are in work-items.

    Args:
        kernel: the address of the kernel descriptor.
        work_group: the size of a work-group; those at the end of the grid may be smaller.
        grid: the size of the grid.
        arguments: the address of the arguments.
        group_segment: LDS of a work-group in bytes, what the kernel itself declares included.
        private_segment: scratch of a work-item in bytes, the same.
        packet: the address of the packet.
        queue: the address of the queue.
        number: of the packet in its queue.
        scratch: what a runtime has given for it; None for as much of the device's own as it needs.

    """

    kernel: int
    work_group: Size
    grid: Size
    arguments: int
    group_segment: int = 0
    private_segment: int = 0
    packet: int = 0
    queue: int = 0
    number: int = 0
    scratch: Scratch | None = None

    @property
    def groups(self) -> Size:
        """Return how many work-groups there are in each dimension."""
        x, y, z = (-(-n // g) for n, g in zip(self.grid, self.work_group, strict=True))
        return x, y, z

    def group_waves(self, width: int) -> int:
        """Return how many waves of so many work-items a work-group has."""
        return -(-math.prod(self.work_group) // width)


class Starter:
    """Lets work-groups begin.

    Args:
        dispatch: the dispatch.
        descriptor: of its kernel.
        waves: the registers.
        scratch: of the waves.
        preloaded: the arguments that are put into registers.
        has_scratch_register: see `Target`.

    """

    def __init__(
        self,
        dispatch: Dispatch,
        descriptor: Descriptor,
        waves: Waves,
        scratch: Scratch,
        preloaded: bytes,
        *,
        has_scratch_register: bool,
    ) -> None:
        self._dispatch = dispatch
        self._descriptor = descriptor
        self._waves = waves
        self._scratch = scratch
        self._words = self._user_words(preloaded)
        self._wants_offset = descriptor.scratch and not has_scratch_register
        self._next = 0
        self._count = math.prod(dispatch.groups)

    @property
    def left(self) -> int:
        """Return how many work-groups have not begun."""
        return self._count - self._next

    def begin(self, slots: Numbers) -> None:
        """Let work-groups begin, in these places of those that are resident."""
        slots = slots[: self.left]
        groups = np.arange(self._next, self._next + len(slots))
        self._next += len(slots)
        waves, count = self._waves, self._waves.group_waves
        numbers = (slots[:, None] * count + np.arange(count)).ravel()
        wave_in_group = np.tile(np.arange(count), len(slots))
        of_wave = self._places(np.repeat(groups, count))
        sizes = [
            np.minimum(size, whole - place * size)
            for place, size, whole in zip(
                of_wave, self._dispatch.work_group, self._dispatch.grid, strict=True
            )
        ]
        active = self._items(numbers, wave_in_group, sizes)
        self._scalars(numbers, of_wave, active)
        started = active.any(axis=1)
        waves.state[numbers[started]] = RUNNING

    def _places(self, groups: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        width, height, _ = self._dispatch.groups
        return groups % width, groups // width % height, groups // (width * height)

    def _items(
        self, numbers: Numbers, wave_in_group: Numbers, sizes: list[Numbers]
    ) -> NDArray[np.bool_]:
        """Put the numbers of work-items into the first register; return which lanes have one."""
        waves = self._waves
        item = wave_in_group[:, None] * waves.width + np.arange(waves.width)
        width, height, depth = (each[:, None] for each in sizes)
        x, y, z = item % width, item // width % height, item // (width * height)
        active = item < width * height * depth
        dimensions = self._descriptor.item_dimensions
        packed = x | (y << 10 if dimensions > 1 else 0) | (z << 20 if dimensions > 2 else 0)
        waves.vector[0][numbers] = np.where(active, packed, 0)
        waves.lanes[numbers] = active
        return active

    def _scalars(
        self,
        numbers: Numbers,
        groups: tuple[Numbers, Numbers, Numbers],
        active: NDArray[np.bool_],
    ) -> None:
        waves, descriptor = self._waves, self._descriptor
        waves.scalar[numbers] = 0
        waves.scalar[numbers, : len(self._words)] = self._words
        place = descriptor.user_count
        for wanted, each in zip(descriptor.groups, groups, strict=True):
            if wanted:
                waves.scalar[numbers, place] = each
                place += 1
        if descriptor.group_info:
            waves.scalar[numbers, place] = waves.group_waves
            place += 1
        offset = (numbers * self._scratch.wave).astype(np.uint64)
        if self._wants_offset:
            waves.scalar[numbers, place] = offset
        pairs = waves.scalar_pairs
        pairs[numbers, FLAT_SCRATCH // 2] = np.uint64(self._scratch.address) + offset
        pairs[numbers, EXEC // 2] = gather(active)
        waves.scc[numbers] = False
        waves.mode[numbers] = descriptor.mode
        waves.pc[numbers] = self._dispatch.kernel + descriptor.entry

    def _user_words(self, preloaded: bytes) -> NDArray[np.uint32]:
        dispatch, scratch = self._dispatch, self._scratch
        values: dict[str, tuple[int, ...]] = {
            "private_buffer": scratch.resource,
            "dispatch_pointer": _halves(dispatch.packet),
            "queue_pointer": _halves(dispatch.queue),
            "arguments": _halves(dispatch.arguments),
            "dispatch_id": _halves(dispatch.number),
            "flat_scratch": _halves(scratch.address),
            "private_size": (scratch.item,),
        }
        user = self._descriptor.user
        words = [word for name, _ in USER_REGISTERS if name in user for word in values[name]]
        return np.concatenate([np.array(words, np.uint32), np.frombuffer(preloaded, np.uint32)])


def _halves(value: int) -> tuple[int, int]:
    return value & 0xFFFFFFFF, value >> 32
