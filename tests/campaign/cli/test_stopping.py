"""Runs that are told to end, and runs whose time is over, while a call of the library hangs."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hsa_adapters import interrupts
from hsa_conformance.runs.limit import LEAST, TIMES, Limit, usual
from hsa_conformance.selection.durations import REFERENCE, of_run
from hsa_reports import Verdict, read_run
from tests.library.cli.commands import Command

PROGRAM = Path(sys.executable).with_name("hsa-conformance")
needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
#: Answers all but one question, at which it tells whom it was given as HANGING, and hangs.
HANGS = """
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int hsa_init(void) { return 0; }
int hsa_shut_down(void) { return %d; }
int hsa_status_string(int status, const char **text)
{
    int told = open(getenv("HANGING"), O_WRONLY);
    write(told, "x", 1);
    close(told);
    for (;;)
        %s;
}
"""


def hanging(folder: Path, how: str, shut_down: int = 0) -> tuple[Path, Path]:
    """Return a library whose call hangs, and a pipe that it writes to then."""
    source, target, pipe = folder / "hangs.c", folder / "libhangs.so", folder / "pipe"
    source.write_text(HANGS % (shut_down, how))
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", target], check=True)
    os.mkfifo(pipe)
    return target, pipe


def wait_for_the_call(pipe: Path, run: subprocess.Popen[str]) -> None:
    """Wait until the library hangs; fail if the run ends before."""
    told, ended = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), os.pidfd_open(run.pid)
    ready, _, _ = select.select([told, ended], [], [])
    assert [told] == ready
    os.close(told)
    os.close(ended)


@contextmanager
def begun(folder: Path, library: Path, pipe: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Begin a run, whose calls may take longer than any test, and wait until the library hangs."""
    options = ["--library", library, "--claim", "exported", "--budget", "1000000"]
    options += ["--select", "hsa_status_string", *words]
    options += ["--env", f"HANGING={pipe}", "--out", folder / "run"]
    with subprocess.Popen(
        ["env", "--default-signal=INT,TERM", PROGRAM, "run", *map(str, options)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        wait_for_the_call(pipe, run)
        yield run


@needs_cc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("how", ["pause()", "raise(SIGSTOP)"])
@pytest.mark.parametrize("processes", [1, 2])
def test_a_run_ends_while_a_call_hangs(
    tmp_path: Path, number: int, how: str, processes: int
) -> None:
    """Nobody waits for the end of the budget of that call, which is longer than any test."""
    library, pipe = hanging(tmp_path, how)
    words = ("--select", "hsa_init/exported", f"-n{processes}")
    with begun(tmp_path, library, pipe, *words) as run:
        run.send_signal(number)
        _, complaint = run.communicate()

    assert (3, "hsa-conformance: interrupted") == (run.returncode, complaint.splitlines()[-1])
    assert (tmp_path / "run" / "report.html").exists()
    found = read_run(tmp_path / "run")
    assert (None, Verdict.NOT_RUN) == (found.end, found.verdicts["hsa_status_string/success"])


@needs_cc
def test_a_run_that_found_a_failure_says_so_when_it_is_interrupted(tmp_path: Path) -> None:
    """Exit status 1 is not lost with what was not judged."""
    library, pipe = hanging(tmp_path, "pause()", shut_down=0x1000)
    with begun(tmp_path, library, pipe, "--select", "hsa_shut_down/success", "-n1") as run:
        run.terminate()
        run.communicate()

    assert 1 == run.returncode
    assert Verdict.FAIL in read_run(tmp_path / "run").verdicts.values()


@needs_cc
def test_the_limit_ends_a_call_that_hangs(program: Command, tmp_path: Path) -> None:
    library, _ = hanging(tmp_path, "pause()")
    words = ["--library", str(library), "--claim", "exported", "--budget", "1000000", "-n1"]
    words += ["--select", "hsa_status_string", "--env", "HANGING=/dev/null", "--limit", "3"]

    done = program("hsa-conformance", "run", *words, "--out", "run")

    assert 3 == done.status, done.err
    run = read_run(tmp_path / "run")
    assert Verdict.NOT_RUN == run.verdicts["hsa_status_string/success"]
    assert "its limit of 3 s" in (run.results[-1].reason or "")


def test_only_what_needs_nothing_but_this_machine_has_a_limit_by_itself() -> None:
    """It is ten times the estimate, or as much more as there are examples and machines."""
    everything = [*("hsa_init/success", "hsa_shut_down/success")]
    assert LEAST == usual(everything, REFERENCE, "quick", processes=1, machines=1)
    long = usual(everything, REFERENCE, "full", processes=1, machines=10)
    assert long == round(TIMES * 8 * 10 * of_run(everything, REFERENCE, 1))
    assert 0 == usual(everything, REFERENCE, "soak", processes=1, machines=1)
    assert Limit() == Limit.from_now(0)


def test_a_signal_waits_for_a_checkpoint_and_the_second_does_not() -> None:
    with interrupts.deferred():
        interrupts.stop(signal.SIGTERM, None)
        with pytest.raises(KeyboardInterrupt):
            interrupts.checkpoint()
        interrupts.checkpoint()
        interrupts.stop(signal.SIGTERM, None)
        with pytest.raises(KeyboardInterrupt):
            interrupts.stop(signal.SIGTERM, None)
        with pytest.raises(KeyboardInterrupt):
            interrupts.checkpoint()


def test_a_time_that_is_over_is_told_at_a_checkpoint() -> None:
    interrupts.checkpoint()
    with interrupts.limited(lambda: True), pytest.raises(interrupts.TimeIsUp):
        interrupts.checkpoint()
    interrupts.checkpoint()
