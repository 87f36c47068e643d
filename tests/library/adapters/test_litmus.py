"""Litmus tests: moves that threads make again and again, in a worker and in process."""

from __future__ import annotations

import struct

import pytest

from hsa_adapters import AdapterError, Call, Ended, InProcessAdapter, LibraryAdapter
from hsa_adapters.in_process import InProcess
from hsa_adapters.library.process import WorkerProcess
from hsa_adapters.moves import CallMove, Cell, Copy, Fence, Move
from hsa_spec import Registry

TIMES = 1000


def quads(process: InProcess | WorkerProcess, address: int, count: int = TIMES) -> list[int]:
    """Return numbers of eight bytes that stand in the memory of a process."""
    return list(struct.unpack(f"<{count}Q", process.read(address, 8 * count) or b""))


def lay(process: InProcess | WorkerProcess, address: int, numbers: range) -> int:
    """Write numbers of eight bytes into the memory of a process; return where."""
    process.write(address, struct.pack(f"<{len(numbers)}Q", *numbers))
    return address


def test_each_iteration_has_cells_of_its_own(either: InProcess | WorkerProcess) -> None:
    """A call takes its argument from one and leaves its result in another; so does a copy."""
    place, _ = either.scratch
    given = lay(either, place + 64, range(1, TIMES + 1))
    results, copies = given + 8 * TIMES, given + 16 * TIMES
    either.write(place, bytes(8))
    exchange = CallMove(
        Call("fx_exchange", (place, 0)), takes=((1, Cell(given, True)),), result=Cell(results, True)
    )
    moves: list[Move] = [exchange, Fence(), Copy(Cell(place), Cell(copies, True))]
    assert 1 == len(either.litmus([moves], TIMES))
    assert list(range(TIMES)) == quads(either, results)
    assert list(range(1, TIMES + 1)) == quads(either, copies)


def test_every_argument_arrives(adapter: LibraryAdapter) -> None:
    """Six of them, and those that are taken from memory that all iterations share."""
    process = adapter.process()
    place, _ = process.scratch
    process.write(place, bytes(16) + (5).to_bytes(8, "little"))
    store = CallMove(Call("fx_store", (place, 0)), takes=((1, Cell(place + 16)),))
    process.litmus([[store]], 1)
    assert 5 == int.from_bytes(process.read(place, 8) or b"", "little")
    with pytest.raises(AdapterError, match="at most 6 arguments"):
        process.litmus([[CallMove(Call("fx_digits", (*range(9), 0)))]], 1)
    process.close()


def test_threads_meet_within_an_iteration(adapter: LibraryAdapter) -> None:
    """What one thread stores the other one loads, most of the way, and never an older value later.

    The values of both cells grow, the second one's behind the first one's.
    """
    process = adapter.process()
    place, _ = process.scratch
    met = 0
    for _ in range(2000):
        if met > 20:
            break
        numbers = lay(process, place + 256, range(1, TIMES + 1))
        flags, seen = numbers + 8 * TIMES, numbers + 16 * TIMES
        process.write(place, bytes(256))
        sender: list[Move] = [
            Copy(Cell(numbers, True), Cell(place)),
            CallMove(Call("fx_store", (place + 128, 0)), takes=((1, Cell(numbers, True)),)),
        ]
        receiver: list[Move] = [
            CallMove(Call("fx_load", (place + 128,)), result=Cell(flags, True)),
            Copy(Cell(place), Cell(seen, True)),
        ]
        process.litmus([sender, receiver], TIMES)
        pairs = list(zip(quads(process, flags), quads(process, seen), strict=True))
        assert all(flag <= data for flag, data in pairs)
        met += len({flag for flag, _ in pairs} - {0, TIMES})
    assert met > 20
    process.close()


def too_early(process: WorkerProcess, *, fenced: bool) -> int:
    """Return how often two threads both loaded a cell before the other one's store was there.

    Each stores the number of its iteration in a cell of its own, and loads the other one's.
    """
    place, _ = process.scratch
    numbers = lay(process, place + 256, range(1, TIMES + 1))
    seen = [numbers + 8 * TIMES, numbers + 16 * TIMES]
    process.write(place, bytes(256))
    between = [Fence()] if fenced else []
    process.litmus(
        [
            [
                Copy(Cell(numbers, True), Cell(place + 128 * n)),
                *between,
                Copy(Cell(place + 128 * (1 - n)), Cell(seen[n], True)),
            ]
            for n in (0, 1)
        ],
        TIMES,
    )
    first, second = (quads(process, each) for each in seen)
    # In iteration n the one saw what the other stored last, and that one's next was too early, too.
    return sum(last < TIMES and second[last] < number for number, last in enumerate(first, 1))


def test_nothing_but_a_fence_keeps_a_load_behind_a_store(adapter: LibraryAdapter) -> None:
    """Store buffering, which x86-64 allows, shows without a fence and never with one."""
    process = adapter.process()
    assert 0 == sum(too_early(process, fenced=True) for _ in range(30))
    assert any(too_early(process, fenced=False) for _ in range(2000))
    process.close()


def test_a_runtime_in_python_is_put_to_the_same(registry: Registry) -> None:
    """Its threads take turns between their moves."""
    cell = [0]

    def exchange(_: int, other: int) -> int:
        cell[0], before = other, cell[0]
        return before

    process = InProcessAdapter("own", lambda: {"fx_exchange": exchange}, registry).process()
    place, _ = process.scratch
    results = [place, place + 8 * TIMES]
    process.litmus(
        [
            [CallMove(Call("fx_exchange", (0, n + 1)), result=Cell(results[n], True))]
            for n in range(2)
        ],
        TIMES,
    )
    assert {1, 2} == {number for at in results for number in quads(process, at)} - {0}
    process.close()


@pytest.mark.parametrize("deadly", [0, 1])
def test_a_crash_is_that_of_the_call_it_happened_in(adapter: LibraryAdapter, deadly: int) -> None:
    """The other thread goes on meanwhile, and its call is not to blame."""
    process = adapter.process()
    place, _ = process.scratch
    process.write(place, bytes(8))
    fatal, other = Call("fx_load", (8,)), Call("fx_await", (place, 0))
    threads = [[CallMove(fatal if n == deadly else other)] for n in range(2)]
    with pytest.raises(Ended) as caught:
        process.litmus(threads, 2)
    assert ("CRASH", fatal) == (caught.value.kind, caught.value.call)
