"""Where memory lies that a device sees: found at the first access, and forgotten when told."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hsa_device.memory import Addresses, Place, Range, load_from, store_to
from hsa_device.server.channel import Channel, ReceivedMessage
from hsa_device.server.client import ClientMemory
from hsa_device.server.spans import PAGE, Spans, spans
from hsa_device.wire import PLACE, Message, Where


@dataclass(frozen=True, eq=False)
class ClientRange:
    """A range of addresses whose bytes lie in the client; see `hsa_device.memory.Place`.

    Args:
        start: its first address, as kernels see it.
        end: the address after its last one.
        writable: whether kernels may write there.
        moved: how much further it lies in the client.
        memory: that of the client.

    """

    start: int
    end: int
    writable: bool
    moved: int
    memory: ClientMemory

    def part(self, start: int, end: int) -> ClientRange:
        """Return a part of it."""
        return ClientRange(start, end, self.writable, self.moved, self.memory)

    def load(self, addresses: Addresses, size: int) -> NDArray[Any]:
        """Return the numbers at addresses."""
        where = spans(addresses, size, PAGE)
        return load_from(self.memory.read(where, self.moved), where.offsets, size)

    def store(self, addresses: Addresses, values: NDArray[Any], size: int) -> None:
        """Write numbers to addresses, and nothing between them."""
        where = spans(addresses, size)
        content = np.empty(where.total, np.uint8)
        store_to(content, where.offsets, values, size)
        self.memory.write(where, self.moved, content)

    def modify(
        self,
        operation: str,
        size: int,
        addresses: Addresses,
        values: Addresses,
        compares: Addresses | None,
    ) -> Addresses:
        """Change numbers by an atomic operation."""
        return self.memory.change(operation, size, addresses, values, compares)

    def read(self, address: int, size: int) -> bytes:
        """Return bytes."""
        size = min(size, self.end - address)
        whole = Spans(*(np.array([n], np.uint64) for n in (address, size, 0)))
        return self.memory.read(whole, self.moved).tobytes()


class Places:
    """What is known of where memory lies.

    Args:
        channel: that is asked.
        direct: whether the device may reach into the client.

    """

    def __init__(self, channel: Channel, *, direct: bool) -> None:
        self._channel = channel
        self._memory = ClientMemory(channel, direct=direct)
        self._known: list[Place] = []

    def ranges(self) -> Sequence[Place]:
        """Return the ranges that are known."""
        return self._known

    def find(self, address: int) -> None:
        """Ask where an address lies."""
        found = self._channel.ask(Message.FIND, first=address)
        place = self._place(found)
        if place is not None:
            self._known = [e for e in self._known if e.end <= place.start or place.end <= e.start]
            self._known.append(place)

    def forget(self) -> None:
        """Let go of all that is known."""
        self._known = []

    def _place(self, found: ReceivedMessage) -> Place | None:
        start, size, writable = found.first, found.second, bool(found.count & Where.WRITABLE)
        if found.count & Where.CLIENT:
            (address,) = PLACE.unpack(found.content)
            return ClientRange(start, start + size, writable, address - start, self._memory)
        if not found.count & Where.FILE:
            return None
        (offset,) = PLACE.unpack(found.content)
        try:
            access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
            mapped = mmap.mmap(found.file, size, offset=offset, access=access)
        finally:
            os.close(found.file)
        return Range(start, np.frombuffer(mapped, np.uint8), writable)
