"""What code is read from: memory, or a file."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from hsa_reference import memory
from hsa_reference.amdgpu.code import Code, read_code

_CHUNK = 1 << 20  # bytes
_LARGEST = 1 << 30  # bytes of a code object
_MAGIC = b"\x7fELF"


@dataclass(frozen=True)
class Source:
    """What code is read from: a part of memory, or of a file.

    Args:
        start: its address, or its offset in the file.
        size: in bytes, None for all that follows.
        descriptor: of the file, None for memory.
        path: of the file when the reader was made, b"" for memory.

    """

    start: int
    size: int | None
    descriptor: int | None = None
    path: bytes = b""

    @cached_property
    def code(self) -> Code | None:
        """The code that it holds, None where it holds none; read when it is first asked for."""
        if self.descriptor is None:
            assert self.size is not None
            return read_code(memory.copy(self.start, self.size))
        try:
            return read_code(b"".join(_parts(self.descriptor, self.start, self.size)))
        except (OSError, OverflowError):
            return None

    @property
    def path_address(self) -> int:
        """Return where the path lies, with a NUL byte at its end, as long as the source does."""
        return ctypes.addressof(self._path)

    @cached_property
    def _path(self) -> ctypes.Array[ctypes.c_char]:
        return ctypes.create_string_buffer(self.path)

    @property
    def uri(self) -> bytes:
        """Return the URI that the loader gives to the code."""
        size = len(self.code.content) if self.code else 0
        if self.descriptor is None:
            return f"memory://{os.getpid()}#offset={self.start:#x}&size={size}".encode()
        return f"file://{quote(self.path)}#offset={self.start}&size={size}".encode()


def _parts(descriptor: int, offset: int, size: int | None) -> Iterator[bytes]:
    """Yield what a file holds; nobody has to believe in a size that no file has.

    Of a file that is no code object, such as /dev/zero with a size, this is the first part.

    Raises:
        OSError: it cannot be read, or is larger than any code object.

    """
    left = os.fstat(descriptor).st_size - offset
    size = left if size is None else size
    if min(left, size) > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    for start in range(offset, offset + size, _CHUNK):
        part = os.pread(descriptor, min(_CHUNK, offset + size - start), start)
        yield part
        if len(part) < _CHUNK or (start == offset and not part.startswith(_MAGIC)):
            return
