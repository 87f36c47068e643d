"""A process's side of the conversation: read a request, carry it out, answer."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import socket
import threading
import time
from collections.abc import Sequence
from typing import Any

from hsa_adapters.worker.calls.executor import CALLS, Executor
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.calls.watch import CLOSED, HINDERED, LOST, OVERWRITTEN, Watch
from hsa_adapters.worker.ends import ending
from hsa_adapters.worker.ends.interruption import interrupt
from hsa_adapters.worker.ends.mappings import exported_beside
from hsa_adapters.worker.resources import process_state, remains
from hsa_adapters.worker.resources.descriptors import Descriptors, hidden_pipe, hide, mappings
from hsa_adapters.worker.resources.ledger import Ledger
from hsa_adapters.worker.resources.needs import work
from hsa_adapters.worker.supervision.wire import Lines, decode, encode, send, wait_for
from hsa_adapters.worker.threads.background import Background
from hsa_adapters.worker.threads.litmus import Litmus
from hsa_adapters.worker.threads.together import Together, no_barrier

TAIL = 1 << 16
#: Of so many processes in which no function was called for the first time, one is looked at.
_SAMPLE = 16
_THREAD_EXIT_TIMEOUT = 1.0  # seconds
_CLOCK_OF_FILES = 5  # CLOCK_REALTIME_COARSE
#: What the worker's own work raises where the process may not do it, or lacks what it takes; the
#: last where no thread can be started.
_HINDERING = (OSError, MemoryError, RuntimeError)


def tail(descriptor: int, size: int) -> str:
    """Return the last `size` bytes of a file as text."""
    end = os.fstat(descriptor).st_size
    # What `trim` has dropped reads as zeros.
    text = os.pread(descriptor, size, max(0, end - size)).lstrip(b"\0")
    return text.decode(errors="replace")


def trim(descriptor: int, most: int) -> None:
    """Drop what a file of output holds so far when it takes more than `most` bytes.

    Whoever writes goes on where it was, behind a hole that takes no room.
    """
    if os.fstat(descriptor).st_blocks * 512 > most:
        os.ftruncate(descriptor, 0)


def foreign_threads() -> int:
    """Return how many threads this process has that Python did not start."""
    # Of the main thread, Python may still know what it was called before the fork.
    ours = {os.getpid(), *(thread.native_id for thread in threading.enumerate())}
    return sum(int(name) not in ours for name in os.listdir("/proc/self/task"))  # noqa: PTH208


def _limits() -> tuple[tuple[int, int], ...]:
    """Return the limits without which the worker could not go on."""
    return resource.getrlimit(resource.RLIMIT_NOFILE), resource.getrlimit(resource.RLIMIT_AS)


def _errno(error: BaseException) -> int:
    return error.errno or 0 if isinstance(error, OSError) else 0


def _decode_writes(call: list[Any]) -> None:
    if call[2]:
        call[2] = [(address, bytes.fromhex(data)) for address, data in call[2]]
    for argument in call[1]:
        if argument.__class__ is list:
            for inner in argument[CALLS]:
                _decode_writes(inner)


def _told(reads: Sequence[bytes | None]) -> list[str | None]:
    return [None if data is None else data.hex() for data in reads]


class Server:
    """Serves one process.

    Args:
        executor: makes the calls.
        background: makes one call beside them.
        together: makes several at one time.
        litmus: makes litmus tests.
        memory: the memory of this process.
        descriptors: the descriptors of this process.
        watch: the record that the supervisor watches.
        budget: seconds that an operation other than a call may take.
        library: the path of the library.
        output: the file that took the place of descriptors 1 and 2.
        notes: the file for what the process says when it is told to end.
        state: what the process has to begin with.
        supervisor: socket to the supervisor, which starts the peer.
        channel: for a peer, the socket over which descriptors travel.

    """

    def __init__(
        self,
        *,
        executor: Executor,
        background: Background,
        together: Together,
        litmus: Litmus,
        memory: Memory,
        descriptors: Descriptors,
        watch: Watch,
        budget: float,
        library: str,
        output: int,
        notes: int,
        state: process_state.ProcessState,
        supervisor: socket.socket | None,
        channel: socket.socket | None,
    ) -> None:
        self._executor = executor
        self._background = background
        self._together = together
        self._litmus = litmus
        self._memory = memory
        self._descriptors = descriptors
        self._ledger = Ledger(descriptors, foreign_threads)
        self._watch = watch
        self._budget = budget
        self._library = library
        self._limits = _limits()
        self._is_filtered = process_state.is_filtered()
        self._start_time = time.clock_gettime(_CLOCK_OF_FILES)
        self._output = output
        self._notes = notes
        # None once the worker has changed it.
        self._state: process_state.ProcessState | None = state
        self._shared: dict[str, str] = {}  # objects of shared memory, by what made them
        self._is_watched = False
        self._serial = 0
        self._supervisor = supervisor
        self._channel = channel
        self._peer: tuple[int, Lines] | None = None

    def run(self, source: int, sink: int, first: bytes | None) -> None:
        """Answer requests until the conversation ends, then end the process.

        Args:
            source: descriptor that requests come from.
            sink: descriptor that replies go to.
            first: a request that was read already.

        """
        lines = Lines(source)
        try:
            line = first if first is not None else self._request(lines)
            while line is not None:
                # Where a library has broken the heap, the worker's own work may hang as well.
                self._watch.begin(-1, self._budget)
                send(sink, self._reply(line))
                self._watch.end()
                line = self._request(lines)
            # The other side would have ended this process first: the library closed our end.
            self._watch.leave(LOST)
        except Exception as error:
            self._watch.leave(LOST if isinstance(error, OSError) else HINDERED, _errno(error))
        os._exit(0)

    def _request(self, lines: Lines) -> bytes | None:
        lines.wait()
        # The supervisor sees what is not read for long; from here on it is read.
        self._watch.begin(-1, self._budget)
        return lines.next()

    def _reply(self, line: bytes) -> bytes:
        serial, target, operation, arguments = decode(line)
        watch, self._serial = self._watch, serial
        watch.request(serial)
        if target and self._supervisor is not None:
            watch.end()  # the peer has a watch of its own
            return self._forward(line)
        try:
            answer = getattr(self, "do_" + operation)(*arguments)
        except _HINDERING as error:
            watch.leave(HINDERED, _errno(error))
            os._exit(0)
        except Exception as error:
            return b"\n?%d %s\n" % (serial, encode(f"{error}").encode())
        finally:
            watch.returned(self._budget)
        if answer.__class__ is int:  # most calls; formatting is several times faster
            return b"\n=%d %d\n" % (serial, answer)
        return b"\n=%d %s\n" % (serial, encode(answer).encode())

    def _forward(self, line: bytes) -> bytes:
        if self._peer is None:
            raise ConnectionError("there is no peer")
        descriptor, lines = self._peer
        send(descriptor, line + b"\n")
        reply = b"\n"
        while (piece := lines.next()) is not None:
            # What is no reply is for the parent to judge, too.
            reply += piece + b"\n"
            if piece.startswith((b"=", b"?", b"!")):
                return reply
        raise ConnectionError("the supervisor is gone")

    def do_call(self, call: list[Any], index: int = 0) -> object:
        """Make a call; the answer is the result alone where there is nothing else to say."""
        _decode_writes(call)
        result, reads, callbacks = self._executor.call(call, index)
        if self._watch.is_overwritten:
            self._leave_after(index)
        if _limits() != self._limits:
            self._watch.limited()
        if not self._is_filtered and process_state.is_filtered():
            self._try_filter()
        if reads or callbacks:
            return result, _told(reads), callbacks
        return result

    def _leave_after(self, index: int) -> None:
        """End the process after a call that has overwritten the record of calls."""
        watch = self._watch
        watch.renew()
        watch.request(self._serial)
        watch.begin(index, self._budget)
        watch.returned(self._budget)
        watch.leave(OVERWRITTEN)
        os._exit(0)

    def _try_filter(self) -> None:
        """Do what the worker does in a process, as a call has begun to filter system calls.

        A filter that ends the process has to do so now: later, it would in any innocent call.
        """
        self._is_filtered = True
        self._watch.limited()
        self._watch.returned(self._budget)
        work()

    def do_batch(self, calls: list[list[Any]]) -> list[object]:
        """Make several calls."""
        make = self.do_call
        return [make(call, index) for index, call in enumerate(calls)]

    def do_start(self, call: list[Any], repeat: list[int] | None) -> None:
        """Start a call in a thread of its own."""
        _decode_writes(call)
        self._background.start(call, repeat)

    def do_join(self, budget: float | None) -> object:
        """Wait for the end of that call."""
        self._watch.begin(0, budget or self._budget)
        result, zeros, reads, callbacks = self._background.join()
        return result, zeros, _told(reads), callbacks

    def do_together(
        self,
        lanes: list[list[tuple[list[Any], list[tuple[int, int, int]], int, int]]],
        budget: float | None,
    ) -> object:
        """Make calls in several threads at one time."""
        for lane in lanes:
            for call, *_ in lane:
                _decode_writes(call)
        self._watch.begin(-1, budget or self._budget)
        return [
            [(result, _told(reads), *rest) for result, reads, *rest in lane]
            for lane in self._together.run(lanes)
        ]

    def do_litmus(self, threads: list[list[list[Any]]], times: int, budget: float | None) -> object:
        """Make a litmus test."""
        for moves in threads:
            for move in moves:
                if move[0] == "call":
                    _decode_writes(move[1])
        self._watch.begin(-1, budget or self._budget)
        return self._litmus.run(threads, times)

    def do_hello(self) -> dict[str, object]:
        """Describe the process."""
        return {
            "scratch": self._memory.address,
            "size": self._memory.size,
            "page_size": os.sysconf("SC_PAGESIZE"),
            "no_barrier": no_barrier(),
        }

    def do_read(self, address: int, size: int) -> bytes | None:
        """Read memory."""
        return self._memory.read(address, size)

    def do_write(self, address: int, data: str) -> bool:
        """Write memory."""
        return self._memory.write(address, bytes.fromhex(data))

    def do_exported_beside(self, address: int) -> list[tuple[str, int]] | None:
        """Tell what the file with the code at an address exports."""
        found = exported_beside(address)
        return None if found is None else list(found.items())

    def do_descriptors(self) -> list[tuple[int, str]]:
        """List the open descriptors."""
        return list(self._descriptors.listing().items())

    def do_close_descriptor(self, descriptor: int) -> bool:
        """Close a descriptor."""
        if descriptor < len(process_state.STREAMS):
            self._state = None
        return self._descriptors.close(descriptor)

    def do_open_file(self, size: int, content: str, readable: bool) -> int:
        """Open an ordinary anonymous file."""
        return self._descriptors.open_file(size, bytes.fromhex(content), readable)

    def do_set_variable(self, name: str, value: str) -> bool:
        """Set a variable of the environment."""
        os.environ[name] = value
        self._state = None
        return True

    def do_mappings(self) -> int:
        """Count the mappings."""
        return mappings()

    def do_ledger(self) -> dict[str, int]:
        """Count what the process holds."""
        return self._ledger.counts()

    def do_spent(self) -> float:
        """Return the seconds of processor time that the process has taken."""
        return time.process_time()

    def do_threads(self, most: int) -> int:
        """Count the library's threads, once it had a moment to end those beyond `most`."""
        until = time.monotonic() + _THREAD_EXIT_TIMEOUT
        while (count := foreign_threads()) > most and time.monotonic() < until:
            time.sleep(0.01)
        return count

    def do_settle(self, seconds: float) -> bool:
        """Go on for a while, and do once what the worker does in a process."""
        self._watch.begin(-1, self._budget + seconds)
        time.sleep(seconds)
        work()
        return True

    def do_captured(self) -> str:
        """Return what the library printed."""
        ctypes.CDLL(None).fflush(None)
        return tail(self._output, TAIL)

    def do_peer(self) -> None:
        """Have the supervisor start a peer and talk to it from now on."""
        if self._supervisor is None:
            raise ValueError("a peer has no peer of its own")
        if self._peer is not None:
            os.close(self._peer[0])
        self._supervisor.send(b"peer")
        wait_for(self._supervisor.fileno(), select.POLLIN)
        _, sockets, _, _ = socket.recv_fds(self._supervisor, 16, 2)
        conversation, channel = map(hide, sockets)
        self._peer = (conversation, Lines(conversation))
        self._channel = socket.socket(fileno=channel)

    def do_send_descriptor(self, descriptor: int) -> None:
        """Send a descriptor to the other process."""
        if self._channel is None:
            raise ValueError("start a peer before sending it a descriptor")
        try:
            os.fstat(descriptor)
        except OSError as error:
            raise ValueError(f"{error}") from None
        socket.send_fds(self._channel, [b"d"], [descriptor])

    def do_receive_descriptor(self) -> int:
        """Take the descriptor that the other process sent and return its number here."""
        if self._channel is None:
            raise ValueError("start a peer before sending it a descriptor")
        _, (descriptor,), _, _ = socket.recv_fds(self._channel, 1, 1)
        return descriptor

    def do_interrupt(self, times: int, pause: float, restart: bool) -> bool:
        """Send a signal with a handler that does nothing to every thread."""
        self._watch.begin(-1, self._budget + times * pause)
        interrupt(times, pause, restart=restart)
        self._state = None  # that there is a handler is not the library's doing
        return True

    def do_inherited(self) -> list[tuple[int, str]]:
        """List the open descriptors that a program would have that is executed."""
        return list(self._descriptors.inherited().items())

    def do_fork(self, calls: list[str], how: str, patience: float) -> object:
        """Fork a copy that makes calls and ends."""
        self._watch.begin(-1, self._budget + patience)
        functions = self._executor.functions
        return ending.fork(functions, calls, how, self._library, patience, hidden_pipe())

    def do_holdings(self) -> tuple[int, list[remains.Named]]:
        """Return the number of the process, and the files for a time that it has."""
        return os.getpid(), remains.named_files(self._start_time)

    def do_left_by(self, pid: int, files: list[list[object]]) -> list[str]:
        """Return in words what is there of a process that has ended."""
        return remains.left_by(pid, files)

    def do_end(self, how: str) -> None:
        """End the process in some way."""
        ending.end(how, self._library)

    def do_changes(self, function: str) -> list[str]:
        """Return in words what is another of this process since the last time.

        Args:
            function: what was called since then; nothing where it may be any function.

        """
        if self._state is None:
            return []
        self._is_watched = True
        before, self._state = self._state, self._now()
        made = process_state.files(before, self._state) if function else []
        self._shared.update(dict.fromkeys(made, function))
        return list(process_state.differences(before, self._state))

    def _now(self) -> process_state.ProcessState:
        return process_state.read(os.fstat(self._output).st_size)

    def do_close(self) -> None:
        """End the process without running anybody's exit handlers."""
        with contextlib.suppress(*_HINDERING):
            self._note_last_words()
        self._watch.leave(CLOSED)
        os._exit(0)

    def _note_last_words(self) -> None:
        """Note what this process has changed of itself, and what it could leave behind."""
        if self._state is None or not (self._is_watched or os.getpid() % _SAMPLE == 0):
            return
        words = list(process_state.differences(self._state, self._now()))
        found = [path for path, *_ in remains.named_files(self._start_time)]
        files = [*self._shared.items(), *((f, "") for f in found if f not in self._shared)]
        if words or files:
            os.pwrite(self._notes, encode((words, files)).encode(), 0)
