"""Runs that commands read, and reports that they write."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hsa_conformance.cli.errors import CommandError, status_of

if TYPE_CHECKING:
    from hsa_reports import Run

STANDARD_OUTPUT = Path("-")
RUN_HELP = "a run's folder, or its event file, plain or compressed with gzip"


def load_run(source: Path) -> Run:
    """Return a run.

    Args:
        source: its folder, or its event file, plain or compressed.

    Raises:
        CommandError: there is none, or it cannot be read.

    """
    from hsa_reports import EventFileError, read_run

    try:
        return read_run(source)
    except EventFileError as error:
        raise CommandError(str(error)) from None


def load_runs(sources: Sequence[Path]) -> tuple[Run, ...]:
    """Return several runs, which a process per processor reads.

    Args:
        sources: as for `load_run`, in the order of the answer.

    Raises:
        CommandError: one is missing, or cannot be read.

    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A fork has all modules at once, where a fresh process takes as long as reading a run.
    with ProcessPoolExecutor(mp_context=get_context("fork")) as processes:
        return tuple(processes.map(load_run, sources))


def write_text(text: str, out: Path) -> None:
    """Write text to a file, or to standard output for "-".

    Raises:
        CommandError: the file cannot be written.

    """
    if out == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        text = f"cannot write {out}: {error.strerror}; name another file"
        raise CommandError(text, status_of(error)) from None
