"""The packet processor of a queue: it reads the packets, in order, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hsa_reference.core.queues.packets import Agent, PacketError, Packets
from hsa_reference.core.queues.ring import Source, StoppedError
from hsa_reference.core.signals.state import Signals
from hsa_reference.core.system import timestamp
from hsa_reference.defects import report_defect
from hsa_reference.effects import RuntimeThread
from hsa_reference.native import SEQ_CST

#: What a queue's callback is told where the error is ours.
FATAL = "HSA_STATUS_ERROR_FATAL"
#: Called once, with the name of a status, for a packet that is wrong.
Report = Callable[[str], None]


class Worker(Protocol):
    """What works on the packets of a queue, on threads of its own."""

    def start(self) -> None:
        """Begin to work.

        Raises:
            OSError: the system has no thread left.

        """
        ...

    def stop(self) -> None:
        """Begin no packet any more, and end what waits; the lock of the process is held."""
        ...

    def end(self) -> None:
        """Wait until the threads that were stopped have ended; see `RuntimeThread.end`.

        The lock of the process is not held.
        """
        ...

    def record_times(self, on: bool) -> None:
        """Let the completion signals of packets have their times from now on, or no longer."""
        ...


class Processor:
    """Processes the packets of one queue.

    A packet completes before the next one is looked at, which is what the barrier bit asks for, and
    is allowed without it.

    Args:
        source: of the packets.
        agent: that processes them.
        signals: of the runtime.
        report: called once, with the name of a status, for a packet that is wrong.

    """

    def __init__(self, source: Source, agent: Agent, signals: Signals, report: Report) -> None:
        self._source = source
        self._packets = Packets(source, agent, signals.native)
        self._signals = signals
        self._records_times = False
        self._report = report
        self._agent = agent
        self._thread = RuntimeThread("hsa-queue", self._run)

    def start(self) -> None:
        """Begin to process packets.

        Raises:
            OSError: the system has no thread left.

        """
        self._thread.start()

    def stop(self) -> None:
        """Begin no packet any more, and end what waits; the lock of the process is held."""
        self._source.stop()

    def end(self) -> None:
        """Wait until the thread that was stopped has ended; see `RuntimeThread.end`."""
        self._thread.end()

    def record_times(self, on: bool) -> None:
        """Let the completion signals of packets have their times from now on, or no longer."""
        self._records_times = on

    def _run(self) -> None:
        try:
            for index, address in self._source.packets():
                start = timestamp()
                completion = self._packets.perform(address, index)
                if completion and self._records_times:
                    self._signals.set_times(completion, start, timestamp())
                self._source.give_back(index)
                if completion:
                    self._signals.native.signal_subtract(completion, 1, SEQ_CST)
                self._agent.scratch.leave(self._agent.queue)
        except PacketError as error:
            self._report(error.status)
        except StoppedError:
            pass
        except Exception as error:  # ours, or of what runs kernels
            report_defect("a queue", error)
            self._report(FATAL)
        finally:
            self._agent.scratch.leave(self._agent.queue)
