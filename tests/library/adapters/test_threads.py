"""Calls that are under way in a thread while others are made, in a worker and in process."""

from __future__ import annotations

import ctypes
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import (
    AdapterError,
    Call,
    Callback,
    Ended,
    InProcessAdapter,
    LibraryAdapter,
    Outcome,
    Repeat,
)
from hsa_adapters.in_process import InProcess
from hsa_adapters.library.process import WorkerProcess
from hsa_adapters.signatures import signatures
from hsa_adapters.worker.calls.binding import bind
from hsa_spec import Registry

_SMALL = 1 << 17


def sizes_of_stacks() -> Counter[int]:
    """Return how many mappings of this process have a size, by the size."""
    lines = Path("/proc/self/maps").read_text(encoding="ascii").splitlines()
    ends = (line.split()[0].split("-") for line in lines)
    return Counter(int(end, 16) - int(start, 16) for start, end in ends)


def number(process: InProcess | WorkerProcess, place: int) -> int:
    return int.from_bytes(process.read(place, 8) or b"", "little")


def put(process: InProcess | WorkerProcess, place: int, value: int) -> None:
    assert process.write(place, value.to_bytes(8, "little"))


def test_a_call_goes_on_while_another_is_made(either: InProcess | WorkerProcess) -> None:
    """The first one waits for what the second one stores, and its outputs are read at its end."""
    place, _ = either.scratch
    put(either, place, 1)
    either.start(Call("fx_await", (place, 1), writes=((place + 8, b"ab"),), reads=((place, 9),)))
    assert either.call(Call("fx_load", (place,))) == Outcome(1)
    assert either.call(Call("fx_store", (place, 7))) == Outcome(0)
    assert either.join() == Outcome(7, (bytes([7]) + bytes(7) + b"a",))


def test_callbacks_make_calls(either: InProcess | WorkerProcess) -> None:
    """Each invocation makes all of them; how their own callbacks are called is not recorded."""
    place, _ = either.scratch
    inner = (Call("fx_iterate", (2, Callback("visitor"), 1)), Call("fx_store", (place, 7)))
    outer = Callback("visitor", calls=(*inner, Call("fx_minus", (3,))), results=place + 8)
    put(either, place, 0)
    outcome = either.call(Call("fx_iterate", (2, outer, 99)))
    assert outcome == Outcome(0, (), ((1, 99), (2, 99)))
    assert [7, 0, 0] == [number(either, place + at) for at in (0, 8, 16)]
    assert number(either, place + 24) % 2**32 == 2**32 - 3


def test_a_thread_has_the_stack_that_is_asked_for(either: InProcess | WorkerProcess) -> None:
    """Other threads of the process have the usual one."""
    place, _ = either.scratch
    put(either, place, 1)
    before = sizes_of_stacks()
    either.start(Call("fx_await", (place, 1), stack=_SMALL))
    if isinstance(either, InProcess):
        assert sizes_of_stacks()[_SMALL] > before[_SMALL]
    put(either, place, 2)
    assert either.join().result == 2
    assert threading.stack_size() == 0


def test_repeated_calls_end_when_they_are_waited_for(either: InProcess | WorkerProcess) -> None:
    """Their number is the result, and every one of them was made."""
    place, _ = either.scratch
    put(either, place, 0)
    either.start(Call("fx_add_to", (place, 5)), Repeat(1 << 40, 3))
    while not number(either, place):
        pass
    made = either.join().result
    assert number(either, place) == 5 * made + 3 * made * (made - 1) // 2


def test_repeated_calls_end_at_their_most(either: InProcess | WorkerProcess) -> None:
    """Negative operands and steps are possible."""
    place, _ = either.scratch
    put(either, place, 1 << 62)
    either.start(Call("fx_add_to", (place, -1)), Repeat(700, -2))
    while number(either, place) != (1 << 62) - 700 * 700:
        pass
    assert either.join().result == 700


def test_repeated_calls_are_made_in_python_where_there_is_no_machine_code(
    library: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is slower, and the same."""
    monkeypatch.setattr("hsa_adapters.worker.threads.repetition._loop", lambda: None)
    functions = bind(ctypes.CDLL(str(library)), signatures(registry)["functions"])
    either = InProcessAdapter("same", lambda: functions, registry).process()
    place, _ = either.scratch
    put(either, place, 0)
    either.start(Call("fx_add_to", (place, -4)), Repeat(3, 3))
    while number(either, place) != -3 % (1 << 64):
        pass
    assert either.join().result == 3
    either.close()


def test_zeros_that_repeated_calls_return_are_counted(either: InProcess | WorkerProcess) -> None:
    """A number counts whose lower half is zero; each was put there once."""
    place, _ = either.scratch
    put(either, place, 1)
    either.start(Call("fx_exchange", (place, 1)), Repeat(1 << 40, 2))
    back = 0
    for token in range(1, 30):
        previous = either.call(Call("fx_exchange", (place, token << 32))).result
        back += previous % (1 << 32) == 0
    outcome = either.join()
    left = number(either, place) % (1 << 32) == 0
    assert 29 == outcome.zeros + back + left


@pytest.mark.parametrize(
    ("function", "args", "repeat", "why"),
    [
        ("fx_digits", (1,) * 10, Repeat(1, 1), "two arguments"),
        ("fx_absent", (), None, "no function fx_absent"),
        ("fx_iterate", (Callback("visitor"), 0), Repeat(1, 1), "cannot have a callback"),
    ],
)
def test_what_cannot_be_started_says_why(
    either: InProcess | WorkerProcess,
    function: str,
    args: tuple[Callback | int, ...],
    repeat: Repeat | None,
    why: str,
) -> None:
    """Nothing is under way then."""
    with pytest.raises(AdapterError, match=why):
        either.start(Call(function, args), repeat)
    with pytest.raises(AdapterError, match="no call is under way"):
        either.join()


def heard(process: InProcess | WorkerProcess) -> list[tuple[int, ...]]:
    """Return what callbacks are called with until one is, or for some seconds."""
    end = time.monotonic() + 5
    found: list[tuple[int, ...]] = []
    while not found and time.monotonic() < end:
        found += process.call(Call("fx_nothing", ())).callbacks
    return found


def test_a_callback_waits_while_others_call(either: InProcess | WorkerProcess) -> None:
    """It is heard at once, answers when its word is set, and does not wait the next time."""
    word, _ = either.scratch
    put(either, word, 0)
    either.start(Call("fx_iterate", (2, Callback("visitor", (0, 9), until=word), 5)))
    assert [(1, 5)] == heard(either)
    assert () == either.call(Call("fx_nothing", ())).callbacks
    put(either, word, 1)
    assert Outcome(9, callbacks=((2, 5),)) == either.join()
    assert [] == heard(either)


def test_a_callback_waits_for_a_time(library: Path, registry: Registry) -> None:
    """It waits for longer than a call may take, and answers then; the worker goes on."""
    adapter = LibraryAdapter(library, registry, budget=0.2)
    adapter.start()
    process = adapter.process()
    word, _ = process.scratch
    put(process, word, 0)
    callback = Callback("visitor", (9,), until=word)
    began = time.monotonic()
    process.start(Call("fx_iterate", (1, callback, 5)))
    assert Outcome(9, callbacks=((1, 5),)) == process.join(10)
    assert 0.4 <= time.monotonic() - began < 5
    adapter.close()


def test_one_call_is_under_way_at_a_time(either: InProcess | WorkerProcess) -> None:
    """A second one is refused, and the first one goes on."""
    place, _ = either.scratch
    put(either, place, 1)
    either.start(Call("fx_await", (place, 1)))
    with pytest.raises(AdapterError, match="under way in a thread already"):
        either.start(Call("fx_nothing", ()))
    put(either, place, 2)
    assert either.join() == Outcome(2)


def test_a_call_that_does_not_end_is_a_hang_in_that_call(adapter: LibraryAdapter) -> None:
    """What was called meanwhile is not to blame, although it came later."""
    process = adapter.process()
    place, _ = process.scratch
    put(process, place, 1)
    waiting = Call("fx_await", (place, 1), budget=0.3)
    process.start(waiting)
    time.sleep(0.4)  # its budget counts from the time that somebody waits for it
    assert process.call(Call("fx_load", (place,))) == Outcome(1)
    with pytest.raises(Ended) as caught:
        process.join(0.3)
    assert ("HANG", waiting) == (caught.value.kind, caught.value.call)


def test_a_hang_beside_a_call_under_way_names_the_later_call(adapter: LibraryAdapter) -> None:
    """The call that was over its budget is named, whatever else is under way."""
    process = adapter.process()
    place, _ = process.scratch
    put(process, place, 1)
    process.start(Call("fx_await", (place, 1)))
    hanging = Call("fx_hang", (), budget=0.3)
    with pytest.raises(Ended) as caught:
        process.call(hanging)
    assert ("HANG", hanging) == (caught.value.kind, caught.value.call)


def test_a_death_between_calls_is_that_of_the_call_under_way(make: Callable[..., Any]) -> None:
    """A process that dies while nothing else is called died in the call of the thread."""
    adapter: LibraryAdapter = make()
    adapter.start()
    process = adapter.process()
    deadly = Call("fx_abort", ())

    def die() -> None:
        process.start(deadly)
        process.join()

    with pytest.raises(Ended) as caught:
        die()
    assert ("CRASH", "SIGABRT", deadly) == (
        caught.value.kind,
        caught.value.detail,
        caught.value.call,
    )


def test_a_crash_beside_a_call_under_way_names_both(adapter: LibraryAdapter) -> None:
    """Nobody can tell which thread it was, so the words name the other call, too."""
    process = adapter.process()
    place, _ = process.scratch
    put(process, place, 1)
    process.start(Call("fx_await", (place, 1)))
    with pytest.raises(Ended) as caught:
        process.call(Call("fx_abort", ()))
    assert Call("fx_abort", ()) == caught.value.call
    assert "SIGABRT, with fx_await under way in a thread" == caught.value.detail


def test_a_process_with_a_call_under_way_can_be_closed(adapter: LibraryAdapter) -> None:
    """The call ends with the process, and the worker serves on."""
    process = adapter.process()
    place, _ = process.scratch
    put(process, place, 1)
    process.start(Call("fx_await", (place, 1)))
    process.close()
    fresh = adapter.process()
    assert fresh.call(Call("fx_add", (1, 2))) == Outcome(3)
    fresh.close()


def test_a_peer_has_a_call_of_its_own_under_way(adapter: LibraryAdapter) -> None:
    """Two processes each have one."""
    process = adapter.process()
    peer = process.peer()
    places = [each.scratch[0] for each in (process, peer)]
    for each, place in zip((process, peer), places, strict=True):
        put(each, place, 1)
        each.start(Call("fx_await", (place, 1)))
    for each, place in zip((process, peer), places, strict=True):
        put(each, place, 5)
        assert each.join() == Outcome(5)
    process.close()


def test_an_exception_in_a_thread_is_a_crash(registry: Registry) -> None:
    """A runtime in Python dies as it does in an ordinary call."""

    def broken() -> int:
        raise ZeroDivisionError("oh")

    process = InProcessAdapter("broken", lambda: {"fx_abort": broken}, registry).process()
    process.start(Call("fx_abort", ()))
    with pytest.raises(Ended) as caught:
        process.join()
    assert ("CRASH", "ZeroDivisionError('oh')") == (caught.value.kind, caught.value.detail)
    process.close()


def test_an_endless_call_in_process_is_a_hang(registry: Registry) -> None:
    """A thread can be given up, unlike an ordinary call."""
    released = threading.Event()
    process = InProcessAdapter("endless", lambda: {"fx_hang": released.wait}, registry).process()
    process.start(Call("fx_hang", ()))
    with pytest.raises(Ended, match="HANG"):
        process.join(0.05)
    released.set()
    process.close()
