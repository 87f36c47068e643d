"""The packet processor of a queue: it reads the ring, in order, on a thread of its own."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator
from ctypes import string_at
from dataclasses import dataclass
from itertools import count

from hsa_reference.core.signals.conditions import EQ, NE, meets
from hsa_reference.native import ACQUIRE, RELEASE, SEQ_CST, Native

#: The size of a packet in bytes.
PACKET = 64
#: The header of a packet that is not to be processed.
INVALID = 1

# The formats of packets; the last is one of AMD's, behind the header of a vendor's packet.
_VENDOR, _DISPATCH, _BARRIER_AND, _BARRIER_OR = 0, 2, 3, 5
_BARRIER_VALUE = 2
# How long a queue rests without a look at its ring, in ns, at first and at most: a producer may
# ring with a value that the doorbell has already, and its store is no news then.
_SHORT_REST, _LONG_REST = 10**6, 10**9

_DISPATCH_LAYOUT = struct.Struct("<HHHHHHIIIIIQQQQ")
_BARRIER_LAYOUT = struct.Struct("<HHI5QQQ")
_VALUE_LAYOUT = struct.Struct("<HBBIQqqIIQQQ")


class PacketError(Exception):
    """A packet that puts its queue into the error state.

    Args:
        status: what the queue's callback is told.

    """

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Limits:
    """What a dispatch may ask of an agent.

    Args:
        work_items: the most of a work-group.
        group_segment: the most bytes that a work-group shares.

    """

    work_items: int
    group_segment: int


@dataclass(frozen=True)
class Ring:
    """Where a processor finds what it works on.

    Args:
        address: of the first packet.
        size: how many packets there are, a power of two.
        read_index: the address of the index of the next packet to be read.
        doorbell: the signal that producers ring.
        stop: the signal that ends the processor when it is not 0.

    """

    address: int
    size: int
    read_index: int
    doorbell: int
    stop: int


class Processor:
    """Processes the packets of one queue.

    A packet completes before the next one is looked at, which is what the barrier bit asks for, and
    is allowed without it. Fences need nothing: each access is made by the host.

    Args:
        ring: of the queue.
        limits: of the agent.
        native: the atomic operations.
        report: called once, with the name of a status, for a packet that is wrong.

    """

    def __init__(
        self, ring: Ring, limits: Limits, native: Native, report: Callable[[str], None]
    ) -> None:
        self._ring = ring
        self._limits = limits
        self._native = native
        self._report = report
        self._thread = threading.Thread(target=self._run, name="hsa-queue", daemon=True)

    def start(self) -> None:
        """Begin to process packets.

        Raises:
            RuntimeError: the system has no thread left.

        """
        self._thread.start()

    def stop(self) -> None:
        """Process no packet any more; a callback may call this, too."""
        self._native.signal_store(self._ring.stop, 1, SEQ_CST)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        native, ring = self._native, self._ring
        try:
            for index in self._packets():
                address = ring.address + PACKET * (index % ring.size)
                completion = self._process(address)
                native.store_16(address, INVALID, RELEASE)
                native.store_64(ring.read_index, index + 1, RELEASE)
                if completion:
                    native.signal_subtract(completion, 1, SEQ_CST)
        except PacketError as error:
            self._report(error.status)
        except _StoppedError:
            pass

    def _packets(self) -> Iterator[int]:
        """Yield the index of each packet as soon as it can be processed, until the queue stops."""
        native, ring = self._native, self._ring
        for index in count():
            slot = ring.address + PACKET * (index % ring.size)
            rest = _SHORT_REST
            while True:
                rung = native.signal_load(ring.doorbell, ACQUIRE)
                if native.signal_load(ring.stop, ACQUIRE):
                    return
                if native.load_16(slot, ACQUIRE) & 0xFF != INVALID:
                    break
                signals = [ring.doorbell, ring.stop]
                native.signal_wait_any(signals, [NE, NE], [rung, 0], rest)
                rest = min(2 * rest, _LONG_REST)
            yield index

    def _process(self, address: int) -> int:
        """Do what a packet asks for, and return its completion signal, 0 for none."""
        packet = string_at(address, PACKET)
        kind = packet[0]
        if kind == _DISPATCH:
            return self._dispatch(packet)
        if kind in (_BARRIER_AND, _BARRIER_OR):
            *signals, _, completion = _BARRIER_LAYOUT.unpack(packet)[3:]
            present = [signal for signal in signals if signal]
            if kind == _BARRIER_AND:
                self._all_at_zero(present)
            else:
                self._wait(present, EQ, 0)
        elif kind == _VENDOR and packet[2] == _BARRIER_VALUE:
            signal, value, mask, condition, *_, completion = _VALUE_LAYOUT.unpack(packet)[4:]
            if signal:
                self._masked(signal, condition, value, mask)
        else:
            raise PacketError("HSA_STATUS_ERROR_INVALID_PACKET_FORMAT")
        found: int = completion
        return found

    def _dispatch(self, packet: bytes) -> int:
        """Check a dispatch as an agent does before it launches one."""
        values = _DISPATCH_LAYOUT.unpack(packet)
        dimensions, group, grid = values[1] & 3, values[2:5], values[6:9]
        group_segment = values[10]
        if not dimensions or not all(group) or not all(grid):
            raise PacketError("HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS")
        if any(size != 1 for size in (*group[dimensions:], *grid[dimensions:])):
            raise PacketError("HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS")
        if group[0] * group[1] * group[2] > self._limits.work_items:
            raise PacketError("HSA_STATUS_ERROR_INVALID_ARGUMENT")
        if group_segment > self._limits.group_segment:
            raise PacketError("HSA_STATUS_ERROR_OUT_OF_RESOURCES")
        # No kernel object is one that something here could run.
        raise PacketError("HSA_STATUS_ERROR_INVALID_CODE_OBJECT")

    def _all_at_zero(self, signals: list[int]) -> None:
        """Wait until each of these has been 0, not necessarily at one time."""
        for signal in signals:
            if self._native.signal_load(signal, ACQUIRE):
                self._wait([signal], EQ, 0)

    def _masked(self, signal: int, condition: int, value: int, mask: int) -> None:
        """Wait until what a mask leaves of a signal's value meets a condition."""
        load = self._native.signal_load
        while not meets((seen := load(signal, ACQUIRE)) & mask, condition, value):
            self._wait([signal], NE, seen)

    def _wait(self, signals: list[int], condition: int, value: int) -> None:
        """Wait until one of these meets a condition.

        Raises:
            _StoppedError: the queue is stopped meanwhile.

        """
        last = len(signals)
        found, _ = self._native.signal_wait_any(
            [*signals, self._ring.stop], [condition] * last + [NE], [value] * last + [0]
        )
        if found == last:
            raise _StoppedError


class _StoppedError(Exception):
    """The queue is inactive or destroyed."""
