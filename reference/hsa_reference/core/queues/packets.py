"""What the packets of a queue ask for."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from ctypes import string_at
from dataclasses import dataclass
from math import prod

from hsa_reference.core.queues.ring import PACKET, Source, StoppedError
from hsa_reference.core.queues.scratch import Scratch
from hsa_reference.core.signals.conditions import EQ, NE, meets
from hsa_reference.kernels import Dispatch, DispatchContext, DispatchEndedError, Launch, View
from hsa_reference.native import ACQUIRE, Native

# The formats of packets in hsa.h; the last is one of hsa_ext_amd.h, after a vendor's header.
_VENDOR, _DISPATCH, _BARRIER_AND, _BARRIER_OR = 0, 2, 3, 5
_BARRIER_VALUE = 2

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
class Agent:
    """What an agent does with dispatches.

    Args:
        work_items: the most of a work-group.
        group_segment: the most bytes that a work-group shares.
        find: returns what runs a kernel, by its kernel object, None where nothing does.
        queue: the address of the queue that it processes.
        compute_units: how many it has.
        views: maps the memory that the runtime gave out, for the agent; see `DispatchContext`.
        scratch: that its dispatches use.

    """

    work_items: int
    group_segment: int
    find: Callable[[int], Launch | None]
    queue: int
    compute_units: int
    views: Callable[[], Sequence[View]]
    scratch: Scratch


class Packets:
    """Does what packets ask for. Fences need nothing: each access is made by the host.

    Args:
        source: of the packets.
        agent: that processes them.
        native: the atomic operations.

    """

    def __init__(self, source: Source, agent: Agent, native: Native) -> None:
        self._wait = source.wait
        self._agent = agent
        self._load = native.signal_load
        self._surroundings = DispatchContext(
            agent.queue, agent.compute_units, agent.views, source.stopped
        )

    def perform(self, address: int, number: int) -> int:
        """Do what a packet asks for, and return its completion signal, 0 for none.

        Args:
            address: of the packet.
            number: of the packet in its queue.

        Raises:
            PacketError: the packet is wrong.
            StoppedError: the queue is stopped while the packet waits.

        """
        packet = string_at(address, PACKET)
        kind = packet[0]
        if kind == _DISPATCH:
            return self._dispatch(packet, address, number)
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

    def _dispatch(self, packet: bytes, address: int, number: int) -> int:
        """Launch a dispatch after the checks of an agent, and return its completion signal."""
        values = _DISPATCH_LAYOUT.unpack(packet)
        dimensions, group, grid = values[1] & 3, values[2:5], values[6:9]
        private_segment, group_segment, kernel, arguments, _, completion = values[9:]
        if not dimensions or not all(group) or not all(grid):
            raise PacketError("HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS")
        if any(size != 1 for size in (*group[dimensions:], *grid[dimensions:])):
            raise PacketError("HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS")
        if any(most < size for most, size in zip(grid, group, strict=True)):
            raise PacketError("HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS")
        if group[0] * group[1] * group[2] > self._agent.work_items:
            raise PacketError("HSA_STATUS_ERROR_INVALID_ARGUMENT")
        if group_segment > self._agent.group_segment:
            raise PacketError("HSA_STATUS_ERROR_OUT_OF_RESOURCES")
        launch = self._agent.find(kernel)
        if launch is None:
            raise PacketError("HSA_STATUS_ERROR_INVALID_CODE_OBJECT")
        if private_segment:
            self._agent.scratch.use(self._agent.queue, private_segment * prod(grid))
        try:
            launch(
                Dispatch(
                    *(address, group, grid, arguments, group_segment, private_segment, number),
                    surroundings=self._surroundings,
                )
            )
        except DispatchEndedError as ended:
            self._agent.scratch.leave(self._agent.queue)
            raise PacketError(ended.status) from ended
        if self._surroundings.stopped():
            raise StoppedError
        found: int = completion
        return found

    def _all_at_zero(self, signals: list[int]) -> None:
        """Wait until each of these has been 0, not necessarily at one time."""
        for signal in signals:
            if self._load(signal, ACQUIRE):
                self._wait([signal], EQ, 0)

    def _masked(self, signal: int, condition: int, value: int, mask: int) -> None:
        """Wait until what a mask leaves of a signal's value meets a condition."""
        while not meets((seen := self._load(signal, ACQUIRE)) & mask, condition, value):
            self._wait([signal], NE, seen)
