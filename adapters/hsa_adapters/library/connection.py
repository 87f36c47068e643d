"""The parent's end of one worker: its command, the pipes to it, and its messages."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hsa_adapters import interrupts
from hsa_adapters.errors import AdapterError, MisuseError
from hsa_adapters.library.bootstrap import payload
from hsa_adapters.worker.supervision.wire import Lines, decode, encode, send

START = 60.0  # seconds for a worker to load the library
GRACE = 30.0  # seconds that an answer may come late before the worker counts as lost
_TAIL = 4000
_LOOK = 0.2  # seconds between looks whether the worker's command still runs, and the suite shall
HASTE = 1.0  # seconds for a worker to end itself that did not start, or that nobody waits for
_NOISE = 1.0  # seconds to wait for the worker's own word after something else came

_NAP = 0.01  # seconds between looks whether a worker that is stopped goes on

# Statuses of shells and of env for a command that is not there.
_NOT_FOUND = (126, 127)
#: What shells, and what starts containers, add to the number of the signal that ended a command.
_OF_SHELLS = 128
_SIGNALS = frozenset(map(int, signal.Signals))


class GarbageError(Exception):
    """Something that is not a message came through the pipe; holds its text."""


class GoneError(Exception):
    """A process of the worker is over; holds what the supervisor reported.

    Attributes:
        target: 0 for the process, 1 for its peer.
        report: the supervisor's report.

    """

    def __init__(self, target: int, report: Mapping[str, Any]) -> None:
        super().__init__(report.get("detail", ""))
        self.target = target
        self.report = report


class StruckError(Exception):
    """A signal has ended or stopped the worker, not one of its processes; holds its name."""


class Connection:
    """A running worker.

    Args:
        command: the command that runs Python with the loader.
        settings: see `hsa_adapters.worker.main.main`.

    Attributes:
        hello: what the worker said about itself and the library.

    Raises:
        AdapterError: the worker or the library cannot be started.
        MisuseError: there is no such command, or what was named is no library.

    """

    def __init__(self, command: Sequence[str], settings: Mapping[str, Any]) -> None:
        self._serial = 0
        self._command = command
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the connection
        try:
            self._child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors
            )
        except OSError as error:
            self._errors.close()
            raise MisuseError(
                f"cannot run {command[0]}: {error.strerror}; check the command given with --via"
            ) from error
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._sink = self._child.stdin.fileno()
        self._lines = Lines(self._child.stdout.fileno())
        try:
            self.hello: Mapping[str, Any] = self._start(payload(settings))
        except BaseException:
            self.close(HASTE)  # there is nothing yet that would have to be ended in order
            raise

    def _start(self, source: bytes) -> Mapping[str, Any]:
        # What a login shell prints before the worker starts is skipped. A command that ends early
        # breaks the pipe; its words say more than that.
        with contextlib.suppress(BrokenPipeError):
            send(self._sink, source)
        try:
            while (line := self._next(START)) is not None:
                if line.startswith(b"=0 "):
                    hello: Mapping[str, Any] = decode(line[3:])
                    return hello
                if line.startswith(b"?0 "):
                    text, misuse = decode(line[3:])
                    raise MisuseError(text) if misuse else AdapterError(text)
        except TimeoutError:
            raise AdapterError(
                f"the worker did not load the library within {START:.0f} s: either loading it "
                f"hangs, or the command given with --via does not run Python{self._words()}"
            ) from None
        except StruckError as struck:
            raise AdapterError(f"{struck} stops the worker that loads the library") from None
        raise self._lost(
            "the worker ended before it had loaded the library: either loading it ends the "
            "process, or the command given with --via does not run Python"
        )

    def request(
        self, target: int, operation: str, arguments: Sequence[Any], patience: float
    ) -> Any:  # noqa: ANN401 - the answer of any operation
        """Send a request and return the answer.

        Args:
            target: 0 for the process, 1 for its peer.
            operation: name of the operation.
            arguments: its arguments, ready for JSON.
            patience: seconds that the operation may take.

        Raises:
            GoneError: the process is over.
            GarbageError: something else wrote into the pipe.
            StruckError: a signal has ended or stopped the worker.
            AdapterError: the operation failed, or the worker itself is gone.
            KeyboardInterrupt: the suite is to stop, before the answer or the request.

        """
        interrupts.checkpoint()
        self._serial = serial = self._serial + 1
        try:
            message = encode((serial, target, operation, arguments))
            send(self._sink, message.encode("ascii") + b"\n")
        except BrokenPipeError:
            raise self._gone() from None
        return self._answer(serial, patience + GRACE)

    def check(self) -> None:
        """Raise StruckError where a signal has ended or stopped the worker.

        A process of a worker that is stopped goes on and answers, but nobody watches it any more.
        """
        if self._signal() and (struck := self._signal(_LOOK)):
            raise StruckError(struck)

    def _signal(self, patience: float = 0.0) -> str:
        """Return the name of the signal by which the worker has ended, or is stopped for a while.

        Args:
            patience: seconds in which one that is stopped may go on, as it does with a terminal's
                foreground.

        """
        until = time.monotonic() + patience
        which = os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT
        while True:
            if self._child.returncode is not None:
                return _signal_of(self._child.returncode)
            told = os.waitid(os.P_PID, self._child.pid, which)
            if told is None:
                return ""
            if told.si_code == os.CLD_EXITED:
                return _signal_of(told.si_status)
            if told.si_code != os.CLD_STOPPED:
                return _signal_of(-told.si_status)
            if time.monotonic() >= until:
                return signal.Signals(told.si_status).name
            time.sleep(_NAP)

    @property
    def serial(self) -> int:
        """The serial of the last request."""
        return self._serial

    def _answer(self, serial: int, patience: float) -> Any:  # noqa: ANN401
        expected = b"=%d " % serial
        noise = b""
        while True:
            try:
                line = self._next(_NOISE if noise else patience)
            except TimeoutError:
                if noise:
                    raise GarbageError(noise.decode(errors="replace")) from None
                raise AdapterError(f"the worker does not answer any more{self._words()}") from None
            if line is None:
                raise self._gone()
            try:
                if line.startswith(expected) and not noise:
                    return decode(line[len(expected) :])
                if line.startswith(b"?%d " % serial):
                    raise AdapterError(decode(line.partition(b" ")[2]))
                if line.startswith((b"!0 ", b"!1 ")):
                    raise GoneError(int(line[1:2]), decode(line[3:]))
            except ValueError:
                pass  # cut short or mixed with something else
            noise = (noise + line)[-_TAIL:]

    def _next(self, patience: float) -> bytes | None:
        """Return the next line, or None when the worker is gone.

        What a library leaves behind may keep the pipe open after the worker, so the end of the
        input alone does not tell.
        """
        until = time.monotonic() + patience
        while True:
            try:
                return self._lines.next(min(_LOOK, patience))
            except TimeoutError:
                interrupts.checkpoint()
                if self._child.poll() is not None:
                    return None
                self.check()
                if time.monotonic() >= until:
                    raise

    def _gone(self) -> AdapterError | StruckError:
        """Return what is to be raised where the worker has ended that served a process."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            if struck := _signal_of(self._child.wait(5)):
                return StruckError(struck)
        return self._lost("the worker is gone")

    def _lost(self, what: str) -> AdapterError:
        """Return an error that says why the worker's command ended.

        Raises:
            KeyboardInterrupt: the suite is to stop, and what stops it may have ended the command.

        """
        interrupts.checkpoint()
        try:
            status = self._child.wait(5)
        except subprocess.TimeoutExpired:
            return AdapterError(f"{what}{self._words()}")
        name = os.path.basename(self._command[0])  # noqa: PTH119
        if status in _NOT_FOUND:
            what = (
                "there is no python3 where the worker should run: install Python 3.9 or newer "
                "there, or name it in --via with {args}"
            )
        return AdapterError(f"{what} ({name}: {_ending(status)}){self._words()}")

    def _words(self) -> str:
        """Return the last words of the command on its stderr, to be appended to a message."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _TAIL))
        text = self._errors.read().decode(errors="replace").strip()
        return f":\n{text}" if text else ""

    def close(self, patience: float = 10.0) -> None:
        """Hang up; the worker ends everything that it started.

        Args:
            patience: seconds until the worker's command is ended if it does not end itself.

        """
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                stream.close()
        try:
            self._child.wait(0 if self._signal() else patience)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._errors.close()


def _signal_of(status: int) -> str:
    """Return the name of the signal by which a command ended, as Python or a shell tells it."""
    number = -status if status < 0 else status - _OF_SHELLS
    return signal.Signals(number).name if number in _SIGNALS else ""


def _ending(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit status {status}"
