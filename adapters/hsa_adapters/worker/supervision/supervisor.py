"""Forks processes from the one that loaded the library, watches them, and says how they ended."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hsa_adapters.worker.calls.binding import Callbacks, Pointers
from hsa_adapters.worker.calls.executor import Executor
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.ends.crash import Recorder
from hsa_adapters.worker.ends.place import Library
from hsa_adapters.worker.resources import process_state
from hsa_adapters.worker.resources.descriptors import Descriptors, hidden_pipe, hide
from hsa_adapters.worker.supervision.backlog import Backlog
from hsa_adapters.worker.supervision.children import (
    Child,
    end_everything,
    ended_or_over,
    examine,
    half_of_memory,
    kill,
    left_behind,
)
from hsa_adapters.worker.supervision.serve import Server, trim
from hsa_adapters.worker.supervision.wire import encode, send
from hsa_adapters.worker.threads.background import Background
from hsa_adapters.worker.threads.litmus import Litmus
from hsa_adapters.worker.threads.together import Together

_TICK = 0.02
_PDEATHSIG, _SUBREAPER = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of <linux/prctl.h>
_IGNORED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE)
_RESTORED = (*_IGNORED, signal.SIGCHLD, signal.SIGXFSZ)

prctl = ctypes.CDLL(None).prctl


class Supervisor:
    """Serves one process at a time, with its peer, over the worker's own connection.

    Args:
        functions: the library's functions by name.
        settings: functions and callbacks (signatures), budget (seconds that a call may take when it
            does not say), output and memory (bytes of each that a process may take).
        library: what they are functions of.
        source: descriptor that requests come from.
        sink: descriptor that replies go to.

    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., int]],
        settings: Mapping[str, Any],
        library: Library,
        source: int,
        sink: int,
    ) -> None:
        self._functions = functions
        self._settings = settings
        self._library = library
        self._recorder = Recorder()
        self._source = source
        self._sink = sink
        self._wake = hidden_pipe()
        for number in _IGNORED:
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        self._state = process_state.after(process_state.read(), _RESTORED)
        # Where a library has stopped this process, it has to go on to see that the suite is gone.
        prctl(_PDEATHSIG, signal.SIGCONT, 0, 0, 0)
        # What a process leaves behind becomes a child of this one, and can be ended with it.
        prctl(_SUBREAPER, 1, 0, 0, 0)

    def run(self, first: bytes) -> None:
        """Fork a process and watch it and its peer until it has ended; say how.

        Args:
            first: the request that the process answers first.

        """
        output, memory = self._settings["output"], self._settings["memory"] or half_of_memory()
        control, theirs = map(_hidden_socket, socket.socketpair())
        process = Child(self._sink)
        peers: list[Child] = []
        self._fork(
            process,
            source=self._source,
            unwanted=[control.fileno()],
            supervisor=theirs,
            first=first,
        )
        theirs.close()
        poll = select.poll()
        poll.register(self._source, select.POLLRDHUP)
        poll.register(self._wake[0], select.POLLIN)
        poll.register(control, select.POLLIN)
        unread = Backlog(self._source, self._settings["budget"])
        while True:
            events = dict(poll.poll(_TICK * 1000))
            for child in (process, *peers):
                trim(child.output, output)
            if self._source in events:
                end_everything()
                os._exit(0)
            if self._wake[0] in events:
                os.read(self._wake[0], 4096)
            if control.fileno() in events:
                wish = _hear(control)
                if wish == b"peer":
                    self._drop(peers)
                    peers = [self._start_peer(control, process)]
                elif not wish:
                    poll.unregister(control)
            for peer in [p for p in peers if ended_or_over(p, memory)]:
                _tell(peer.sink, 1, examine(peer, self._library))
                os.close(peer.sink)
                peers.remove(peer)
            if ended_or_over(process, memory) or (unread.too_long() and not process.watch.deadline):
                break
        report = examine(process, self._library)
        self._drop(peers)
        report["left"] = left_behind(report["files"])
        end_everything()
        control.close()
        _tell(self._sink, 0, report)

    def _drop(self, peers: list[Child]) -> None:
        for peer in peers:
            kill(peer.pid)
            os.close(peer.sink)
            peer.close()

    def _start_peer(self, control: socket.socket, process: Child) -> Child:
        """Fork a peer and give the process its ends of the two sockets between them."""
        near, far = map(_hidden_socket, socket.socketpair())
        near_channel, far_channel = map(_hidden_socket, socket.socketpair())
        peer = Child(far.detach())
        ends = [near.fileno(), near_channel.fileno()]
        others = [control.fileno(), process.output, process.notes, self._source, self._sink]
        self._fork(peer, source=peer.sink, unwanted=[*ends, *others], channel=far_channel)
        with contextlib.suppress(OSError):  # the process may be gone by now
            socket.send_fds(control, [b"peer"], ends)
        for each in (near, near_channel, far_channel):
            each.close()
        return peer

    def _fork(
        self,
        child: Child,
        *,
        source: int,
        unwanted: Sequence[int],
        supervisor: socket.socket | None = None,
        channel: socket.socket | None = None,
        first: bytes | None = None,
    ) -> None:
        """Fork a process that serves until its conversation ends.

        Args:
            child: gets the process's id.
            source: descriptor that its requests come from; its replies go to the child's sink.
            unwanted: descriptors that it must not have.
            supervisor: for a first process, its socket to this one.
            channel: for a peer, the socket over which descriptors travel.
            first: a request for it that was read already.

        """
        ours = os.getpid()
        child.pid = os.fork()
        if child.pid:
            # Both sides do this, so that it is done whichever runs first.
            with contextlib.suppress(OSError):
                os.setpgid(child.pid, child.pid)
            return
        try:
            _become_child(ours, child.output)
            self._recorder.write_to(child.notes)
            for descriptor in (*self._wake, *unwanted):
                os.close(descriptor)
            memory = Memory(hidden_pipe())
            settings = self._settings
            executor = Executor(
                self._functions,
                Pointers(settings["functions"]),
                Callbacks(settings["callbacks"], settings["budget"]),
                memory,
                child.watch,
                settings["budget"],
            )
            server = Server(
                executor=executor,
                background=Background(executor, memory),
                together=Together(executor, memory, child.watch),
                litmus=Litmus(executor, memory, child.watch),
                memory=memory,
                descriptors=Descriptors(),
                watch=child.watch,
                budget=settings["budget"],
                library=self._library.path,
                output=child.output,
                notes=child.notes,
                state=replace(self._state, streams=process_state.streams()),
                supervisor=supervisor,
                channel=channel,
            )
            server.run(source, child.sink, first)
        except BaseException:
            traceback.print_exc()
            os._exit(70)


def _tell(sink: int, target: int, report: dict[str, object]) -> None:
    with contextlib.suppress(OSError):
        send(sink, b"\n!%d %s\n" % (target, encode(report).encode()))


def _become_child(supervisor: int, output: int) -> None:
    """Leave the supervisor's ways behind: signals, group, output; and end when it ends."""
    os.setpgid(0, 0)
    prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != supervisor:
        os._exit(0)
    signal.set_wakeup_fd(-1)
    for number in _RESTORED:
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    os.dup2(output, 1)
    os.dup2(output, 2)


def _hidden_socket(given: socket.socket) -> socket.socket:
    return socket.socket(fileno=hide(given.detach()))


def _hear(control: socket.socket) -> bytes:
    """Return what a process says on its socket to the supervisor; nothing when it is gone."""
    try:
        return control.recv(16)
    except OSError:
        return b""
