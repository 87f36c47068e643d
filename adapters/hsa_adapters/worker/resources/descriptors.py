"""File descriptors and mappings of the process, told apart from the worker's own.

The worker's descriptors live above the soft limit on descriptors: the library cannot be given one
of their numbers, and a library that closes everything up to the limit does not hit them. A virtual
driver keeps its memory up there, too, which a real one would need no descriptors for.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import resource
from collections.abc import Iterator

ROOM = 64

#: Size and alignment of the heap of a thread: HEAP_MAX_SIZE in malloc/arena.c of glibc, on 64 bits.
_HEAP = 64 << 20
#: Its two parts in /proc/self/maps: what may be read and written, and the rest.
_TWO_PARTS = re.compile(
    rb"^([0-9a-f]+[048c]000000)-([0-9a-f]+) rw-p 0+ 00:00 0 *\n\2-([0-9a-f]+) ---p 0+ 00:00 0 *$",
    re.MULTILINE,
)


def lower_limit() -> None:
    """Make room for the worker's descriptors between the soft and the hard limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard - ROOM), hard))


@contextlib.contextmanager
def room() -> Iterator[int]:
    """Allow descriptors above the soft limit for a moment; gives the first such number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft + ROOM, hard), hard))
    try:
        yield soft
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def hide(descriptor: int) -> int:
    """Move a descriptor above the soft limit, closed on exec, and return its new number."""
    with room() as lowest:
        # One more, for libraries that close the limit itself, too.
        hidden = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, lowest + 1)
    os.close(descriptor)
    return hidden


def hidden_pipe() -> tuple[int, int]:
    """Return a non-blocking pipe above the soft limit."""
    out, into = os.pipe2(os.O_NONBLOCK)
    return hide(out), hide(into)


def anonymous_file() -> int:
    """Open an ordinary file that has no name any more.

    Raises:
        OSError: no folder for temporary files can be written.

    """
    folders = [os.environ.get("TMPDIR", "/tmp"), "/tmp", "/var/tmp", "/dev/shm", "."]
    error: OSError | None = None
    for folder in folders:
        name = os.path.join(folder, f".hsa-conformance-{os.getpid()}-{os.urandom(4).hex()}")  # noqa: PTH118
        try:
            descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as raised:
            error = raised
            continue
        os.unlink(name)  # noqa: PTH108
        return descriptor
    raise error or OSError("no folder for temporary files")


class Descriptors:
    """The descriptors of this process, without those that are open now."""

    def __init__(self) -> None:
        self._own = _table()

    def listing(self) -> dict[int, str]:
        """Return what the open descriptors refer to, by number."""
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        found = {}
        for number, file in _table().items():
            if number < limit and self._own.get(number) != file:
                with contextlib.suppress(OSError):
                    found[number] = os.readlink(f"/proc/self/fd/{number}")  # noqa: PTH115
        return found

    def inherited(self) -> dict[int, str]:
        """Return those of them that a program would have that this process executes."""
        found = {}
        for number, to in self.listing().items():
            with contextlib.suppress(OSError):
                if not fcntl.fcntl(number, fcntl.F_GETFD) & fcntl.FD_CLOEXEC:
                    found[number] = to
        return found

    def close(self, descriptor: int) -> bool:
        """Close a descriptor; False when it was not open or is the worker's own.

        The worker needs no standard input once it has its requests from elsewhere.
        """
        if descriptor not in (0, *self.listing()):
            return False
        try:
            os.close(descriptor)
        except OSError:
            return False
        return True

    @staticmethod
    def open_file(size: int, content: bytes, readable: bool) -> int:
        """Open an ordinary anonymous file of `size` bytes that begins with `content`.

        Its position is in the middle, as somebody leaves it who has looked at the file.
        """
        descriptor = anonymous_file()
        os.ftruncate(descriptor, size)
        os.pwrite(descriptor, content, 0)
        if not readable:
            blind = os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_CLOEXEC)
            os.close(descriptor)
            descriptor = blind
        os.lseek(descriptor, size // 2, os.SEEK_SET)
        return descriptor


def _table() -> dict[int, tuple[int, int]]:
    """Return the device and inode of each open descriptor: names take three times as long."""
    table = {}
    with room():
        for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
            # The descriptor of the listing itself is gone by now.
            with contextlib.suppress(OSError):
                status = os.fstat(int(name))
                table[int(name)] = status.st_dev, status.st_ino
    return table


def mappings() -> int:
    """Return how many memory mappings this process has, without the heaps of its threads."""
    text = _maps()
    return text.count(b"\n") - 2 * _heaps(text)


def heaps_of_threads() -> int:
    """Return how many bytes of addresses glibc reserves for heaps of threads.

    It makes such a heap when threads want memory at one time, keeps it for later threads, and makes
    no more than eight a processor: none is what a call leaves behind. What is in use of them counts
    as host memory.
    """
    return _HEAP * _heaps(_maps())


def _heaps(text: bytes) -> int:
    return sum(int(m[3], 16) - int(m[1], 16) == _HEAP for m in _TWO_PARTS.finditer(text))


def _maps() -> bytes:
    chunks = list[bytes]()
    with room():
        descriptor = os.open("/proc/self/maps", os.O_RDONLY)
        while chunk := os.read(descriptor, 1 << 16):
            chunks.append(chunk)
        os.close(descriptor)
    return b"".join(chunks)
