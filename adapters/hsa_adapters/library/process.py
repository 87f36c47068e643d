"""The parent's view of one process of a worker, and of its peer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from hsa_adapters.calls import Call, Outcome, Repeat, TimedOutcome, plain, plain_in_thread
from hsa_adapters.ends import HANG, End, Holdings
from hsa_adapters.errors import AdapterError, Ended, LimitError, Place
from hsa_adapters.library.connection import (
    HASTE,
    Connection,
    GarbageError,
    GoneError,
    StruckError,
)
from hsa_adapters.library.observations import Observations
from hsa_adapters.moves import CallMove, Move, plain_move
from hsa_adapters.worker.supervision.children import BROKEN, DONE, LIMIT

#: The operation in which an end is owed to the last call.
SETTLE = "settle"


class Session:
    """One forked process and perhaps its peer, on one worker's connection.

    Args:
        connection: a worker that serves nobody else now.
        budget: seconds that a call may take when it does not say.
        release: takes the connection back; its argument says whether it can be used again.
        seen: what was seen of the library's processes.

    """

    def __init__(
        self,
        connection: Connection,
        budget: float,
        release: Callable[[Connection, bool], None],
        seen: Observations,
    ) -> None:
        self.budget = budget
        self.seen = seen
        self._connection = connection
        self._release = release
        self._over: dict[int, Ended] = {}
        self._started: dict[int, Call] = {}
        self._made: dict[int, dict[int, Call]] = {}  # by process, and by the serial of the request
        self._open = True

    def ask(
        self,
        target: int,
        operation: str,
        arguments: Sequence[Any] = (),
        calls: Sequence[Call] = (),
    ) -> Any:  # noqa: ANN401 - the answer of any operation
        """Send a request to a process and return its answer.

        Raises:
            Ended: the process is over.
            LimitError: it was over a limit.
            AdapterError: the operation failed, or the worker itself is gone.

        """
        over = self._over.get(0) or self._over.get(target)
        if over is not None and over.kind != DONE:
            raise _told(over)
        if over is not None or not self._open:
            raise AdapterError("this process was closed")
        patience = sum(c.budget or self.budget for c in calls) or self.budget
        try:
            answer = self._connection.request(target, operation, arguments, patience)
            if operation == SETTLE:
                self._connection.check()
        except GoneError as gone:
            over = self._over[gone.target] = self._end(gone, calls, settling=operation == SETTLE)
            if gone.target == 0:
                self._finish(usable=True)
            raise _told(over) from None
        except GarbageError as garbage:
            call = calls[0] if len(calls) == 1 else None
            detail = "wrote into a descriptor of the tester"
            over = self._over[0] = Ended("CRASH", call, detail, str(garbage))
            self._finish(usable=False)
            raise over from None
        except StruckError as struck:
            raise self._struck(struck, target, calls) from None
        except AdapterError:
            raise
        except BaseException:
            # Interrupted between request and answer: nothing more can be said on this connection.
            # A worker that hangs as well must not keep whoever waits for the end of the run.
            self._connection.close(HASTE)
            self._finish(usable=False)
            raise
        if calls:
            self._made.setdefault(target, {})[self._connection.serial] = calls[-1]
        return answer

    def _end(self, gone: GoneError, calls: Sequence[Call], *, settling: bool) -> Ended:
        """Return how a process ended, and in which of the calls of the last request, if any."""
        report = gone.report
        self.seen.changed("", report["changes"])
        self.seen.left(report.get("left", ()))
        index = report["index"] if report["serial"] == self._connection.serial else -1
        # A peer's end concerns this request only when it was the one asked.
        busy = self._started.get(gone.target)
        returned = report["returned"] and 0 <= index < len(calls)
        if returned and busy is not None:
            index, returned = -1, False  # a thread is still in a call
        call = calls[index] if 0 <= index < len(calls) else busy
        if report["lost"] and (call is None or returned):
            # It could not go on after a call that took something away, or after its last one.
            last = calls[-1] if calls else self._last(gone.target)
            call = self._made.get(gone.target, {}).get(report["limiting"], last)
            returned = call is not None
        if settling:
            call = self._last(gone.target)
            returned = call is not None
        detail = report["detail"]
        if busy is not None and call is not busy and report["kind"] != "HANG":
            detail += f", with {busy.function} under way in a thread"
        return Ended(
            report["kind"],
            call,
            detail,
            report["stderr"],
            report["seen"],
            report["place"] and Place(**report["place"]),
            report["between"],
            returned=returned,
            certain=report["certain"],
            elsewhere=report["elsewhere"] and busy is None,
        )

    def _struck(self, by: StruckError, target: int, calls: Sequence[Call] = ()) -> Ended:
        """Return how a process ended whose worker was ended or stopped.

        Only what runs in a process strikes the worker, until fresh ones do not show it again.
        """
        call = calls[0] if calls else self._last(target)
        returned = call is not None and not calls
        detail = f"{by} to the process that watches it"
        over = self._over[0] = Ended("CRASH", call, detail, returned=returned)
        self._finish(usable=False)
        return over

    def check(self, target: int) -> None:
        """Raise Ended where the worker has ended or is stopped, so that nobody watches it."""
        if not self._open or target in self._over:
            return  # which is told with the next request
        try:
            self._connection.check()
        except StruckError as struck:
            raise self._struck(struck, target) from None

    def _last(self, target: int) -> Call | None:
        """Return the last call that a process has made."""
        return next(reversed(self._made.get(target, {}).values()), None)

    def start(self, target: int, call: Call, repeat: Repeat | None) -> None:
        """Start a call in a thread of a process."""
        if target in self._started:
            raise AdapterError("a call is under way in a thread already")
        growth = None if repeat is None else (repeat.most, repeat.step)
        self._started[target] = call
        try:
            self.ask(target, "start", (plain(call), growth), (call,))
        except (AdapterError, Ended):
            del self._started[target]
            raise

    def join(self, target: int, budget: float | None) -> Outcome:
        """Wait for the end of the call that was started."""
        if target not in self._started:
            raise AdapterError("no call is under way in a thread")
        call = self._started[target]
        if budget is not None:
            call = self._started[target] = replace(call, budget=budget)
        try:
            result, zeros, reads, callbacks = self.ask(target, "join", (budget,), (call,))
        except Ended:
            del self._started[target]  # and each further request tells how the process ended
            raise
        del self._started[target]
        return Outcome(result, _contents(reads), tuple(map(tuple, callbacks)), zeros)

    def renew_peer(self) -> None:
        """Forget what an earlier peer did, and how it ended."""
        self._over.pop(1, None)
        self._started.pop(1, None)
        self._made.pop(1, None)

    def close(self, target: int) -> None:
        """End a process; ending the first ends the peer, too.

        Raises:
            Ended: it had ended before, and nobody knew.

        """
        if not self._open or target in self._over:
            return
        try:
            self.ask(target, "close")
        except Ended as end:
            if end.kind != DONE:
                raise
        except AdapterError:
            self._finish(usable=False)

    def _finish(self, usable: bool) -> None:
        if self._open:
            self._open = False
            self._release(self._connection, usable)


def _told(over: Ended) -> Ended | LimitError | AdapterError:
    """Return what is said of a process that is over: a limit is no end of the library's making."""
    if over.kind == BROKEN:
        return AdapterError("the worker cannot work on this machine, in no process at all")
    if over.kind != LIMIT:
        return over
    where = f" in {over.call.function}" if over.call else ""
    return LimitError(f"the process was ended{where}: {over.detail}")


class WorkerProcess:
    """A process with the library loaded; see `hsa_adapters.protocol.Process`.

    Args:
        session: what it is part of.
        target: 0 for the first process, 1 for its peer.

    """

    def __init__(self, session: Session, target: int = 0) -> None:
        self._session = session
        self._target = target
        self._ask = session.ask
        hello = self._ask(target, "hello")
        self._scratch: tuple[int, int] = (hello["scratch"], hello["size"])
        self._page_size: int = hello["page_size"]
        self._no_barrier: str | None = hello["no_barrier"]

    @property
    def scratch(self) -> tuple[int, int]:
        """Address and size of memory in the process that the suite may use as it likes."""
        return self._scratch

    @property
    def page_size(self) -> int:
        """Size of a page in the process, in bytes."""
        return self._page_size

    def call(self, call: Call) -> Outcome:
        """Make one call; look what the process changes of itself the first time in all of them."""
        if not self._session.seen.is_first(call.function):
            return outcome(self._ask(self._target, "call", (plain(call),), (call,)))
        self._note_changes("")
        made = outcome(self._ask(self._target, "call", (plain(call),), (call,)))
        self._note_changes(call.function)
        return made

    def _note_changes(self, by: str) -> None:
        self._session.seen.changed(by, self._ask(self._target, "changes", (by,)))

    def batch(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make several calls in one round trip."""
        answers = self._ask(self._target, "batch", ([plain(c) for c in calls],), calls)
        return [outcome(answer) for answer in answers]

    def start(self, call: Call, repeat: Repeat | None = None) -> None:
        """Make a call in a thread of its own."""
        self._session.start(self._target, call, repeat)

    def join(self, budget: float | None = None) -> Outcome:
        """Wait for the end of the call that was started."""
        return self._session.join(self._target, budget)

    @property
    def no_barrier(self) -> str | None:
        """Why `together` cannot be used here; None where it can."""
        return self._no_barrier

    def together(
        self, lanes: Sequence[Sequence[Call]], budget: float | None = None
    ) -> list[list[TimedOutcome]]:
        """Make calls in several threads, which are released at one time."""
        plainly = [[plain_in_thread(call) for call in lane] for lane in lanes]
        calls = [call for lane in lanes for call in lane]
        answers = self._ask(self._target, "together", (plainly, budget), calls)
        return [
            [
                TimedOutcome(_with_callbacks(result, reads, callbacks), began, ended)
                for result, reads, callbacks, began, ended in lane
            ]
            for lane in answers
        ]

    def litmus(
        self, threads: Sequence[Sequence[Move]], times: int, budget: float | None = None
    ) -> Sequence[float]:
        """Let each of several threads make its moves again and again, all at one time."""
        plainly = [[plain_move(move) for move in moves] for moves in threads]
        calls = [move.call for moves in threads for move in moves if isinstance(move, CallMove)]
        took: list[float] = self._ask(self._target, "litmus", (plainly, times, budget), calls)
        return took

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory, or return None where it cannot be read."""
        data = self._ask(self._target, "read", (address, size))
        return None if data is None else bytes.fromhex(data)

    def write(self, address: int, data: bytes) -> bool:
        """Write memory; False where it cannot be written."""
        return bool(self._ask(self._target, "write", (address, data)))

    def exported_beside(self, address: int) -> Mapping[str, int] | None:
        """Return where the file with the code at an address exports functions of HSA, by name."""
        found: list[tuple[str, int]] | None = self._ask(self._target, "exported_beside", (address,))
        return None if found is None else dict(found)

    def descriptors(self) -> Mapping[int, str]:
        """Return the open file descriptors and what they refer to, the worker's own left out."""
        return dict(self._ask(self._target, "descriptors"))

    def close_descriptor(self, descriptor: int) -> bool:
        """Close a file descriptor; False when it was not open or is the worker's own."""
        return bool(self._ask(self._target, "close_descriptor", (descriptor,)))

    def open_file(self, size: int, content: bytes = b"", *, readable: bool = True) -> int:
        """Open an ordinary anonymous file of `size` bytes and return its descriptor."""
        return int(self._ask(self._target, "open_file", (size, content.hex(), readable)))

    def set_variable(self, name: str, value: str) -> bool:
        """Set a variable of the environment."""
        return bool(self._ask(self._target, "set_variable", (name, value)))

    def mappings(self) -> int:
        """Return how many memory mappings the process has."""
        return int(self._ask(self._target, "mappings"))

    def ledger(self) -> Mapping[str, int]:
        """Return how many things of each kind the process holds."""
        return dict(self._ask(self._target, "ledger"))

    def spent(self) -> float:
        """Return the seconds of processor time that the process has taken."""
        return float(self._ask(self._target, "spent"))

    def threads(self, most: int) -> int:
        """Return how many threads the library has, once it had a moment to end those beyond."""
        return int(self._ask(self._target, "threads", (most,)))

    def peer(self) -> WorkerProcess:
        """Start a second process of the same implementation; an earlier peer is ended.

        Raises:
            AdapterError: this process is a peer itself.

        """
        self._ask(self._target, "peer")
        self._session.renew_peer()
        return WorkerProcess(self._session, 1)

    def send_descriptor(self, descriptor: int) -> int:
        """Send a descriptor to the other process and return the number that it has there.

        Raises:
            AdapterError: there is no peer, or the descriptor is not open.

        """
        self._ask(self._target, "send_descriptor", (descriptor,))
        return int(self._ask(1 - self._target, "receive_descriptor"))

    def interrupt(self, times: int, pause: float, *, restart: bool) -> None:
        """Send a signal with a handler that does nothing to every thread, again and again."""
        self._ask(self._target, "interrupt", (times, pause, restart))

    def inherited(self) -> Mapping[int, str]:
        """Return the descriptors that a program would have that the process executes."""
        return dict(self._ask(self._target, "inherited"))

    def fork(self, calls: Sequence[str], how: str, patience: float) -> End:
        """Fork a copy of the process, which makes calls and ends, and wait for its end."""
        words, answers = self._ask(self._target, "fork", (calls, how, patience))
        return End(words, answers=tuple(answers))

    def holdings(self) -> Holdings:
        """Return what the process has that could stay when it ends."""
        pid, files = self._ask(self._target, "holdings")
        return Holdings(pid, tuple((path, device, number) for path, device, number in files))

    def left_by(self, holdings: Holdings) -> Sequence[str]:
        """Return in words what is there of another process, which has ended."""
        left: list[str] = self._ask(self._target, "left_by", (holdings.pid, holdings.files))
        return left

    def end(self, how: str) -> End:
        """End the process in some way."""
        try:
            self._ask(self._target, "end", (how,))
        except Ended as ended:
            return End(HANG if ended.kind == HANG else ended.detail, ended.stderr)
        raise AdapterError("the process goes on")

    def settle(self, seconds: float) -> None:
        """Let the process go on for a while; if it ends, the last call that it made ends it."""
        if seconds:
            self._ask(self._target, SETTLE, (seconds,))
        else:
            self._session.check(self._target)

    def captured(self) -> str:
        """Return the last 64 KiB that the library printed on descriptors 1 and 2."""
        return str(self._ask(self._target, "captured"))

    def close(self) -> None:
        """End the process and its peer."""
        self._session.close(self._target)


def outcome(answer: Any) -> Outcome:  # noqa: ANN401 - a result alone, or one with the rest
    """Return the outcome that a worker's answer describes."""
    if answer.__class__ is int:
        return _bare(answer)
    return _with_callbacks(*answer)


def _with_callbacks(
    result: int, reads: Sequence[str | None], callbacks: Sequence[Sequence[int]]
) -> Outcome:
    return Outcome(result, _contents(reads), tuple([tuple(arguments) for arguments in callbacks]))


def _contents(reads: Sequence[str | None]) -> tuple[bytes | None, ...]:
    return tuple([None if data is None else bytes.fromhex(data) for data in reads])


@lru_cache(maxsize=256)
def _bare(result: int) -> Outcome:
    """Return the outcome of a call that left nothing but its result: most are one of few."""
    return Outcome(result)
