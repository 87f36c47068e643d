"""Calls of several threads that begin at one time, in a worker and in process."""

from __future__ import annotations

import pytest

from hsa_adapters import (
    AdapterError,
    Call,
    Callback,
    Ended,
    InProcessAdapter,
    LibraryAdapter,
    Outcome,
    TimedOutcome,
)
from hsa_adapters.in_process import InProcess
from hsa_adapters.library.process import WorkerProcess
from hsa_spec import Registry


def overlapping(lanes: list[list[TimedOutcome]]) -> int:
    """Count the calls during which another thread was in a call."""
    return sum(
        any(
            call.began < other.ended and other.began < call.ended
            for beside in lanes
            if beside is not lane
            for other in beside
        )
        for lane in lanes
        for call in lane
    )


def test_each_thread_makes_its_calls_in_order(either: InProcess | WorkerProcess) -> None:
    """Each answer comes with what was read, and with times that grow."""
    place, _ = either.scratch
    lanes = [
        [Call("fx_exchange", (place + 8 * n, k), reads=((place + 8 * n, 1),)) for k in range(1, 4)]
        for n in range(3)
    ]
    either.write(place, bytes(24))
    done = either.together(lanes)
    assert [[Outcome(k, (b"\3",)) for k in range(3)]] * 3 == [
        [call.outcome for call in lane] for lane in done
    ]
    for lane in done:
        times = [time for call in lane for time in (call.began, call.ended)]
        assert sorted(times) == times


def test_every_argument_arrives(adapter: LibraryAdapter) -> None:
    """Those that do not fit into registers, too, and negative ones; so do results."""
    process = adapter.process()
    digits = Call("fx_digits", (1, 2, 3, 4, 5, 6, 7, 8, 9, -5))
    calls = [digits, Call("fx_minus", (7,)), Call("fx_not", (1,)), Call("fx_nothing", ())]
    done = process.together([calls, calls])
    assert [[1234567895, -7, 0, 0]] * 2 == [[call.outcome.result for call in lane] for lane in done]
    process.close()


def test_calls_overlap(adapter: LibraryAdapter) -> None:
    """Of short calls that two threads make, some lose what the other thread did meanwhile."""
    process = adapter.process()
    place, _ = process.scratch
    lost = together = 0
    for _ in range(30):
        process.write(place, bytes(8))
        done = process.together([[Call("fx_add_slowly", (place, 1))] * 20] * 2)
        together += overlapping(done)
        lost += 40 - int.from_bytes(process.read(place, 8) or b"", "little")
    assert lost
    assert together
    process.close()


def test_threads_of_python_take_turns_within_their_calls(registry: Registry) -> None:
    """A runtime in Python is put to the same, with threads that alternate as often as they can."""
    numbers = [0]

    def add_slowly(_: int, more: int) -> int:
        before = numbers[0]
        for _ in range(20_000):  # longer than a thread that waits takes to ask for its turn
            pass
        numbers[0] = before + more
        return before

    process = InProcessAdapter("slow", lambda: {"fx_add_slowly": add_slowly}, registry).process()
    done = [process.together([[Call("fx_add_slowly", (0, 1))] * 20] * 2) for _ in range(10)]
    assert sum(map(overlapping, done))
    assert numbers[0] < 400
    process.close()


def test_sixteen_threads_are_released_on_any_number_of_cores(adapter: LibraryAdapter) -> None:
    """Every thread arrives, although none of them has a core of its own."""
    process = adapter.process()
    done = process.together([[Call("fx_add", (n, 1))] for n in range(16)])
    assert list(range(1, 17)) == [lane[0].outcome.result for lane in done]
    # What is noted of a call does not outlast it.
    with pytest.raises(Ended) as caught:
        process.call(Call("fx_abort", ()))
    assert Call("fx_abort", ()) == caught.value.call


@pytest.mark.parametrize("deadly", [0, 1, 2])
def test_a_crash_is_that_of_the_thread_it_happened_in(adapter: LibraryAdapter, deadly: int) -> None:
    """The others are in calls of their own, and not to blame."""
    process = adapter.process()
    place, _ = process.scratch
    process.write(place, bytes(8))
    waiting = Call("fx_await", (place, 0))
    fatal = Call("fx_load", (8,))
    lanes = [[fatal if n == deadly else waiting] for n in range(3)]
    with pytest.raises(Ended) as caught:
        process.together(lanes)
    assert ("CRASH", "SIGSEGV", fatal) == (
        caught.value.kind,
        caught.value.detail,
        caught.value.call,
    )


def test_a_call_that_does_not_come_back_is_a_hang_of_it(adapter: LibraryAdapter) -> None:
    """The calls of other threads have ended, and the one behind it was not made."""
    process = adapter.process()
    hanging, next_one = Call("fx_hang", ()), Call("fx_nothing", ())
    with pytest.raises(Ended) as caught:
        process.together([[next_one], [next_one, hanging, next_one]], 0.3)
    assert ("HANG", hanging) == (caught.value.kind, caught.value.call)


def test_each_call_has_callbacks_of_its_own(either: InProcess | WorkerProcess) -> None:
    """What one of them is called with is not that of another call, nor of a later one."""
    calls = [Call("fx_iterate", (n, Callback("visitor", (0,)), 7 * n)) for n in (1, 2, 3)]
    lane, other = either.together([calls, calls])
    wanted = [tuple((k, 7 * n) for k in range(1, n + 1)) for n in (1, 2, 3)]
    assert [wanted] * 2 == [[done.outcome.callbacks for done in each] for each in (lane, other)]
    place, _ = either.scratch
    assert () == either.call(Call("fx_store", (place, 1))).callbacks


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (Call("fx_absent", ()), "no function fx_absent"),
        (Call("fx_iterate", (1, Callback("absent"), 0)), "a callback 'absent'"),
    ],
)
def test_what_cannot_be_made_at_one_time_says_why(
    either: InProcess | WorkerProcess, call: Call, why: str
) -> None:
    """No other call is made then."""
    place, _ = either.scratch
    either.write(place, bytes(8))
    with pytest.raises(AdapterError, match=why):
        either.together([[Call("fx_store", (place, 1))], [call]])
    assert bytes(8) == either.read(place, 8)


def test_there_are_as_many_threads_as_there_is_room_for(adapter: LibraryAdapter) -> None:
    """More than that are refused in words."""
    process = adapter.process()
    with pytest.raises(AdapterError, match="at most 64 threads"):
        process.together([[Call("fx_nothing", ())]] * 65)
    assert 64 == len(process.together([[Call("fx_nothing", ())]] * 64))
    process.close()


def test_another_processor_is_told(
    adapter: LibraryAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without machine code there is a reason; with it there is none."""
    process = adapter.process()
    assert process.no_barrier is None
    process.close()
    monkeypatch.setattr("hsa_adapters.worker.threads.together.executable", lambda _: None)
    monkeypatch.setattr("hsa_adapters.worker.threads.together._code", None)
    from hsa_adapters.worker.threads.together import no_barrier

    assert (no_barrier() or "").startswith("needs an x86-64 processor")


def test_an_exception_in_a_thread_is_a_crash_of_its_call(registry: Registry) -> None:
    """A runtime in Python dies as it does in an ordinary call."""

    def broken() -> int:
        raise ZeroDivisionError("oh")

    functions = {"fx_abort": broken, "fx_nothing": lambda: 0}
    process = InProcessAdapter("broken", lambda: functions, registry).process()
    fatal, harmless = Call("fx_abort", ()), Call("fx_nothing", ())
    with pytest.raises(Ended) as caught:
        process.together([[harmless], [harmless, fatal]])
    assert ("CRASH", fatal) == (caught.value.kind, caught.value.call)
    process.close()
