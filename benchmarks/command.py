"""Runs a command, and measures its time and the memory of its processes."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from benchmarks.calculation import Seconds

#: Seconds between two looks at the memory.
_PAUSE: Final = 0.25
_MIB: Final = 1 << 20


class FailedError(Exception):
    """A command ended with an exit status that is no result."""


@dataclass
class Memory:
    """The most memory that was in use, in MiB of proportional set size (PSS).

    Attributes:
        command: of the process that was started.
        largest: of the largest of the processes that it started.
        together: of all of them at once.
    """

    command: float = 0
    largest: float = 0
    together: float = 0

    def look(self, process: psutil.Process) -> None:
        """Look at a process and its descendants once."""
        own = _pss(process)
        others = [_pss(each) for each in _descendants(process)]
        self.command = max(self.command, own)
        self.largest = max(self.largest, *others, 0.0)
        self.together = max(self.together, own + sum(others))


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.Error:  # it has just ended
        return []


def _pss(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().pss) / _MIB
    except psutil.Error:
        return 0.0


def measured(
    command: Sequence[object], right: Collection[int] = (0,), folder: Path | None = None
) -> tuple[Seconds, Memory]:
    """Run a command, and return what it took.

    Arguments:
        command: its words, each of which is written out.
        right: the exit statuses that are results.
        folder: where it runs; here, if none is given.

    Raises:
        FailedError: it ended with another status; the text has the end of what it printed.
    """
    memory = Memory()
    words = [str(word) for word in command]
    before, started = _processors(), time.perf_counter()
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdout=pipe, stderr=subprocess.STDOUT, text=True, cwd=folder
    ) as running:
        process = psutil.Process(running.pid)
        while True:
            try:
                output, _ = running.communicate(timeout=_PAUSE)
                break
            except subprocess.TimeoutExpired:
                memory.look(process)
    seconds = Seconds(time.perf_counter() - started, _processors() - before)
    if running.returncode not in right:
        said = f"{' '.join(words)}: exit status {running.returncode}"
        raise FailedError(f"{said}\n{output[-2000:]}")
    return seconds, memory


def _processors() -> float:
    """Return the processor seconds of all processes that were waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
