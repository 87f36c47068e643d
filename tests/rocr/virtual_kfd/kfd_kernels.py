"""Kernels in memory of a GPU, and queues that dispatch them. For a preloaded process."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_adapters.virtual_kfd.tree import TOPOLOGY
from hsa_device import content_at, read_code_object
from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import PAGE, Buffer, Kfd, map_memory, until
from tests.library.virtual_kfd.kfd_queue import AqlQueue, Signals, value_of
from tests.rocr.device.device_kernels import KERNELS, compile_kernels


def _content() -> bytes:
    """Return the code object of all kernels, compiled once for a machine."""
    machine = Path(os.environ["HSA_VIRTUAL_KFD"])
    made = machine / "kernels"
    if not made.exists():
        processor = (machine / TOPOLOGY / "nodes/1/name").read_text().strip()
        compile_kernels(KERNELS, machine, processor).replace(made)
    return made.read_bytes()


class Kernels:
    """A code object in memory of a GPU, and what kernels are dispatched with.

    Args:
        kfd: the driver.

    """

    def __init__(self, kfd: Kfd) -> None:
        self._kfd = kfd
        code = read_code_object(_content())
        end = max(s.address + s.size for s in code.segments)
        room = kfd.buffer(-(-end // PAGE) * PAGE, k.VRAM | k.WRITABLE)
        for each in code.segments:
            room.write(each.address, each.content)
        self._places = {name: room.address + place for name, place in code.kernels.items()}
        self._arguments = self.host(PAGE)
        self._signals = Signals(kfd)
        self._next = 0

    def host(self, size: int) -> NDArray[np.uint32]:
        """Return memory of the program that the GPU reaches under the same addresses."""
        address = map_memory(size)
        user = self._kfd.allocate(size, k.USERPTR | k.WRITABLE, address=address, user=address)
        self._kfd.map(user.handle)
        return words(address, size)

    def device(self, size: int) -> tuple[Buffer, NDArray[np.uint32]]:
        """Return memory of the GPU."""
        made = self._kfd.buffer(size, k.VRAM | k.WRITABLE)
        return made, words(made.address, size)

    def submit(
        self,
        queue: AqlQueue,
        name: str,
        *arguments: Any,
        grid: int = 64,
        group: int = 64,
        local: int = 65536,
        private: int = 0,
    ) -> int:
        """Dispatch a kernel, and return its completion signal."""
        given = [a if isinstance(a, int) else a.ctypes.data for a in arguments]
        place, self._next = self._next, self._next + 8
        for index, value in enumerate(given):
            self._arguments[place + 2 * index : place + 2 * index + 2] = value % 2**32, value >> 32
        done = self._signals.new()
        where = self._arguments[place:].ctypes.data
        body = struct.pack(
            *("<H3HH3IIIQQQQ", 1, group, 1, 1, 0, grid, 1, 1, private, local),
            *(self._places[name], where, 0, done),
        )
        queue.put(2, body)
        return done

    def run(self, name: str, *arguments: Any, **sizes: int) -> None:
        """Dispatch a kernel on a queue of its own, with scratch, and wait until it has ended."""
        queue = AqlQueue(self._kfd)
        if private := sizes.get("private", 0):
            queue.give_scratch(private, 2)
        done = self.submit(queue, name, *arguments, **sizes)
        assert until(lambda: value_of(done) == 0)
        queue.destroy()


def words(address: int, size: int) -> NDArray[np.uint32]:
    """Return memory of this process as words of 32 bits."""
    found: NDArray[np.uint32] = content_at(address, size).view(np.uint32)
    return found
