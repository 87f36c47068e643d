"""All memory that the runtime knows, by address, and the bytes in it."""

from __future__ import annotations

import ctypes
import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hsa_reference import memory
from hsa_reference.core.memory.heaps import Heap
from hsa_reference.effects import LOCK
from hsa_reference.kernels import View
from hsa_reference.objects import Listed
from hsa_reference.ranges import Ranges
from hsa_reference.state import Part, State

#: Other calls wait for no longer than it takes to copy so many bytes.
_CHUNK = 1 << 20


class Watcher(NamedTuple):
    """A function of the application that wants to know when memory is given back.

    Args:
        address: what it was registered with, which lies in the memory.
        callback: the function.
        data: what it is called with, beside the address.

    """

    address: int
    callback: int
    data: int


@dataclass(eq=False)
class Place(ABC):
    """Memory that the runtime knows, where the process finds it.

    Args:
        address: its start.
        size: in bytes.
        user_data: the pointer that the application keeps with it.
        watchers: whom to call when it is given back.

    """

    address: int
    size: int
    user_data: int = field(default=0, kw_only=True)
    watchers: Listed[Watcher] = field(default_factory=Listed, kw_only=True)

    @property
    @abstractmethod
    def agent(self) -> int:
        """Return the handle of the agent that the memory belongs to."""

    @property
    @abstractmethod
    def flags(self) -> int:
        """Return a bit set of hsa_amd_memory_pool_global_flag_t."""

    @property
    @abstractmethod
    def agents(self) -> Collection[int]:
        """Return the handles of the agents that can access it."""


@dataclass(eq=False)
class DescriptorMemory(Place):
    """Memory behind a descriptor, in which the runtime finds it whoever is allowed to access it.

    Args:
        descriptor: of the memory, from its start on.

    """

    descriptor: int

    @property
    @abstractmethod
    def heap(self) -> Heap:
        """Return where the memory is."""

    @property
    def agent(self) -> int:
        """Return the handle of the agent that the memory belongs to."""
        return self.heap.agent

    @property
    def flags(self) -> int:
        """Return a bit set of hsa_amd_memory_pool_global_flag_t."""
        return self.heap.model.flags


class Places(Part):
    """The memory that the runtime gave out or was told of.

    Bytes of shared memory are read and written through its descriptor, as an agent would that has
    access of its own; all other memory is the program's, and accessed as it is.

    Attributes:
        era: how often all memory was given back.

    """

    def __init__(self, state: State) -> None:
        self.era = 0
        self._descriptor_ranges: list[Ranges[Any]] = []
        self._look_ups: list[Callable[[int], Place | None]] = []
        state.facts["is_known_memory"] = lambda address: self.around(address) is not None
        state.facts["is_known_start"] = self._is_start

    def release(self) -> None:
        """Begin another era; whoever has the memory gives it back."""
        self.era += 1

    def add_backed(self, ranges: Ranges[Any]) -> None:
        """Know the memory behind descriptors that a topic has in its ranges."""
        self._descriptor_ranges.append(ranges)
        self._look_ups.append(ranges.around)

    def add(self, around: Callable[[int], Place | None]) -> None:
        """Know what a topic finds around an address; the memory is the program's."""
        self._look_ups.append(around)

    def hold(self, descriptor: int) -> bool:
        """Return whether some of the memory is behind this descriptor, and so nobody closes it."""
        return any(p.descriptor == descriptor for ranges in self._descriptor_ranges for p in ranges)

    def around(self, address: int) -> Place | None:
        """Return what contains an address."""
        found = (look_up(address) for look_up in self._look_ups)
        return next((place for place in found if place is not None), None)

    def copy(self, target: int, source: int, size: int, era: int | None = None) -> None:
        """Copy bytes between two places that do not overlap.

        Args:
            target: where to.
            source: where from.
            size: how many bytes.
            era: the one that the places are of; nothing is copied in another one.

        Raises:
            OSError: the kernel refuses an address.

        """
        for done in range(0, size, _CHUNK):
            with LOCK:
                if era not in (None, self.era):
                    return
                data = self.read(source + done, min(_CHUNK, size - done))
                self.write(target + done, data)

    def swap(self, one: int, other: int, size: int, era: int) -> None:
        """Exchange the bytes of two places that do not overlap; see `copy`."""
        for done in range(0, size, _CHUNK):
            with LOCK:
                if era != self.era:
                    return
                length = min(_CHUNK, size - done)
                data = self.read(one + done, length)
                self.write(one + done, self.read(other + done, length))
                self.write(other + done, data)

    def read(self, address: int, size: int) -> bytes:
        """Return the bytes at an address; LOCK is held."""
        return b"".join(
            ctypes.string_at(start, length)
            if place is None
            else os.pread(place.descriptor, length, start - place.address)
            for start, length, place in self._pieces(address, size)
        )

    def write(self, address: int, data: bytes) -> None:
        """Write bytes to an address; LOCK is held."""
        for start, length, place in self._pieces(address, len(data)):
            part = data[start - address : start - address + length]
            if place is None:
                ctypes.memmove(start, part, length)
            else:
                os.pwrite(place.descriptor, part, start - place.address)

    @contextmanager
    def within_reach(self, address: int, size: int) -> Iterator[int]:
        """Give an address where the process can access bytes that it may be shut out of.

        There operations are atomic, as those of an agent with access of its own; LOCK is held.

        Args:
            address: of the bytes.
            size: how many there are.

        Raises:
            OSError: some of them lie behind the end of their place, or the kernel refuses.

        """
        around = (ranges.around(address) for ranges in self._descriptor_ranges)
        place: DescriptorMemory | None = next(filter(None, around), None)
        if place is None:
            yield address
            return
        offset = address - place.address
        if offset + size > place.size:
            raise OSError(errno.EFAULT, os.strerror(errno.EFAULT))
        start = memory.map_shared(place.size, place.descriptor, memory.READ_WRITE)
        try:
            yield start + offset
        finally:
            memory.unmap(start, place.size)

    def views(self, agent: int) -> list[View]:
        """Map all memory behind descriptors that an agent has access to; who asks unmaps it again.

        Args:
            agent: its handle.

        Raises:
            OSError: the kernel refuses.

        """
        with LOCK:
            return [
                View(p.address, p.size, self._mapped(p) if agent in p.agents else 0)
                for ranges in self._descriptor_ranges
                for p in ranges
            ]

    def _mapped(self, place: DescriptorMemory) -> int:
        return memory.map_shared(place.size, place.descriptor, memory.READ_WRITE)

    def _pieces(
        self, address: int, size: int
    ) -> Iterator[tuple[int, int, DescriptorMemory | None]]:
        """Part a range where shared memory starts or ends."""
        end = address + size
        found: list[DescriptorMemory] = [
            p for t in self._descriptor_ranges for p in t.overlapping(address, size)
        ]
        for place in sorted(found, key=lambda p: p.address):
            if address < place.address:
                yield address, place.address - address, None
                address = place.address
            length = min(end, place.address + place.size) - address
            yield address, length, place
            address += length
        if address < end:
            yield address, end - address, None

    def _is_start(self, address: int) -> bool:
        place = self.around(address)
        return place is not None and place.address == address
