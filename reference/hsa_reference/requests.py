"""What functions ask the machine for, which can be made to refuse it.

Whatever takes something that a machine can run out of asks here first: for memory of the runtime
itself, or for what the driver and the system give. While nobody counts, every request is granted.
"""

from __future__ import annotations

import errno
import mmap
import os
import threading
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

#: Memory of the runtime itself, such as that of an object.
OBJECT: Final = "malloc"
#: Memory of a pool.
POOL: Final = "ALLOC_MEMORY_OF_GPU"
#: Addresses, and what lies there.
ADDRESSES: Final = "mmap"
#: Access to what lies at addresses.
ACCESS: Final = "MAP_MEMORY_TO_GPU"
#: A descriptor for the application, of memory of the runtime.
EXPORT: Final = "EXPORT_DMABUF"
#: A descriptor for the runtime, of what others gave it.
IMPORT: Final = "IMPORT_DMABUF"
#: Memory of another process.
FROM_PROCESS: Final = "IPC_IMPORT_HANDLE"
#: A file of the runtime's own.
FILE: Final = "open_file"
#: Attributes of pages of the application.
PAGES: Final = "SVM"
#: What a queue is processed with.
QUEUE: Final = "CREATE_QUEUE"
#: The counters of a GPU that stream.
COUNTERS: Final = "RLC_SPM"
#: Bytes that the driver moves between a file and a device.
TRANSFER: Final = "AIS_OP"
#: Which of the compute units a queue may use.
UNITS: Final = "SET_CU_MASK"
#: A thread.
THREAD: Final = "pthread_create"

#: What a request of each kind is refused with.
ERRORS: Final[Mapping[str, str]] = {
    OBJECT: "ENOMEM",
    POOL: "ENOMEM",
    ADDRESSES: "ENOMEM",
    ACCESS: "ENOMEM",
    EXPORT: "EMFILE",
    IMPORT: "ENOMEM",
    FROM_PROCESS: "ENOMEM",
    FILE: "EMFILE",
    PAGES: "ENOMEM",
    QUEUE: "ENOMEM",
    COUNTERS: "EBUSY",
    TRANSFER: "EIO",
    UNITS: "ENOMEM",
    THREAD: "EAGAIN",
}

#: Names the file in which a process counts its requests, with those that it forks.
VARIABLE: Final = "HSA_REFERENCE_REQUESTS"

_KINDS: Final = tuple(ERRORS)
_WORD: Final = "i"
_NOTED: Final = 8
# Words: whether requests are counted, the kinds that are refused as bits, how many of these are
# granted before, whether all later ones are refused, how many were, how many are noted; the kinds
# of these; how many requests there were of each kind; whether somebody asks here.
_COUNTING, _ARMED, _AFTER, _LASTING, _HITS, _LISTED, _FIRST = range(7)
_MADE: Final = _FIRST + _NOTED
_THERE: Final = _MADE + len(_KINDS)
_WORDS: Final = _THERE + 1
#: Bytes of a file that requests are counted in; all are zero before.
SIZE: Final = _WORDS * array(_WORD).itemsize


class Requests:
    """Grants, counts and refuses what functions ask for in the first thread of a process.

    What a runtime's other threads ask for is nothing that a call asked for.

    Args:
        words: where they are counted, and it is kept what is refused; by default in this process.

    """

    def __init__(self, words: memoryview | None = None) -> None:
        self._words = memoryview(array(_WORD, [0] * _WORDS)) if words is None else words

    def ask(self, kind: str) -> None:
        """Ask for something.

        Args:
            kind: of the request, a key of `ERRORS`.

        Raises:
            OSError: it is refused.

        """
        words = self._words
        if not words[_COUNTING] or threading.get_native_id() != os.getpid():
            return
        number = _KINDS.index(kind)
        words[_MADE + number] += 1
        refused = self._refuses(number)
        if (refused or words[_HITS]) and words[_LISTED] < _NOTED:
            words[_FIRST + words[_LISTED]] = number
            words[_LISTED] += 1
        if refused:
            words[_HITS] += 1
            code = getattr(errno, ERRORS[kind])
            raise OSError(code, os.strerror(code))

    def _refuses(self, number: int) -> bool:
        words = self._words
        if not words[_ARMED] >> number & 1:
            return False
        if words[_AFTER]:
            words[_AFTER] -= 1
            return False
        return not words[_HITS] or bool(words[_LASTING])

    def arm(self, kinds: Sequence[str], after: int, *, lasting: bool) -> None:
        """Count from here on, and refuse a later request.

        Args:
            kinds: those of which one is refused.
            after: how many of these are granted before.
            lasting: whether all later ones are refused, too.

        """
        armed = sum(1 << _KINDS.index(kind) for kind in kinds)
        self._begin(1, armed, after, int(lasting))

    def disarm(self) -> None:
        """Grant everything, and forget what was counted."""
        self._begin(0)

    def watch(self) -> None:
        """Grant everything, and count from here on."""
        self._begin(1)

    def hits(self) -> int:
        """Return how many requests were refused since `arm`."""
        return self._words[_HITS]

    def left(self) -> int:
        """Return how many more requests are granted before one is refused."""
        return self._words[_AFTER]

    def made(self) -> Mapping[str, int]:
        """Return how many requests there were since `arm` or `watch`, by kind."""
        return {kind: self._words[_MADE + number] for number, kind in enumerate(_KINDS)}

    def noted(self) -> Sequence[str]:
        """Return the kind of the request that was refused first, and of the few next ones."""
        return [_KINDS[self._words[_FIRST + place]] for place in range(self._words[_LISTED])]

    def there(self) -> bool:
        """Return whether a process asks here."""
        return bool(self._words[_THERE])

    def come(self) -> None:
        """Tell whoever looks at the file that a process asks here."""
        self._words[_THERE] = 1

    def _begin(self, *first: int) -> None:
        for place in range(_THERE):
            self._words[place] = first[place] if place < len(first) else 0


def shared(path: Path) -> Requests:
    """Return the requests that are counted in a file of `SIZE` bytes.

    Raises:
        OSError: it cannot be opened.

    """
    with path.open("r+b") as file:
        return Requests(memoryview(mmap.mmap(file.fileno(), SIZE)).cast(_WORD))


def _of_this_process() -> Requests:
    path = os.environ.get(VARIABLE)
    if not path:
        return Requests()
    requests = shared(Path(path))
    requests.come()
    return requests


#: The requests of this process.
REQUESTS: Final = _of_this_process()
ask = REQUESTS.ask
