"""Forked processes as their supervisor sees them: are they over, how did they end, end them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Sequence
from typing import Any

from hsa_adapters.worker.calls.watch import CLOSED, HINDERED, LOST, OVERWRITTEN, Watch
from hsa_adapters.worker.ends import autopsy, sanitizer_reports
from hsa_adapters.worker.ends import crash as crashes
from hsa_adapters.worker.ends.place import Library, has_data, place_of, within
from hsa_adapters.worker.resources.descriptors import anonymous_file, hide
from hsa_adapters.worker.resources.hindrances import hindrances
from hsa_adapters.worker.resources.needs import work
from hsa_adapters.worker.supervision.call_budget import CallBudget
from hsa_adapters.worker.supervision.serve import tail
from hsa_adapters.worker.supervision.wire import decode

#: How a process ends that is told to, one that goes over a limit, and one in which the worker could
#: never work.
DONE, LIMIT, BROKEN = "CLOSED", "LIMIT", "BROKEN"

_EXIT_TIMEOUT = 5.0
_MOMENT = 0.05
_TAIL = 4000
_REPORTS = 1 << 16  # what a sanitizer prints of one defect is longer
_REPORTED = 16000  # of it, without what called into the library


class Child:
    """One forked process: its id, its record, its files of output and notes, where to report."""

    def __init__(self, sink: int) -> None:
        self.pid = 0
        self.watch = Watch()
        self.budget = CallBudget(self.watch)
        self.output = hide(anonymous_file())
        self.notes = hide(anonymous_file())
        self.sink = sink
        self.excess = ""  # which limit it is over

    def close(self) -> None:
        """Give its files up."""
        os.close(self.output)
        os.close(self.notes)


def ended_or_over(child: Child, memory: int) -> bool:
    """Return whether a process has ended (it stays a zombie), or is to be ended.

    That is one over its budget or a limit, or one whose record tells nothing any more.

    Args:
        child: the process.
        memory: bytes that may be resident.

    """
    if os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
        return True
    if _resident(child.pid) > memory:
        child.excess = f"it held more than the {memory >> 20} MiB of memory that --memory allows"
        return True
    return child.watch.is_overwritten or child.budget.exceeded()


def half_of_memory() -> int:
    """Return how many bytes half of the memory of this machine has."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") // 2


def _resident(pid: int) -> int:
    """Return how many bytes of memory a process holds; 0 where it is gone."""
    try:
        with open(f"/proc/{pid}/statm") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def examine(child: Child, library: Library) -> dict[str, Any]:
    """Say how a process ended; one that is only over its budget or a limit is ended.

    Args:
        child: the process.
        library: what is under test.

    """
    overwritten = child.watch.is_overwritten or child.watch.leaving == OVERWRITTEN
    return _overwritten(child) if overwritten else _examined(child, library)


def _examined(child: Child, library: Library) -> dict[str, Any]:
    watch, looks, place, between = child.watch, "", None, None
    certain = elsewhere = False
    output = tail(child.output, _REPORTS)
    printed = output[-_TAIL:]
    index, beside = watch.index, watch.under_way()
    answering = watch.has_returned and beside is None
    closed = watch.leaving == CLOSED
    lacks = [] if closed else hindrances(child.pid)
    status = _wait(child.pid, 0)
    changes, files = _last_words(child) if closed else ([], [])
    if status is None and child.excess:
        kind, detail = LIMIT, child.excess
        kill(child.pid)
    elif status is None:
        own = answering or (index < 0 and beside is None)  # work of the worker
        who = "the process did not answer" if own else "the call did not return"
        kind, detail = "HANG", f"{who} within its budget"
        looks = autopsy.seen(child.pid)
        kill(child.pid)
    elif closed:
        kind, detail = DONE, ""
    elif watch.leaving == LOST:
        why = " and ".join(lacks)
        kind, detail = "EXIT", why or "the library closed the descriptors of the tester"
    elif watch.leaving == HINDERED:
        kind = "EXIT" if lacks or _works() else BROKEN
        why = f": {os.strerror(watch.error)}" if watch.error else ""
        detail = " and ".join(lacks) or f"the tester's own work fails in it{why}"
    else:
        kind, detail = autopsy.ended(status)
        crash = crashes.read(child.notes, child.pid)
        if crash is not None and detail == signal.Signals(crash.signal).name:
            place = place_of(crash, library)
            caller = watch.caller(crash.registers["rsp"])
            certain = crash.on_stack_of_main_thread()
            elsewhere = not certain and caller is None
            beside = beside if caller is None else caller
        said = sanitizer_reports.read(output, library.path)
        if said is not None:
            printed = said.text[:_REPORTED]
            place = within(library, said.path, said.offset) or place
            if said.shared:
                calls = (within(library, library.path, offset) for offset in said.calls)
                between = [call and call["function"] for call in calls]
            if (of_ours := _not_under_test(said, library)) is not None:
                kind, detail = LIMIT, of_ours
    report = {
        "kind": kind,
        "serial": watch.serial,
        "index": index if beside is None else beside,
        "returned": answering,
        "limiting": watch.limiting,
        "lost": watch.leaving in (LOST, HINDERED) or detail == signal.SIGSYS.name,
        "detail": detail,
        "stderr": printed,
        "seen": looks,
        "place": place,
        "between": between,
        "certain": certain and index >= 0 and not answering,
        "elsewhere": elsewhere,
        "changes": changes,
        "files": files,
    }
    child.close()
    return report


def _not_under_test(said: sanitizer_reports.Report, library: Library) -> str | None:
    """Return what a sanitizer reports where it is about the tester, and None for the library."""
    if sanitizer_reports.is_the_testers(said.path):
        where = said.path or "a file that is not told"
    elif said.memory is not None and not has_data(library, said.memory):
        where = "memory that may be the tester's"
    else:
        return None
    return f"{said.what}, in {where}, which is not under test"


def _overwritten(child: Child) -> dict[str, Any]:
    """Say how a process ended that has written into its record; end it if it has not."""
    kill(child.pid)
    known = not child.watch.is_overwritten
    watch = child.watch if known else Watch()
    report = {
        "kind": "CRASH",
        "serial": watch.serial,
        "index": watch.index,
        "returned": watch.has_returned,
        "limiting": 0,
        "lost": not known,
        "detail": "wrote into memory of the tester",
        "stderr": tail(child.output, _TAIL),
        "seen": "",
        "place": None,
        "between": None,
        "certain": False,
        "elsewhere": False,
        "changes": [],
        "files": [],
    }
    child.close()
    return report


def _last_words(child: Child) -> tuple[list[str], list[list[str]]]:
    """Return what a process noted when it was told to end; see `Server.do_close`."""
    size = os.fstat(child.notes).st_size
    words, files = decode(os.pread(child.notes, size, 0)) if size else ([], [])
    return words, files


def left_behind(files: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return what processes that have ended leave, each with what made it, if that is known.

    Args:
        files: paths of files that may be there still, each with the function that made it.

    """
    left = [(path, by) for path, by in files if os.path.exists(path)]  # noqa: PTH110
    names = _running()
    if names:
        time.sleep(_MOMENT)  # what sees that its parent has ended ends as well
        names = _running()
    return left + [(f"the process {name}", "") for name in names]


def _running() -> list[str]:
    """Return the names of the processes that have become children of this one, and run."""
    names = []
    for pid in _children():
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            name, _, rest = file.read().partition(" (")[2].rpartition(") ")
            if not rest.startswith("Z"):
                names.append(name)
    return names


def _children() -> list[int]:
    """Return the children of this thread, none on a kernel without the list of them."""
    try:
        with open("/proc/thread-self/children") as file:  # noqa: PTH123
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        return []


def _works() -> bool:
    """Return whether the worker's own work succeeds in a process without calls of the library."""
    try:
        pid = os.fork()
    except OSError:
        return False
    if not pid:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return _wait(pid, _EXIT_TIMEOUT) == 0


def kill(pid: int) -> None:
    """End a process and its group; one that the kernel cannot end is left behind."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            end(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        _wait(pid, _EXIT_TIMEOUT)


def end_everything() -> None:
    """End every child, and theirs, which become ours when their parents end."""
    until = time.monotonic() + _EXIT_TIMEOUT
    while time.monotonic() < until:
        if not (children := _children()):
            return
        for child in children:
            kill(child)


def _wait(pid: int, patience: float) -> int | None:
    """Return the status of a process that ends within `patience` seconds, else None."""
    until = time.monotonic() + patience
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        # One that lets itself be traced stops at a signal, and has not ended.
        if done and not os.WIFSTOPPED(status):
            return status
        if time.monotonic() >= until:
            return None
        time.sleep(0.001)
