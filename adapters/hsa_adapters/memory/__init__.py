"""Memory that the library under test is refused: a few functions of the heap, preloaded.

It needs no imitated machine, and nothing of the library but that it asks the C library for memory.
What is counted and refused, `refuse.c` says.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping, Sequence
from typing import Final

from hsa_adapters.faults import OnRealDevices
from hsa_adapters.memory.build import library
from hsa_adapters.temporary import TemporaryFolder

#: The kind of call that asks for memory, whichever function of the heap it is.
MEMORY: Final = "memory"

#: How it is refused.
ERROR: Final = "ENOMEM"

# As in refuse.c: counting, armed, after, lasting, made, hits, how many requests are noted, and how
# many were like the first of them; the function, the size and the place of each of these; the name
# of the library's file.
_STATE = struct.Struct("@8i")
_REQUEST = struct.Struct("@16sQQ")
_NOTED: Final = 8
_NAME = struct.Struct("64s")
_REQUESTS = 32  # where they begin
_FILE = _REQUESTS + _NOTED * _REQUEST.size
_SIZE = _FILE + _NAME.size


class MemoryFaults(OnRealDevices):
    """Refuses memory to the processes of one library; see `hsa_adapters.faults.Faults`.

    Raises:
        CompilerError: what is preloaded cannot be compiled.
        OSError: there is no room for a temporary file.

    """

    def __init__(self) -> None:
        self._library = library()
        self._folder = TemporaryFolder()
        self._path = self._folder.path / "memory"
        self._path.write_bytes(bytes(_SIZE))
        with self._path.open("r+b") as file:
            self._state_map = mmap.mmap(file.fileno(), _SIZE)
        self._told = (0, 0, 0)  # counting, armed and lasting, as they were written last

    def environment(self) -> Mapping[str, str]:
        """Return the variables of a process that can be refused memory."""
        return {"LD_PRELOAD": str(self._library), "HSA_CONFORMANCE_MEMORY": str(self._path)}

    def close(self) -> None:
        """Remove what is shared with the processes."""
        self._state_map.close()
        self._folder.close()

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Refuse a later request for memory, in place of what was to be refused before.

        Args:
            call: `MEMORY`.
            error: `ERROR`.
            after: how many requests succeed before.
            lasting: whether all later ones are refused, too.

        Raises:
            ValueError: it is another kind of call, or another error.

        """
        if (call, error) != (MEMORY, ERROR):
            raise ValueError(f"{call} cannot be refused with {error}: memory is, with {ERROR}")
        self._write(1, 1, after, int(lasting))

    def disarm(self) -> None:
        """Refuse nothing any more, and forget what was counted."""
        self._write(0, 0, 0, 0)

    def repair(self) -> None:
        """Refuse nothing any more, if a library has overwritten what its processes share."""
        counting, armed, _, lasting, *counted = _STATE.unpack_from(self._state_map)
        told = (counting, armed or self._told[1], lasting) == self._told
        if not told or min(counted) < 0 or counted[2] > _NOTED:
            self.disarm()

    def hits(self) -> int:
        """Return how many requests were refused since `arm`."""
        return self._read()[5]

    def left(self) -> int:
        """Return how many more requests succeed before one is refused."""
        return self._read()[2]

    def watch(self) -> None:
        """Refuse nothing, and count requests from here on."""
        self._write(1, 0, 0, 0)

    def made(self) -> Mapping[str, int]:
        """Return how many requests were made since `arm` or `watch`, if any were."""
        made = self._read()[4]
        return {MEMORY: made} if made else {}

    def noted(self) -> Sequence[str]:
        """Return the first request that was refused since `arm`, and the next ones, in words."""
        file = _text(_NAME.unpack_from(self._state_map, _FILE)[0])
        requests = [
            _REQUEST.unpack_from(self._state_map, _REQUESTS + number * _REQUEST.size)
            for number in range(self._read()[6])
        ]
        return [
            f"{_text(function)} of {size} bytes" + (f" at {file}+{place:#x}" if place else "")
            for function, size, place in requests
        ]

    def alike(self) -> tuple[int, int]:
        """Return the size of the request that was refused first, and how many came before it."""
        state = self._read()
        return (
            (_REQUEST.unpack_from(self._state_map, _REQUESTS)[1], state[7]) if state[6] else (0, 0)
        )

    def errors(self, call: str) -> Sequence[str]:
        """Return how a kind of call can be refused."""
        return (ERROR,) if call == MEMORY else ()

    def _write(self, counting: int, armed: int, after: int, lasting: int) -> None:
        self._told = (counting, armed, lasting)
        _STATE.pack_into(self._state_map, 0, counting, armed, after, lasting, 0, 0, 0, 0)

    def _read(self) -> tuple[int, ...]:
        self.repair()
        return _STATE.unpack_from(self._state_map)


def _text(name: bytes) -> str:
    return name.partition(b"\0")[0].decode(errors="replace")
