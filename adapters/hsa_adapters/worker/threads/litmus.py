"""Litmus tests: threads that make the same few moves again and again, as fast as the processor can.

What an operation orders shows only where threads are within some instructions of each other. So a
thread enters machine code once, which is written for its moves, waits there for the others, and
leaves it after the last iteration. Nothing stands between two moves that would order them.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hsa_adapters.worker.calls.executor import Executor, RequestError
from hsa_adapters.worker.calls.machine_code import address, executable
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.calls.watch import Watch
from hsa_adapters.worker.threads.on_cores import on_cores

#: Eight bytes: where they are, or where those of the first iteration are and the others behind.
Cell = tuple[int, bool]
#: A name, and what belongs to it: "copy" with source and target, "fence", "delay" with a number,
#: or "call" with a call as the executor takes it, the arguments that cells give, and where the
#: result goes or None.
Move = Sequence[Any]

_WORD = 1 << 64
#: How often threads of Python take turns, in seconds, where they are all there is.
_TURN = 1e-6

# Instructions of x86-64, as Intel's Software Developer's Manual, volume 2, encodes them; a thread
# with all of them is a text in tests/library/tables/machine_code. The number of the iteration is in
# rbx, addresses are in r10 and r11.
_ENTER = bytes.fromhex("53")  # push rbx
_NOTE_STACK = bytes.fromhex("49896308")  # mov [r11 + 8], rsp
_ARRIVE = bytes.fromhex("f041ff03")  # lock inc dword [r11]
_AWAIT = bytes.fromhex("f390 418b03 3d")  # again: pause; mov eax, [r11]; cmp eax, ...
_AGAIN = bytes.fromhex("72f4")  # jb again
_FIRST = bytes.fromhex("31db")  # xor ebx, ebx
_NEXT = bytes.fromhex("48ffc3 4881fb")  # inc rbx; cmp rbx, ...
_BELOW = bytes.fromhex("0f82")  # jb ...
_LEAVE = bytes.fromhex("5b c3")  # pop rbx; ret
_TO_R10, _TO_R11, _TO_RAX = (bytes.fromhex(code) for code in ("49ba", "49bb", "48b8"))
_FENCE = bytes.fromhex("0faef0")  # mfence
_COUNT = bytes.fromhex("b9")  # mov ecx, ...
_DOWN = bytes.fromhex("ffc9 75fc")  # again: dec ecx; jnz again
_CALL = bytes.fromhex("ffd0")  # call rax
_NUMBER = bytes.fromhex("49c703")  # mov qword [r11], ...
#: mov rax, [r10] and mov [r11], rax; the second of each is of the iteration's own eight bytes.
_LOAD = bytes.fromhex("498b02"), bytes.fromhex("498b04da")
_STORE = bytes.fromhex("498903"), bytes.fromhex("498904db")
#: For each argument: mov register, ...; then as above.
_ARGUMENTS = [
    tuple(map(bytes.fromhex, codes))
    for codes in (
        ("48bf", "498b3a", "498b3cda"),
        ("48be", "498b32", "498b34da"),
        ("48ba", "498b12", "498b14da"),
        ("48b9", "498b0a", "498b0cda"),
        ("49b8", "4d8b02", "4d8b04da"),
        ("49b9", "4d8b0a", "4d8b0cda"),
    )
]


class Litmus:
    """Makes the moves of litmus tests.

    Args:
        executor: prepares the calls of this process.
        memory: the memory of this process.
        watch: the record that a supervisor watches.

    """

    def __init__(self, executor: Executor, memory: Memory, watch: Watch) -> None:
        self._executor = executor
        self._memory = memory
        self._watch = watch

    def run(
        self, threads: Sequence[Sequence[Move]], times: int, patience: float | None = None
    ) -> list[float]:
        """Let each thread make its moves, and return how many seconds each took.

        Args:
            threads: the moves of each.
            times: how often each thread makes its own, at least once.
            patience: seconds, where nobody else watches the time.

        Raises:
            RequestError: a call cannot be made, or nothing here could release threads.
            TimeoutError: a call does not end.

        """
        numbers = iter(range(1, sum(map(len, threads)) + 1))
        ready = [[self._ready(move, numbers) for move in moves] for moves in threads]
        calls = [move[1] for moves in ready for move in moves if move[0] == "call"]
        native = all(hasattr(function, "argtypes") for function in calls)
        begin = self._natively if native else self._slowly
        spans = [(0.0, 0.0)] * len(threads)

        def timed(place: int, part: Callable[[], None]) -> None:
            began = time.monotonic()
            part()
            spans[place] = (began, time.monotonic())

        work = [partial(timed, *each) for each in enumerate(begin(ready, times))]
        on_cores(work, patience)
        released = max(began for began, _ in spans)
        return [max(0.0, ended - released) for _, ended in spans]

    def _ready(self, move: Move, numbers: Any) -> Move:  # noqa: ANN401 - an iterator
        """Return a move with the function that it calls, and the number of the call."""
        if move[0] != "call":
            return move
        _, call, takes, result = move
        function, arguments = self._executor.prepare(call)
        if len(arguments) > len(_ARGUMENTS):
            raise RequestError(f"a call of a litmus test has at most {len(_ARGUMENTS)} arguments")
        return "call", function, list(arguments), takes, result, next(numbers)

    def _natively(self, threads: Sequence[Sequence[Move]], times: int) -> list[Callable[[], None]]:
        arrived = ctypes.c_uint32(0)

        def part(place: int, moves: Sequence[Move]) -> Callable[[], None]:
            record = self._watch.lane(place)
            code = _assembled(moves, times, (ctypes.addressof(arrived), len(threads)), record)
            page = executable(code)
            if page is None:
                raise MemoryError("this process has no page left for machine code")
            begin = ctypes.CFUNCTYPE(None)(address(page))

            def make_moves(page: Any = page, arrived: Any = arrived) -> None:  # noqa: ANN401
                del page, arrived  # which have to be there until the end
                begin()

            return make_moves

        return [part(place, moves) for place, moves in enumerate(threads)]

    def _slowly(self, threads: Sequence[Sequence[Move]], times: int) -> list[Callable[[], None]]:
        """Functions of Python take turns, so they are made to do that all the time."""
        gate = threading.Barrier(len(threads))
        usual = sys.getswitchinterval()

        def part(place: int, moves: Sequence[Move]) -> Callable[[], None]:
            def make_moves() -> None:
                gate.wait()
                sys.setswitchinterval(_TURN)
                try:
                    for iteration in range(times):
                        for move in moves:
                            self._make(move, iteration, place)
                            time.sleep(0)  # give way
                finally:
                    self._watch.enter(place, 0)
                    sys.setswitchinterval(usual)

            return make_moves

        return [part(place, moves) for place, moves in enumerate(threads)]

    def _make(self, move: Move, iteration: int, place: int) -> None:
        if move[0] == "copy":
            self._put(move[2], iteration, self._got(move[1], iteration))
        elif move[0] == "call":
            _, function, arguments, takes, result, number = move
            self._watch.enter(place, number)
            given = list(arguments)
            for argument, cell in takes:
                given[argument] = self._got(cell, iteration)
            answered = function(*given) or 0
            if result is not None:
                self._put(result, iteration, answered)

    def _got(self, cell: Cell, iteration: int) -> int:
        return int.from_bytes(self._memory.read(_place(cell, iteration), 8) or b"", "little")

    def _put(self, cell: Cell, iteration: int, value: int) -> None:
        self._memory.write(_place(cell, iteration), (value % _WORD).to_bytes(8, "little"))


def _place(cell: Cell, iteration: int) -> int:
    return cell[0] + 8 * iteration * cell[1]


def _assembled(moves: Sequence[Move], times: int, gate: tuple[int, int], record: int) -> bytes:
    """Return the machine code of a thread.

    Args:
        moves: what it does.
        times: how often.
        gate: where the threads that have arrived are counted, and how many there are.
        record: where the number of a call is noted, for who watches.

    """
    arrived, threads = gate
    to_record = _TO_R11 + _quad(record)
    loop = b"".join(_assembled_move(move, to_record) for move in moves)
    loop += _NEXT + struct.pack("<I", times)
    back = struct.pack("<i", -(len(loop) + len(_BELOW) + 4))
    return (
        _ENTER + to_record + _NOTE_STACK
        + _TO_R11 + _quad(arrived) + _ARRIVE + _AWAIT + struct.pack("<I", threads) + _AGAIN
        + _FIRST + loop + _BELOW + back
        + to_record + _NUMBER + struct.pack("<I", 0) + _LEAVE
    )  # fmt: skip


def _assembled_move(move: Move, to_record: bytes) -> bytes:
    if move[0] == "fence":
        return _FENCE
    if move[0] == "delay":
        return _COUNT + struct.pack("<I", move[1]) + _DOWN if move[1] else b""
    if move[0] == "copy":
        (source, each), target = move[1], move[2]
        return _TO_R10 + _quad(source) + _LOAD[each] + _stored(target)
    _, function, arguments, takes, result, number = move
    code = to_record + _NUMBER + struct.pack("<I", number)
    cells = dict(takes)
    for place, (argument, registers) in enumerate(zip(arguments, _ARGUMENTS)):  # noqa: B905
        if place in cells:
            source, each = cells[place]
            code += _TO_R10 + _quad(source) + registers[1 + each]
        else:
            code += registers[0] + _quad(argument)
    code += _TO_RAX + _quad(ctypes.cast(function, ctypes.c_void_p).value or 0) + _CALL
    return code if result is None else code + _stored(result)


def _stored(cell: Cell) -> bytes:
    return _TO_R11 + _quad(cell[0]) + _STORE[cell[1]]


def _quad(number: int) -> bytes:
    return struct.pack("<Q", number % _WORD)
