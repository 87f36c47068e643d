"""Packets that a client stored in a ring, read when it rings the doorbell."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hsa_reference.checking import own_memory

# Packets and their headers are those of hsa.h.
PACKET: Final = 64
VENDOR, INVALID, KERNEL, BARRIER_AND, AGENT, BARRIER_OR = range(6)
SYSTEM_SCOPE: Final = 2
_SCOPES = ("none", "agent", "system")
#: Where the index of the reader is, in bytes from the start of the hsa_queue_t, as in ROCr's
#: amd_hsa_queue.h.
_READ_INDEX = 128


@dataclass(frozen=True)
class Packet:
    """A packet in a ring.

    Attributes:
        index: its number in the queue.
        data: its 64 bytes.

    """

    index: int
    data: bytes

    @property
    def header(self) -> int:
        """Return the first 16 bits."""
        return self._number("H", 0)

    @property
    def type(self) -> int:
        """Return the kind of the packet, a hsa_packet_type_t."""
        return self.header & 0xFF

    @property
    def release_scope(self) -> int:
        """Return how far the release fence goes, a hsa_fence_scope_t."""
        return self.header >> 11 & 3

    @property
    def completion(self) -> int:
        """Return the handle of the completion signal, 0 where there is none."""
        return 0 if self.type == VENDOR else self._number("Q", 56)

    @property
    def dependencies(self) -> tuple[int, ...]:
        """Return the signals that a barrier waits for."""
        if self.type not in (BARRIER_AND, BARRIER_OR):
            return ()
        return tuple(s for s in struct.unpack_from("=5Q", self.data, 8) if s)

    def blocks(self) -> bool:
        """Return whether this is a barrier that certainly waits for its signals."""
        values = [own_memory.value_of(signal) for signal in self.dependencies]
        waiting = [value not in (0, None) for value in values]
        return all(waiting) and bool(waiting) if self.type == BARRIER_OR else any(waiting)

    def mistakes(self) -> Iterator[str]:
        """Yield what is wrong with the packet itself, with its sort first."""
        where = f"packet {self.index}"
        if self.type > BARRIER_OR:
            yield f"wrong packet type: {where} has the type {self.type}, which is none"
            return
        if self.header >> 13:
            yield f"reserved bits: {where} sets reserved bits of its header ({self.header:#06x})"
        if 3 in (self.release_scope, self.header >> 9 & 3):
            yield f"wrong fence scope: {where} has the scope 3, which is none ({self.header:#06x})"
        if self.type == KERNEL:
            yield from self._launch(where)
        if self.type in (BARRIER_AND, BARRIER_OR) and any(self.data[2:8]):
            yield f"reserved bits: {where}, a barrier, sets reserved bits behind its header"

    def _launch(self, where: str) -> Iterator[str]:
        setup = self._number("H", 2)
        dimensions = setup & 3
        if dimensions == 0:
            yield f"wrong dimensions: {where} has 0 dimensions, and 1 to 3 are possible"
        if setup >> 2:
            yield f"reserved bits: {where} sets reserved bits of its setup ({setup:#06x})"
        groups = struct.unpack_from("=3H", self.data, 4)
        grids = struct.unpack_from("=3I", self.data, 12)
        if 0 in groups or 0 in grids:
            yield f"wrong size: {where} has a work-group {groups} in a grid {grids}, with a size 0"

    def _number(self, code: str, offset: int) -> int:
        number: int = struct.unpack_from(f"={code}", self.data, offset)[0]
        return number


@dataclass
class Ring:
    """The ring of a queue, in the client's memory.

    Attributes:
        queue: address of the hsa_queue_t.
        base: address of the first packet.
        doorbell: handle of the signal.
        size: how many packets there is room for.
        seen: the packets before this one were looked at.
        released: the last packet seen that releases memory to the whole system.

    """

    queue: int
    base: int
    doorbell: int
    size: int
    seen: int = 0
    released: int = -1

    @classmethod
    def of(cls, queue: int) -> Ring | None:
        """Return the ring of a queue, None where it cannot be read."""
        found = own_memory.read(queue, 40)
        if found is None:
            return None
        base, doorbell, size = struct.unpack_from("=QQI", found, 8)
        return cls(queue, base, doorbell, size) if size else None

    @property
    def read_index(self) -> int:
        """Return the number of the first packet that was not processed."""
        return own_memory.word(self.queue + _READ_INDEX) or 0

    def new(self, last: int) -> Iterator[Packet]:
        """Yield the packets up to `last` that were not looked at yet and are not processed."""
        for index in range(max(self.seen, self.read_index, last - self.size + 1), last + 1):
            packet = self.at(index)
            if packet is not None and packet.type != INVALID:
                yield packet
        self.seen = max(self.seen, last + 1)

    def waits(self, packet: Packet) -> bool:
        """Return whether a packet is certainly not processed yet, and will be.

        A queue in an error state processes nothing any more, and shows it nowhere: what it waits
        for has to be a barrier whose signals are not zero.
        """
        now = self.at(packet.index)
        first = self.read_index
        if now is None or now.data != packet.data or packet.index < first:
            return False
        front = self.at(first)
        return front is not None and front.blocks()

    def at(self, index: int) -> Packet | None:
        """Return what is in the place of a packet, None where it cannot be read."""
        data = own_memory.read(self.base + index % self.size * PACKET, PACKET)
        return None if data is None else Packet(index, data)


def scope(number: int) -> str:
    """Return a hsa_fence_scope_t in a word."""
    return _SCOPES[number] if number < len(_SCOPES) else str(number)
