"""One queue: its dispatches, one after the other."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from hsa_device.errors import (
    DeviceError,
    FormatError,
    IllegalInstructionError,
    MemoryFaultError,
    NotExecutedError,
    ResourcesError,
    TrapError,
)
from hsa_device.execution.device import Device
from hsa_device.execution.dispatch import Dispatch, Scratch
from hsa_device.execution.machine import Machine
from hsa_device.memory import Memory
from hsa_device.server.channel import Channel, ReceivedMessage
from hsa_device.server.places import Places
from hsa_device.targets import Target
from hsa_device.wire import DISPATCH, EXECUTED, Message, Outcome

#: A dispatch packet (hsa.h): header, set-up, work-group, grid, scratch, LDS, kernel, arguments,
#: signal.
_PACKET = struct.Struct("<HH3HHIIIIIQQQQ")
#: Where kernels see LDS: no memory of a program lies there.
_LOCAL = 1 << 47
#: What a queue's structure, amd_queue_t in ROCr's amd_hsa_queue.h, says of scratch, and where: the
#: size of the ring, a resource, and where it begins.
_SCRATCH, _SCRATCH_PLACE = struct.Struct("<I4IQ"), 140

_OUTCOMES: Sequence[tuple[type[DeviceError], Outcome]] = (
    (IllegalInstructionError, Outcome.ILLEGAL_INSTRUCTION),
    (MemoryFaultError, Outcome.MEMORY_FAULT),
    (TrapError, Outcome.TRAP),
    (ResourcesError, Outcome.RESOURCES),
    (FormatError, Outcome.BAD_KERNEL),
)


class Queue:
    """A queue.

    Args:
        connection: with its driver.
        machines: the GPUs of the machine, by their numbers.
        direct: whether the device may reach into the client.
        quiet: whether to say nothing of kernels that end before their time as on hardware.

    """

    def __init__(
        self, connection: socket.socket, machines: Sequence[Machine], *, direct: bool, quiet: bool
    ) -> None:
        self._channel = Channel(connection, self._forget)
        self._places = Places(self._channel, direct=direct)
        self._memory = Memory(self._places.ranges, self._places.find)
        self._machines = machines
        self._quiet = quiet
        self._notes: set[str] = set()
        self._channel.end_with_client()

    def serve(self) -> None:
        """Execute dispatches for as long as there are any.

        Raises:
            GoneError: there are no more.

        """
        while True:
            received = self._channel.receive()
            assert received.kind == Message.DISPATCH
            outcome, address, text = self._run(received)
            self._forget()
            if text and (outcome == Outcome.LACKING or not self._quiet):
                print(f"hsa_device: {text}", file=sys.stderr, flush=True)
            self._channel.send(Message.ENDED, outcome, address, content=text.encode()[:1024])

    def _forget(self) -> None:
        self._places.forget()
        self._memory.refresh()

    def _stopped(self) -> bool:
        self._channel.look()
        return False

    def _interrupt(self, number: int) -> None:
        self._channel.send(Message.INTERRUPT, first=number)

    def _note(self, how: str, names: Iterable[str]) -> None:
        """Write down how instructions were executed, each once."""
        lines = {f"{how} {name}\n" for name in names} - self._notes
        self._notes |= lines
        if lines:
            with Path(EXECUTED).open("a", encoding="ascii") as file:
                file.write("".join(sorted(lines)))

    def _scratch(self, dispatch: Dispatch, target: Target) -> Scratch:
        """Return the scratch that the runtime has given to the queue."""
        content = self._memory.read(dispatch.queue + _SCRATCH_PLACE, _SCRATCH.size)
        ring, first, second, third, fourth, start = _SCRATCH.unpack(content)
        waves, wave = (ring & 0xFFF) * target.engines, (ring >> 12 & 0x7FFF) * target.scratch_unit
        resource = first, second, third, fourth
        return Scratch(start, wave, dispatch.private_segment, waves, resource)

    def _run(self, received: ReceivedMessage) -> tuple[Outcome, int, str]:
        dispatch = _dispatch(received)
        try:
            machine = self._machines[received.count]
            device = Device(machine, self._memory, _LOCAL, self._interrupt)
            scratch = self._scratch(dispatch, machine.target)
            done = device.run(replace(dispatch, scratch=scratch), self._stopped)
            self._note("exact", done.exact)
            self._note("near", done.approximate)
        except DeviceError as error:
            if isinstance(error, NotExecutedError) and error.name:
                self._note("lacking", [error.name])
            outcomes = (to for kind, to in _OUTCOMES if isinstance(error, kind))
            address = error.address if isinstance(error, MemoryFaultError) else 0
            text = f"kernel at {dispatch.kernel:#x}: {error}"
            return next(outcomes, Outcome.LACKING), address, text
        return Outcome.COMPLETE, 0, ""


def _dispatch(received: ReceivedMessage) -> Dispatch:
    packet, number = DISPATCH.unpack(received.content)
    _, _, *numbers = _PACKET.unpack(packet)
    x, y, z, _, width, height, depth, private, group, kernel, arguments, _, _ = numbers
    return Dispatch(
        kernel,
        (x, y, z),
        (width, height, depth),
        arguments,
        group,
        private,
        received.first,
        received.second,
        number,
    )
