"""Kills runs again and again: `python -m tests.library.cli.killing SEED KILLS DIR WORD...`.

What a run imports and reads is there before it begins, so that a start costs little. The run is
killed at moments drawn over all that it does, and resumed each time; how much was judged by then is
printed, a line for each kill.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from hsa_conformance import pytest_suite  # noqa: F401 - is there when a run begins
from hsa_conformance.cli import main
from hsa_reports import EVENTS
from hsa_spec import load


def started(words: list[str]) -> int:
    """Start a run in a process of its own, and return its id."""
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    status = 70
    try:
        status = main(words)
    finally:
        os._exit(status)


def ended(child: int) -> int | None:
    """Return the exit status of a run, None while it goes on."""
    done, status = os.waitpid(child, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if done else None


def judged(folder: Path) -> int:
    """Return how many clauses the event file has."""
    with suppress(OSError):
        return (folder / EVENTS).read_bytes().count(b'{"event":"judged"')
    return 0


def killed(folder: Path, words: list[str], draw: random.Random, share: float) -> None:
    """Start or resume a run and kill it.

    Args:
        folder: where it is.
        words: its command line.
        draw: draws the moment.
        share: how many clauses it may judge before that, at most.

    """
    begin, before = time.monotonic(), judged(folder)
    child = started(words)
    # Before anything is judged, or between that and some clauses more.
    until = draw.choice((None, before + draw.randint(0, int(share))))
    moment = draw.uniform(0.0, 1.0)
    while ended(child) is None:
        over = time.monotonic() > begin + moment if until is None else judged(folder) > until
        if over:
            time.sleep(draw.uniform(0.0, 0.03))
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)
            break
        time.sleep(0.002)
    print(judged(folder), flush=True)


def kill_all() -> None:
    """Do what the command line says."""
    seed, kills, folder = sys.argv[1:4]
    load()
    draw, words = random.Random(int(seed)), [*sys.argv[4:], "--out", folder, "--resume"]
    for _ in range(int(kills)):
        killed(Path(folder), words, draw, 3.0)


if __name__ == "__main__":
    kill_all()
