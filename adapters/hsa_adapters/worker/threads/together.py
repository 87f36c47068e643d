"""Calls of several threads that begin at one time, with the time at which each began and ended.

Threads of Python would take turns: each needs the interpreter before its call. So each enters
machine code once, sleeps there until all others have arrived, and makes its calls one after the
other.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hsa_adapters.worker.calls.executor import Executor, PlainCall, RequestError
from hsa_adapters.worker.calls.machine_code import address, executable
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.calls.watch import Watch
from hsa_adapters.worker.threads.on_cores import cores, on_cores

#: What a thread does, for x86-64, as a text in tests/library/tables/machine_code; it gets the
#: address of its _Lane.
_THREAD = bytes.fromhex(
    "53 55 4154 4155 4156"  # push rbx, rbp, r12, r13, r14
    "4889fb"  # mov rbx, rdi
    "488b2b"  # mov rbp, gate
    "4c8b6308"  # mov r12, calls
    "4c8b6b10"  # mov r13, left
    "4c8b7318"  # mov r14, record
    "49896608"  # mov the record's stack, rsp
    "b801000000"  # mov eax, 1
    "f00fc14504"  # lock xadd arrived, eax
    "ffc0"  # inc eax
    "3b4508"  # cmp eax, threads
    "7520"  # jne wait
    "e800010000"  # call now
    "48034518"  # add rax, lead
    "48894510"  # mov moment, rax
    "c7450001000000"  # mov open, 1
    "be81000000"  # mov esi, FUTEX_WAKE_PRIVATE
    "baffffff7f"  # mov edx, all
    "eb0d"  # jmp futex
    "837d0000"  # wait: cmp open, 0
    "7516"  # jne begin
    "be80000000"  # mov esi, FUTEX_WAIT_PRIVATE
    "31d2"  # xor edx, edx
    "4889ef"  # futex: lea rdi, open
    "4531d2"  # xor r10d, r10d
    "b8ca000000 0f05"  # futex
    "ebe4"  # jmp wait
    "f0ff450c"  # begin: lock inc awake
    "f390"  # align: pause
    "8b450c"  # mov eax, awake
    "3b4528"  # cmp eax, wanted
    "730b"  # jae next
    "e8b6000000"  # call now
    "483b4510"  # cmp rax, moment
    "72eb"  # jb align
    "49ffcd"  # next: dec left
    "0f889e000000"  # js done
    "498b442408"  # mov rax, number
    "498906"  # mov the record's number, rax
    "e89a000000"  # call now
    "4989442418"  # mov began, rax
    "41ffb424a0000000 41ffb42498000000 41ffb42490000000 41ffb42488000000"  # push arguments
    "41ffb42480000000 41ff742478 41ff742470 41ff742468 41ff742460 41ff742458"
    "498b7c2428 498b742430 498b542438"  # mov rdi, rsi, rdx, arguments
    "498b4c2440 4d8b442448 4d8b4c2450"  # mov rcx, r8, r9, arguments
    "41ff1424"  # call function
    "4883c450"  # add rsp, 80
    "4989442410"  # mov result, rax
    "0faef0"  # mfence: what the call stored is there for all before it counts as ended
    "e821000000"  # call now
    "4989442420"  # mov ended, rax
    "49c70600000000"  # mov the record's number, 0
    "4981c4a8000000"  # add r12, 168
    "e959ffffff"  # jmp next
    "415e 415d 415c 5d 5b c3"  # done: pop r14, r13, r12, rbp, rbx; ret
    "4883ec18"  # now: sub rsp, 24
    "bf01000000"  # mov edi, CLOCK_MONOTONIC
    "4889e6"  # mov rsi, rsp
    "ff5520"  # call clock
    "48690424 00ca9a3b"  # imul rax, seconds, 1000000000
    "4803442408"  # add rax, nanoseconds
    "4883c418 c3"  # add rsp, 24; ret
)
_ARGUMENTS = 16
#: How long the first thread that is awake waits, in nanoseconds, until each core has one. To wake a
#: thread takes longer than many a call, so without that they would be made one after the other.
_LEAD = 1_000_000
#: How often threads of Python take turns, in seconds, where they are all there is.
_TURN = 2e-5
#: How often one of them gives way within a call before its time is over.
_YIELDS = 20
#: How often a thread of Python lets others take theirs, until they have come as far.
_TURNS = 200
# A hook of audits, say of a test, gives another thread its turn while this one starts to be traced.
_TRACING = threading.RLock()
_WORD = 1 << 64

#: How a thread waits for others between two calls, for x86-64. It gets where they are counted, how
#: many have to be there, how often it looks at most, and from what it counts down then.
_MEET = bytes.fromhex(
    "f0ff07"  # lock inc arrived
    "f390"  # look: pause
    "3937"  # cmp arrived, wanted
    "7305"  # jae down
    "48ffca"  # dec patience
    "75f5"  # jnz look
    "48ffc9"  # down: dec rcx
    "7ffb"  # jg down
    "c3"  # ret
)
#: How often it looks at most: some milliseconds long.
_LOOKS = 400_000
#: How many steps of counting down take a second, about.
_STEPS = 3e9

#: A call, which of its arguments are taken from memory when it is made, from where, and of how many
#: bytes, the number of the meeting before it, and from what is counted down then.
LaneCall = tuple[PlainCall, Sequence[tuple[int, int, int]], int, int]

#: Its result, what was read after all calls, what its callbacks were called with until then, and
#: the nanoseconds at which it began and ended.
Timed = tuple[int, list[Any], list[list[int]], int, int]


class _Gate(ctypes.Structure):
    _fields_ = [
        ("open", ctypes.c_uint32),
        ("arrived", ctypes.c_uint32),
        ("threads", ctypes.c_uint32),
        ("awake", ctypes.c_uint32),
        ("moment", ctypes.c_uint64),
        ("lead", ctypes.c_uint64),
        ("clock", ctypes.c_void_p),
        ("wanted", ctypes.c_uint32),
    ]


class _Lane(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("gate", "calls", "left", "record")]


class _Call(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_uint64) for name in ("function", "number", "result", "began", "ended")),
        ("arguments", ctypes.c_uint64 * _ARGUMENTS),
    ]


@dataclass(frozen=True)
class _Meeting:
    """How threads wait for each other between calls.

    Attributes:
        code: where the machine code for it is.
        arrived: where it is counted how many have come.
        threads: how many there are.

    """

    code: int
    arrived: int
    threads: int


@dataclass
class _PreparedCall:
    """A call that is ready, and what came of it."""

    function: Callable[..., Any]
    arguments: Sequence[int]
    reads: Sequence[tuple[int, int]]
    loads: Sequence[tuple[int, int, int]]
    meeting: int
    pause: int
    number: int  # of the call among those of all threads, from 0
    heard: Sequence[list[list[int]]]  # by each of its callbacks
    outcome: tuple[int, int, int] = field(default=(0, 0, 0))

    def read(self, memory: Memory) -> list[Any]:
        """Read what it wants to be read after all calls."""
        return [memory.read(*place) for place in self.reads]

    @property
    def invocations(self) -> list[list[int]]:
        """What callbacks were called with so far."""
        return [arguments for heard in self.heard for arguments in heard]


class Together:
    """Makes calls in several threads at one time.

    Args:
        executor: makes the calls of this process.
        memory: the memory of this process.
        watch: the record that a supervisor watches.

    """

    def __init__(self, executor: Executor, memory: Memory, watch: Watch) -> None:
        self._executor = executor
        self._memory = memory
        self._watch = watch

    def run(
        self, lanes: Sequence[Sequence[LaneCall]], patience: float | None = None
    ) -> list[list[Timed]]:
        """Make calls, and return what came of each when all have ended.

        Args:
            lanes: the calls of each thread, one after the other, as the executor takes them, each
                with what of its arguments is taken from memory then, and what it waits for.
            patience: seconds, where nobody else watches the time.

        Raises:
            RequestError: a call cannot be made, or nothing here could release threads.
            TimeoutError: a call does not end.

        """
        prepared = self._prepared(lanes)
        calls = [call for lane in prepared for call in lane]
        native = all(hasattr(call.function, "argtypes") for call in calls)
        make = self._natively if native else self._slowly
        # The interpreter is with one thread at a time: to hand it to another core only takes time.
        on_cores(make(prepared), patience, one=not native)
        self._executor.heard()  # by callbacks of other calls: nobody asks for them here
        return [
            [
                (call.outcome[0], call.read(self._memory), call.invocations, *call.outcome[1:])
                for call in lane
            ]
            for lane in prepared
        ]

    def _prepared(self, lanes: Sequence[Sequence[LaneCall]]) -> list[list[_PreparedCall]]:
        if len(lanes) > self._watch.LANES:
            raise RequestError(f"at most {self._watch.LANES} threads can make calls at one time")
        prepared: list[list[_PreparedCall]] = []
        number = 0
        for lane in lanes:
            prepared.append([])
            for call, loads, meeting, pause in lane:
                function, arguments = self._executor.prepare(call)
                arguments, heard = self._executor.apart(arguments, number)
                prepared[-1].append(
                    _PreparedCall(
                        function, arguments, call[3], loads, meeting, pause, number, heard
                    )
                )
                number += 1
        return prepared

    def _natively(self, prepared: Sequence[Sequence[_PreparedCall]]) -> list[Callable[[], None]]:
        thread, meet = _thread(), _meet()
        if thread is None or meet is None:
            raise MemoryError("this process has no page left for machine code")
        met = ctypes.c_uint32(0)
        meeting = _Meeting(meet, ctypes.addressof(met), len(prepared))
        wanted = min(len(prepared), len(cores()))
        gate = _Gate(threads=len(prepared), lead=_LEAD, clock=_clock(), wanted=wanted)

        def part(lane: Sequence[_PreparedCall], place: int) -> Callable[[], None]:
            entries = [entry for call in lane for entry in _laid_out(call, meeting)]
            calls = (_Call * len(entries))(*entries)
            _let_load(calls, lane)
            record = self._watch.lane(place)

            def make_calls(met: Any = met) -> None:  # noqa: ANN401 - it has to be there until the end
                del met
                block = _Lane(ctypes.addressof(gate), ctypes.addressof(calls), len(calls), record)
                thread(ctypes.addressof(block))
                made = [entry for entry in calls if entry.number]
                for call, done in zip(lane, made):  # noqa: B905 - Python 3.9 knows no strict
                    result = _number(call.function.restype, done.result)  # type: ignore[attr-defined]
                    call.outcome = (result, done.began, done.ended)

            return make_calls

        return [part(lane, place) for place, lane in enumerate(prepared)]

    def _slowly(self, prepared: Sequence[Sequence[_PreparedCall]]) -> list[Callable[[], None]]:
        """Functions of Python take turns, so they are made to do that all the time."""
        gate = threading.Barrier(len(prepared))
        met: list[None] = []  # to append is one step
        usual = sys.getswitchinterval()

        def part(lane: Sequence[_PreparedCall], place: int) -> Callable[[], None]:
            def make_calls() -> None:
                gate.wait()
                sys.setswitchinterval(_TURN)
                try:
                    for call in lane:
                        if call.meeting:
                            _meet_slowly(met, call.meeting * len(prepared))
                            time.sleep(call.pause / _STEPS)
                        self._watch.enter(place, call.number + 1)
                        _trace(_yielding())
                        arguments = list(call.arguments)
                        for index, source, size in call.loads:
                            arguments[index] = self._loaded(source, size)
                        began = time.monotonic_ns()
                        result = call.function(*arguments) or 0
                        call.outcome = (result, began, time.monotonic_ns())
                        self._watch.enter(place, 0)
                finally:
                    _trace(None)
                    sys.setswitchinterval(usual)

            return make_calls

        return [part(lane, place) for place, lane in enumerate(prepared)]

    def _loaded(self, address: int, size: int) -> int:
        return int.from_bytes(self._memory.read(address, size) or b"", "little")


def _trace(function: Callable[..., Any] | None) -> None:
    """Trace this thread; Python refuses that to a thread while it lets another one wait there."""
    with _TRACING:
        sys.settrace(function)


def _yielding() -> Callable[..., Any]:
    """Return what lets another thread take its turn now and then, wherever a call is by then."""
    left = iter(range(_YIELDS))

    def trace(frame: Any, event: str, _: object) -> Callable[..., Any] | None:  # noqa: ANN401
        if event == "line" and frame.f_lineno % 3 == 0:
            if next(left, None) is None:
                frame.f_trace = None
                _trace(None)
                return None
            time.sleep(0)
        return trace

    return trace


def no_barrier() -> str | None:
    """Return why calls of a C library cannot be released at one time here; None where they can.

    Where it is asked before the library runs, no library can take the pages for the code away.
    """
    if _thread() is not None and _meet() is not None:
        return None
    return "needs an x86-64 processor, and a system that lets the worker make machine code"


def _laid_out(call: _PreparedCall, meeting: _Meeting) -> list[_Call]:
    """Return a call as a thread makes it.

    Before it come the one that waits for other threads, and those of C that take its arguments from
    memory.
    """
    function: Any = call.function
    if any(issubclass(kind, ctypes.Structure) for kind in function.argtypes):
        raise RequestError("a call in a thread cannot have a structure as argument")
    arguments = [
        kind(argument).value % _WORD
        for kind, argument in zip(function.argtypes, call.arguments)  # noqa: B905
    ]
    if len(arguments) > _ARGUMENTS:
        raise RequestError(f"a call in a thread cannot have more than {_ARGUMENTS} arguments")
    code = ctypes.cast(function, ctypes.c_void_p).value or 0
    laid_out = _Call(function=code, number=call.number + 1)
    laid_out.arguments[: len(arguments)] = arguments
    waits = [_Call(function=meeting.code)] if call.meeting else []
    for entry in waits:
        wanted = call.meeting * meeting.threads
        entry.arguments[:4] = (meeting.arrived, wanted, _LOOKS, call.pause)
    return [*waits, *(_Call(function=_copy()) for _ in call.loads), laid_out]


def _let_load(entries: ctypes.Array[_Call], lane: Sequence[_PreparedCall]) -> None:
    """Let the calls that take arguments from memory lay them where the call behind them is."""
    entry = 0
    for call in lane:
        entry += bool(call.meeting)
        target = ctypes.addressof(entries[entry + len(call.loads)]) + _Call.arguments.offset
        for index, place, size in call.loads:
            entries[entry].arguments[:3] = (target + 8 * index, place, size)
            entry += 1
        entry += 1


@lru_cache(maxsize=None)
def _clock() -> int:
    return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0


@lru_cache(maxsize=None)
def _copy() -> int:
    return ctypes.cast(ctypes.CDLL(None).memcpy, ctypes.c_void_p).value or 0


def _number(kind: Any, raw: int) -> int:  # noqa: ANN401 - a ctypes class or None
    """Return the result of a function from what a register held."""
    return 0 if kind is None else int(kind(raw).value)


_code: mmap.mmap | None = None
_meeting_code: mmap.mmap | None = None


def _meet() -> int | None:
    """Return where the machine code is by which threads wait for each other, if there is any."""
    global _meeting_code  # noqa: PLW0603 - it is made once
    _meeting_code = _meeting_code or executable(_MEET)
    return address(_meeting_code) if _meeting_code else None


def _meet_slowly(met: list[None], wanted: int) -> None:
    """Wait until functions of Python have come as far in other threads, but not for ever."""
    met.append(None)
    for _ in range(_TURNS):
        if len(met) >= wanted:
            return
        time.sleep(0)


def _thread() -> Callable[[int], None] | None:
    """Return the machine code of a thread, or None where there is none or it is not allowed."""
    global _code  # noqa: PLW0603 - it is made once
    _code = _code or executable(_THREAD)
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address(_code)) if _code else None
