"""Queues whose packets the application gets before the packet processor."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import addressof, create_string_buffer, string_at
from dataclasses import dataclass
from itertools import count
from queue import SimpleQueue

from hsa_reference.callbacks import intercept, packet_writer
from hsa_reference.core.queues.packets import Agent
from hsa_reference.core.queues.processor import FATAL, Processor, Report
from hsa_reference.core.queues.ring import PACKET, Ring
from hsa_reference.core.signals.state import Signals
from hsa_reference.defects import report_defect
from hsa_reference.effects import LOCK, RuntimeThread
from hsa_reference.objects import Listed
from hsa_reference.undoing import undoing


class Pipe:
    """Packets on their way from the last handler to the packet processor.

    Args:
        ring: of the queue, which ends the waits for both.

    """

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._waiting: SimpleQueue[bytes] = SimpleQueue()
        self._stopped = False

    def put(self, packets: int, number: int) -> None:
        """Add packets.

        Args:
            packets: the address of the first.
            number: how many there are.

        """
        for i in range(number):
            self._waiting.put(string_at(packets + PACKET * i, PACKET))

    def packets(self) -> Iterator[tuple[int, int]]:
        """Yield index and address of each packet until the end."""
        for index in count():
            packet = self._waiting.get()
            if self._stopped:
                return
            copy = create_string_buffer(packet, PACKET)
            yield index, addressof(copy)

    def give_back(self, index: int) -> None:
        """Do nothing: no producer waits for the place of a packet here."""

    def wait(self, signals: list[int], condition: int, value: int) -> None:
        """Wait until one of these signals meets a condition.

        Raises:
            StoppedError: the queue is stopped meanwhile.

        """
        self._ring.wait(signals, condition, value)

    def stop(self) -> None:
        """Yield no packet any more, and read none from the ring."""
        self._stopped = True
        self._waiting.put(b"")  # whoever waits for a packet has to look
        self._ring.stop()

    def stopped(self) -> bool:
        """Return whether it was stopped."""
        return self._stopped


@dataclass(frozen=True)
class Handler:
    """A function of the application, with its data and the function that it writes packets with."""

    callback: int
    data: int
    writer: int
    references: object


class Interceptor:
    """Hands the packets of a ring to the handlers, and what they write to a packet processor.

    Handlers are called on a thread of their own, so that they see packets that are submitted while
    an earlier one waits.

    Args:
        ring: of the queue.
        agent: that processes the packets.
        signals: of the runtime.
        report: called once, with the name of a status, for a packet that is wrong.

    """

    def __init__(self, ring: Ring, agent: Agent, signals: Signals, report: Report) -> None:
        self._ring = ring
        self._pipe = Pipe(ring)
        self._report = report
        self._processor = Processor(self._pipe, agent, signals, self._fail)
        self._handlers: Listed[Handler] = Listed()
        self._index = 0
        self._stopped = self._failed = False
        self._thread = RuntimeThread("hsa-interceptor", self._run)

    def register(self, callback: int, data: int) -> None:
        """Let a handler have the packets that are read from now on, before the others get them.

        Args:
            callback: the handler.
            data: what it gets.

        Raises:
            OSError: there is no memory.

        """
        below = len(self._handlers)
        writer, kept = packet_writer(lambda packets, number: self._pass(packets, number, below))
        self._handlers.append(Handler(callback, data, writer, kept))

    def start(self) -> None:
        """Begin to hand packets on.

        Raises:
            OSError: the system has no thread left.

        """
        self._processor.start()
        with undoing(self._end_processor):
            self._thread.start()

    def _end_processor(self) -> None:
        self._processor.stop()
        self._processor.end()

    def stop(self) -> None:
        """Hand no packet on any more; the lock of the process is held."""
        self._stopped = True
        self._processor.stop()

    def end(self) -> None:
        """Wait until both threads have ended; see `RuntimeThread.end`."""
        self._processor.end()
        self._thread.end()

    def record_times(self, on: bool) -> None:
        """Let the completion signals of packets have their times from now on, or no longer."""
        self._processor.record_times(on)

    def _run(self) -> None:
        try:
            self._hand_on()
        except Exception as error:
            report_defect("a queue", error)
            self._fail(FATAL)

    def _hand_on(self) -> None:
        for index, address in self._ring.packets():
            self._index = index
            self._pass(address, 1, len(self._handlers))
            if self._stopped:  # a handler may have ended the queue
                return
            self._ring.give_back(index)

    def _pass(self, packets: int, number: int, handlers: int) -> None:
        """Give packets to the last of so many handlers, or to the packet processor after all."""
        if not handlers:
            self._pipe.put(packets, number)
            return
        handler = self._handlers[handlers - 1]
        intercept(handler.callback, packets, number, self._index, handler.data, handler.writer)

    def _fail(self, status: str) -> None:
        """Read no packet any more, and tell the application of the first error."""
        with LOCK:
            first, self._failed = not self._failed, True
            self._ring.stop()
        if first:
            self._report(status)
