"""What can be seen of a process that hangs or has ended."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess

_DEBUGGERS = (
    ("gdb", ["-nx", "-q", "-batch", "-ex", "thread apply all backtrace 16", "-p"]),
    ("eu-stack", ["-n", "16", "-p"]),
)
_DEBUGGER_TIMEOUT = 5.0
_LONGEST = 8000


def ended(status: int) -> tuple[str, str]:
    """Return kind and detail for a status of waitpid: ("CRASH", "SIGSEGV"), ("EXIT", ...)."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return "CRASH", signal.Signals(number).name
        except ValueError:
            return "CRASH", f"signal {number}"
    return "EXIT", f"exit status {os.WEXITSTATUS(status)}"


def threads(pid: int) -> str:
    """Return one line for each thread of a process: name, state and where it waits."""
    lines = []
    folder = f"/proc/{pid}/task"
    try:
        numbers = sorted(os.listdir(folder), key=int)  # noqa: PTH208
    except OSError:
        numbers = []
    for number in numbers:
        _, _, stat = _text(f"{folder}/{number}/stat").rpartition(")")
        name, waits = _text(f"{folder}/{number}/comm"), _text(f"{folder}/{number}/wchan")
        state = stat.split()[0] if stat else "?"
        place = f", waits in {waits}" if waits not in {"", "0"} else ""
        lines.append(f"thread {number} ({name}): state {state}{place}")
    return "\n".join(lines)


def backtrace(pid: int) -> str:
    """Return the stacks of a process as an installed debugger sees them, or nothing."""
    for name, options in _DEBUGGERS:
        debugger = shutil.which(name)
        if debugger is None:
            continue
        # The debugger runs without what was preloaded for the library, and off the network.
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        environment["DEBUGINFOD_URLS"] = ""
        try:
            done = subprocess.run(
                [debugger, *options, str(pid)],
                check=False,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=_DEBUGGER_TIMEOUT,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        text = done.stdout.decode(errors="replace").splitlines()
        return "\n".join(line for line in text if line.startswith(("Thread", "TID", "#")))
    return ""


def seen(pid: int) -> str:
    """Return what can be seen of a hanging process, for people."""
    return f"{threads(pid)}\n{backtrace(pid)}".strip()[:_LONGEST]


def _text(path: str) -> str:
    try:
        with open(path, errors="replace") as file:  # noqa: PTH123
            return file.read().strip()
    except OSError:
        return ""
