"""The first code of ours that runs in the process; its text is compiled into the C library.

It stands alone, because nothing of ours can be imported before it has run.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import cast


def describe(error: BaseException) -> str:
    """Return an exception and the place where it was raised, for one line on stderr."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f" ({trace.tb_frame.f_code.co_filename}:{trace.tb_lineno})" if trace else ""
    return f"{type(error).__name__}: {error}{place}"


def load(
    prefix: str,
    search_path: Sequence[str],
    names: Sequence[str],
    owner: tuple[str, str] = ("hsa_reference", "Runtime"),
    entries: Mapping[str, int] | None = None,
) -> Mapping[str, Callable[..., int]]:
    """Return the functions that the library calls, by name.

    Args:
        prefix: folder of the Python installation that the library was built with.
        search_path: folders where the reference and what it needs are found.
        names: the functions that the library has.
        owner: module and name of the class that has them in Python.
        entries: their addresses in the library, if the class wants to know them.

    Raises:
        RuntimeError: this is another installation of Python.
        LookupError: one of the functions is not there.

    """
    if os.path.realpath(sys.base_prefix) != os.path.realpath(prefix):
        raise RuntimeError(
            f"this process runs the Python in {sys.base_prefix}, the library was built with the "
            f"one in {prefix}"
        )
    before = list(sys.path)
    # What the library was built with comes first here, and last for the program it is part of.
    sys.path[:0] = search_path
    # What is loaded here stays: looking for garbage among it takes a third of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        module, name = owner
        made = getattr(import_module(module), name)
        functions = (made(entries=entries) if entries else made()).functions()
    finally:
        if collecting:
            gc.enable()
        sys.path[:] = [*before, *(entry for entry in search_path if entry not in before)]
    missing = [name for name in names if name not in functions]
    if missing:
        raise LookupError(f"the reference has no {', '.join(missing)}")
    return cast("Mapping[str, Callable[..., int]]", functions)
