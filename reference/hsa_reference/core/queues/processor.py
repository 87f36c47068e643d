"""The packet processor of a queue: it reads the packets, in order, on a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hsa_reference.core.queues.packets import Limits, PacketError, Packets
from hsa_reference.core.queues.ring import Ring, StoppedError
from hsa_reference.native import SEQ_CST, Native


class Processor:
    """Processes the packets of one queue.

    A packet completes before the next one is looked at, which is what the barrier bit asks for, and
    is allowed without it.

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
        self._packets = Packets(ring, limits, native)
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
        self._ring.stop()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        try:
            for index, address in self._ring.packets():
                completion = self._packets.perform(address)
                self._ring.give_back(index)
                if completion:
                    self._native.signal_subtract(completion, 1, SEQ_CST)
        except PacketError as error:
            self._report(error.status)
        except StoppedError:
            pass
