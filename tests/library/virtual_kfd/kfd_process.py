"""Processes on an imitated machine: a test's body runs in one of its own.

The test process itself has no preloaded library. For each machine there is a server that has it,
never opens the driver, and forks a child for each test.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

from hsa_adapters.virtual_kfd.folder import VirtualKfd

TIMEOUT = 120.0


def inside(machine: str = "gfx90a") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a test of a function that runs in a fresh process on a machine.

    It may take one argument, which is `Kfd()`.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        # Not functools.wraps: pytest would look for the fixtures of the function within.
        def test(servers: Callable[[str], Server]) -> None:
            servers(machine).run(function.__module__, function.__qualname__)

        made: Any = functools.update_wrapper(test, function, updated=())
        del made.__wrapped__
        made.inside = function
        return test

    return decorate


class Server:
    """A preloaded process that forks one for each test."""

    def __init__(self, kfd: VirtualKfd) -> None:
        assert __spec__ is not None
        self._process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **kfd.environment(), "PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def run(self, module: str, name: str) -> None:
        """Run a test's body; its failure is raised here."""
        print(json.dumps([module, name]), file=self._process.stdin, flush=True)
        assert self._process.stdout is not None
        failure = json.loads(self._process.stdout.readline())
        assert not failure, failure

    def close(self) -> None:
        """End the server."""
        self._process.communicate(timeout=TIMEOUT)


class OtherProcess:
    """A forked process that calls a function, with descriptors of its own.

    Args:
        function: what it calls; the result has to be picklable.

    """

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        ours, theirs = socket.socketpair()
        self.socket = ours
        self.pid = os.fork()
        if not self.pid:
            ours.close()
            _answer(theirs, function, arguments)
        theirs.close()

    def result(self) -> Any:
        """Wait for its end and return what the function returned."""
        self.socket.settimeout(TIMEOUT)
        with self.socket, self.socket.makefile("rb") as file:
            # Not to the end: a process of its own may have the other end, too.
            data = file.read(int.from_bytes(file.read(8), "little"))
        status = os.waitpid(self.pid, 0)[1]
        assert not os.WIFSIGNALED(status), signal.Signals(os.WTERMSIG(status)).name
        failure, value = pickle.loads(data)
        assert not failure, failure
        return value


def elsewhere(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in another process and return what it returns."""
    return OtherProcess(function, *arguments).result()


def _answer(
    answer: socket.socket, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    try:
        data = pickle.dumps(("", function(*arguments)))
    except BaseException as error:
        data = pickle.dumps((_failure(error), None))
    answer.sendall(len(data).to_bytes(8, "little") + data)
    os._exit(0)


def _failure(error: BaseException) -> str:
    return "".join(traceback.TracebackException.from_exception(error, capture_locals=True).format())


def _serve(line: str) -> str:
    from tests.library.virtual_kfd.kfd_calls import Kfd

    module, name = json.loads(line)
    function = getattr(importlib.import_module(module), name).inside
    child = OtherProcess(lambda: function(*[Kfd()] * function.__code__.co_argcount))
    watched = os.pidfd_open(child.pid)
    if not select.select([watched], [], [], TIMEOUT)[0]:
        os.kill(child.pid, signal.SIGKILL)
    os.close(watched)
    try:
        child.result()
    except (AssertionError, EOFError) as failure:
        return str(failure) or "the process ended"
    return ""


def main() -> None:
    """Serve until standard input ends."""
    with contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            print(json.dumps(_serve(line)), flush=True)


if __name__ == "__main__":
    main()
