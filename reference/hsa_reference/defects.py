"""What is said of errors of our own, which nobody who calls the reference can do anything about."""

from __future__ import annotations

import os
from contextlib import suppress

_STDERR = 2


def report_defect(where: str, error: Exception) -> None:
    """Write a line about an error of our own to stderr.

    Args:
        where: the function, or the work of a thread, that it ended.
        error: the exception.

    """
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace else ""
    said = f"hsa_reference: {where}: {type(error).__name__}: {error}{place}".replace("\n", " ")
    line = f"{said}: this is a defect of the reference, please report it\n"
    with suppress(OSError):  # a program may have closed it
        os.write(_STDERR, line.encode(errors="replace"))
