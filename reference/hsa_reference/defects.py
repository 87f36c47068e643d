"""What is said of errors of our own, which nobody who calls the reference can do anything about."""

from __future__ import annotations

import sys


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
    line = f"{where}: {type(error).__name__}: {error}{place}".replace("\n", " ")
    sys.stderr.write(
        f"hsa_reference: {line}: this is a defect of the reference, please report it\n"
    )
