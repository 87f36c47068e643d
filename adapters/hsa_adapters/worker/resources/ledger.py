"""What a process holds: counted from its own files, its heap, and what is preloaded.

Something that imitates a driver counts better than anybody outside it. It says so by a function
`hsa_conformance_ledger(char *text, size_t size)`, which writes lines of a count, a space, and what
is counted, and goes before what is counted here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

from hsa_adapters.worker.resources.descriptors import Descriptors, heaps_of_threads, mappings, room

HEAP = "bytes of host memory"
_TEXT = 1 << 12


class _Heap(ctypes.Structure):
    """What glibc says about its heap (mallinfo2), in ten numbers."""

    _fields_ = [(f"word{index}", ctypes.c_size_t) for index in range(10)]

    @property
    def in_use(self) -> int:
        """Return how many bytes are mapped for a block of their own, or in use otherwise."""
        return int(self.word4) + int(self.word7)


def _found(name: str, result: Any, *arguments: Any) -> Callable[..., Any] | None:  # noqa: ANN401 - ctypes classes
    """Return a function of what is loaded, None where there is none."""
    try:
        function = ctypes.CDLL(None)[name]
    except AttributeError:
        return None
    function.restype, function.argtypes = result, list(arguments)
    found: Callable[..., Any] = function
    return found


class Ledger:
    """Counts what this process holds.

    Args:
        descriptors: its descriptors, without the worker's own.
        threads: returns how many threads are not the worker's own; None where nobody can tell.
        mapped: whether memory mappings are counted.

    """

    def __init__(
        self, descriptors: Descriptors, threads: Callable[[], int] | None, *, mapped: bool = True
    ) -> None:
        self._descriptors = descriptors
        self._threads = threads
        self._mapped = mapped
        self._text = ctypes.create_string_buffer(_TEXT)
        self._write_report = _found(
            "hsa_conformance_ledger", None, ctypes.c_char_p, ctypes.c_size_t
        )
        self._heap = _found("mallinfo2", _Heap)
        self._allocated_bytes = _found("__sanitizer_get_current_allocated_bytes", ctypes.c_size_t)

    def counts(self) -> dict[str, int]:
        """Return how many there are of each thing, by what one of them is called.

        Where the process is not the library's alone, its heap, addresses and threads are not told:
        the tester's own would count as the library's. A sanitizer counts what is allocated, and
        maps memory as it likes, since it does not use freed blocks again.
        """
        counts: dict[str, int] = {}
        if self._threads is not None:
            # The reference's library runs in this very interpreter, whose heap is not its own.
            if "hsa_reference" not in sys.modules:
                counts |= self._heap_in_use()
            if self._allocated_bytes is None:
                counts["bytes of address space"] = address_space()
            counts["thread"] = self._threads()
        counts["file descriptor"] = len(self._descriptors.listing())
        if self._allocated_bytes is None and self._mapped:
            counts["memory mapping"] = mappings()
        if self._write_report is not None:
            self._write_report(self._text, _TEXT)
            for line in self._text.value.decode().splitlines():
                count, _, name = line.partition(" ")
                counts[name] = int(count)
        return counts

    def _heap_in_use(self) -> dict[str, int]:
        """Return how much of the heap is in use, if anybody can tell."""
        if self._allocated_bytes is not None:
            return {HEAP: int(self._allocated_bytes())}
        return {} if self._heap is None else {HEAP: self._heap().in_use}


def address_space() -> int:
    """Return how many bytes of addresses this process has taken, but for heaps of threads."""
    with room():
        file = os.open("/proc/self/statm", os.O_RDONLY)
        pages = int(os.read(file, 64).split()[0])
        os.close(file)
    return pages * os.sysconf("SC_PAGESIZE") - heaps_of_threads()
