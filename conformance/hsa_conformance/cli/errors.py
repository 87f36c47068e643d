"""The one way in which a command says that it cannot go on."""

from __future__ import annotations

import errno

#: What a disk may answer, however right the name of the file is.
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOMEM}


class CommandError(Exception):
    """A command cannot be carried out; the message is one line that says what to do.

    Args:
        message: the line.
        status: the exit status, 2 for wrong use and 3 for anything else.

    """

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def status_of(error: BaseException | None) -> int:
    """Return the exit status for what could not be written: 2 where another place might do.

    Args:
        error: what went wrong, perhaps before a file was written at all.

    """
    return 2 if isinstance(error, OSError) and error.errno not in _DISK else 3
