"""Reads a file that a user names: a pipe would be waited for, and a device read without end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def content_of(path: Path) -> bytes:
    """Return the bytes of a file.

    Args:
        path: the file.

    Raises:
        OSError: it cannot be read, or is a pipe, a device or a folder.

    """
    # Without O_NONBLOCK, opening a pipe waits for a writer.
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Not an ordinary file", str(path))
        return file.read()


def text_of(path: Path) -> str:
    """Return the text of a file, with line breaks as Python has them.

    Raises:
        OSError: as of `content_of`.
        UnicodeDecodeError: it is no UTF-8.

    """
    return content_of(path).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
