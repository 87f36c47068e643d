"""A ring of packets in memory, as whoever reads it sees it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Protocol

from hsa_reference.core.signals.conditions import NE
from hsa_reference.native import ACQUIRE, RELEASE, SEQ_CST, Native

#: The size of a packet in bytes.
PACKET = 64
#: The header of a packet that is not to be processed.
INVALID = 1

# How long a reader rests without a look at its ring, in ns, at first and at most: a producer may
# ring with a value that the doorbell has already, and its store is no news then.
_SHORT_REST, _LONG_REST = 10**6, 10**9


class StoppedError(Exception):
    """The queue is inactive or destroyed."""


class Source(Protocol):
    """Where packets come from."""

    def packets(self) -> Iterator[tuple[int, int]]:
        """Yield index and address of each packet once it can be processed, until the end."""
        ...

    def give_back(self, index: int) -> None:
        """Let the place of a packet be used again."""
        ...

    def wait(self, signals: list[int], condition: int, value: int) -> None:
        """Wait until one of these signals meets a condition.

        Raises:
            StoppedError: the queue is stopped meanwhile.

        """
        ...

    def stop(self) -> None:
        """Yield no packet any more, and end what waits."""
        ...

    def stopped(self) -> bool:
        """Return whether it was stopped."""
        ...


class Ring:
    """The ring of a queue.

    Args:
        native: the atomic operations.
        address: of the first packet.
        size: how many packets there are, a power of two.
        read_index: the address of the index of the next packet to be read.
        doorbell: the signal that producers ring.
        stop: the signal that ends the reading when it is not 0.

    """

    def __init__(
        self, native: Native, address: int, size: int, read_index: int, doorbell: int, stop: int
    ) -> None:
        self._native = native
        self._address = address
        self._size = size
        self._read_index = read_index
        self._doorbell = doorbell
        self._stop = stop

    def packets(self) -> Iterator[tuple[int, int]]:
        """Yield index and address of each packet once it can be processed, until the end."""
        native = self._native
        for index in count():
            slot = self._slot(index)
            rest = _SHORT_REST
            while True:
                rung = native.signal_load(self._doorbell, ACQUIRE)
                if native.signal_load(self._stop, ACQUIRE):
                    return
                if native.load_16(slot, ACQUIRE) & 0xFF != INVALID:
                    break
                signals = [self._doorbell, self._stop]
                native.signal_wait_any(signals, [NE, NE], [rung, 0], rest)
                rest = min(2 * rest, _LONG_REST)
            yield index, slot

    def give_back(self, index: int) -> None:
        """Let the place of a packet be used again."""
        self._native.store_16(self._slot(index), INVALID, RELEASE)
        self._native.store_64(self._read_index, index + 1, RELEASE)

    def wait(self, signals: list[int], condition: int, value: int) -> None:
        """Wait until one of these signals meets a condition.

        Raises:
            StoppedError: the ring is stopped meanwhile.

        """
        last = len(signals)
        found, _ = self._native.signal_wait_any(
            [*signals, self._stop], [condition] * last + [NE], [value] * last + [0]
        )
        if found == last:
            raise StoppedError

    def stop(self) -> None:
        """Read no packet any more, and end what waits."""
        self._native.signal_store(self._stop, 1, SEQ_CST)

    def stopped(self) -> bool:
        """Return whether it was stopped."""
        return self._native.signal_load(self._stop, ACQUIRE) != 0

    def _slot(self, index: int) -> int:
        return self._address + PACKET * (index % self._size)
