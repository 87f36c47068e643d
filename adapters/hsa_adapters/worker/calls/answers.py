"""What callbacks do when they are called: they answer, allocate, or write packets."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

_PACKET = 64  # bytes


class Answer:
    """What a callback answers, invocation by invocation.

    Args:
        returns: the answers; the last one repeats.

    """

    def __init__(self, returns: tuple[int, ...]) -> None:
        self._returns = returns
        self._position = 0

    def restart(self) -> None:
        """Begin again with the first answer."""
        self._position = 0

    def next(self, arguments: tuple[int, ...]) -> int | None:
        """Return the answer to an invocation with these arguments."""
        if not self._returns:
            return None
        answer = self._returns[min(self._position, len(self._returns) - 1)]
        self._position += 1
        return answer


class Allocator(Answer):
    """Provides fresh zeroed memory of as many bytes as the first argument says.

    Args:
        stores: whether the address goes where the last argument points, and 0 is answered.

    """

    def __init__(self, stores: bool) -> None:
        super().__init__(())
        self._stores = stores
        self._calloc = ctypes.CDLL(None).calloc
        self._calloc.restype = ctypes.c_uint64
        self._calloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]

    def next(self, arguments: tuple[int, ...]) -> int:
        """Return the memory's address, or 0 where that is stored."""
        address: int = self._calloc(1, arguments[0])
        if not self._stores:
            return address
        ctypes.c_uint64.from_address(arguments[-1]).value = address
        return 0


def write_copies(
    arguments: Sequence[int], write: Callable[[int, int], object], copies: int, pieces: int
) -> None:
    """Write copies of packets, those of the first one first.

    Args:
        arguments: what the callback was given: first the address of the packets, and their number.
        write: takes packets, by the address of the first and their number.
        copies: how many of each packet.
        pieces: in how many calls, if they are as many.

    """
    given = ctypes.string_at(arguments[0], _PACKET * arguments[1])
    packets = [given[i : i + _PACKET] for i in range(0, len(given), _PACKET)]
    written = [packet for packet in packets for _ in range(copies)]
    size = max(1, len(written) // pieces)
    for begin in range(0, len(written), size):
        piece = written[begin : begin + size]
        content = ctypes.create_string_buffer(b"".join(piece), _PACKET * len(piece))
        write(ctypes.addressof(content), len(piece))
