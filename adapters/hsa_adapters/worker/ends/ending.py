"""The ways in which a process ends, or a copy of it that it has forked."""

from __future__ import annotations

import _ctypes
import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from hsa_adapters.worker.ends import autopsy

#: The exit status of a process that ends as it was told to.
STATUS = 17
#: The exit status of a copy that cannot do as it was told to.
_HINDERED = 70
#: More bytes than `struct sigaction` of <signal.h> has. Zeros are the usual way, and it begins with
#: the handler.
_ACTION = 256
#: Seconds in which a thread that a library leaves behind would run into what is unloaded.
_MOMENT = 0.05


def end(how: str, library: str) -> None:
    """End this process, without a word to anybody.

    Args:
        how: "exit" by the function of C of this name, "abort", "kill" by SIGKILL, "leave" by _exit,
            "unload" to unload the library before it ends by exit.
        library: the path of the library.

    Raises:
        ValueError: there is no such way.

    """
    libc = ctypes.CDLL(None)
    if how == "abort":
        libc.abort()
    elif how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "leave":
        os._exit(STATUS)
    elif how not in ("exit", "unload"):
        raise ValueError(f"a process cannot end by {how}")
    if how == "unload":
        # The library was loaded once, and this looks it up once more.
        handle = _ctypes.dlopen(library, os.RTLD_NOW | os.RTLD_NOLOAD)
        for _ in range(2):
            _ctypes.dlclose(handle)
        time.sleep(_MOMENT)
    libc.exit(STATUS)


def fork(
    functions: Mapping[str, Callable[..., int | None]],
    calls: Sequence[str],
    how: str,
    library: str,
    patience: float,
    pipe: tuple[int, int],
) -> tuple[str, list[int]]:
    """Fork a copy of this process, which makes calls and ends.

    Args:
        functions: the implementation's functions by name.
        calls: those that the copy calls, which take no arguments.
        how: the way in which it ends; see `end`.
        library: the path of the library.
        patience: seconds that it may take.
        pipe: for the answers of its calls, where the library does not close it; closed here.

    Returns:
        Its end in words, "HANG" where it does not end, and what the calls answered.

    """
    source, sink = pipe
    with _children_kept():
        pid = os.fork()
        if not pid:
            try:
                for name in calls:
                    os.write(sink, b"%d " % (functions[name]() or 0))
                end(how, library)
            finally:
                os._exit(_HINDERED)  # whatever hinders it, it must not go on as its original
        os.close(sink)
        status = _wait(pid, patience)
    answers = b""
    with contextlib.suppress(BlockingIOError):  # what a copy leaves behind may keep the pipe open
        answers = os.read(source, 4096) if status is not None else b""
    os.close(source)
    words = "HANG" if status is None else " ".join(autopsy.ended(status)[1:])
    return words, [int(word) for word in answers.split()]


@contextlib.contextmanager
def _children_kept() -> Iterator[None]:
    """Let children wait to be asked how they ended, if the library has SIGCHLD ignored."""
    sigaction = ctypes.CDLL(None).sigaction
    usual, kept = (ctypes.create_string_buffer(_ACTION) for _ in range(2))
    sigaction(signal.SIGCHLD, None, kept)
    ignored = ctypes.c_void_p.from_buffer(kept).value == signal.SIG_IGN
    if ignored:
        sigaction(signal.SIGCHLD, usual, None)
    try:
        yield
    finally:
        if ignored:
            sigaction(signal.SIGCHLD, kept, None)


def _wait(pid: int, patience: float) -> int | None:
    """Return the status of a process; end one that does not end in time, and return None."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done and not os.WIFSTOPPED(status):
            return status
        time.sleep(0.001)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None
