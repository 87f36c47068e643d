"""Atomic operations and waits on memory that threads and processes share."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hsa_reference.native import (
    ACQ_REL,
    ACQUIRE,
    RELAXED,
    RELEASE,
    SEQ_CST,
    NativeError,
    native,
)
from hsa_reference.native.library import LIBRARY, load

EQ, NE, LT, GTE = range(4)
WAITERS, CHANGES = 56, 60
SECOND = 10**9
ATOMICS = native()


@pytest.fixture
def shared() -> Iterator[int]:
    """Return the address of a page of zeros that processes forked from here share."""
    page = mmap.mmap(-1, mmap.PAGESIZE)
    buffer = ctypes.c_char.from_buffer(page)
    yield ctypes.addressof(buffer)
    del buffer
    page.close()


def make_signals(page: int, *values: int) -> list[int]:
    handles = [page + 64 * index for index in range(len(values))]
    for handle, value in zip(handles, values, strict=True):
        ATOMICS.store_64(handle, 1, RELAXED)
        ATOMICS.signal_silent_store(handle, value, RELAXED)
    return handles


def in_child(work: Callable[[], object]) -> int:
    """Return the id of a process that does this."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    return child


def when_waiting(handle: int, work: Callable[[], object]) -> None:
    while ATOMICS.load_32(handle + WAITERS, SEQ_CST) == 0:
        time.sleep(0.001)
    work()


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("order", [RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST])
def test_each_operation_of_each_width_and_order_returns_what_was_there(
    shared: int, bits: int, order: int
) -> None:
    def operation(name: str) -> Callable[..., int]:
        return getattr(ATOMICS, f"{name}_{bits}")

    top = 2**bits - 1
    operation("store")(shared, 12, order)
    assert 12 == operation("exchange")(shared, 10, order)
    assert 10 == operation("cas")(shared, 9, 1, order)
    assert 10 == operation("cas")(shared, 10, top, order)
    assert top == operation("add")(shared, 6, order)
    assert 5 == operation("subtract")(shared, 6, order)
    assert top == operation("and")(shared, 0b1100, order)
    assert 0b1100 == operation("or")(shared, 0b0011, order)
    assert 0b1111 == operation("xor")(shared, 0b0110, order)
    assert 0b1001 == operation("load")(shared, order)
    assert 0b1001 == ATOMICS.load_64(shared, order)


def test_no_operation_of_several_processes_is_lost(shared: int) -> None:
    def work() -> None:
        for _ in range(20_000):
            ATOMICS.signal_add(shared, 3, RELAXED)
            ATOMICS.signal_subtract(shared, 2, RELAXED)

    for child in [in_child(work) for _ in range(3)]:
        os.waitpid(child, 0)

    assert 60_000 == ATOMICS.signal_load(shared, RELAXED)


def test_a_change_makes_no_system_call_when_nobody_waits(shared: int) -> None:
    (handle,) = make_signals(shared, 0)
    for value in range(10):
        ATOMICS.signal_store(handle, value, RELEASE)

    assert 0 == ATOMICS.load_32(handle + CHANGES, SEQ_CST)


CHANGES_TO_7: dict[str, Callable[[int], object]] = {
    "store": lambda at: ATOMICS.signal_store(at, 7, RELAXED),
    "exchange": lambda at: ATOMICS.signal_exchange(at, 7, RELAXED),
    "cas": lambda at: ATOMICS.signal_cas(at, 3, 7, RELAXED),
    "add": lambda at: ATOMICS.signal_add(at, 4, RELAXED),
    "subtract": lambda at: ATOMICS.signal_subtract(at, -4, RELAXED),
    "and": lambda at: (ATOMICS.signal_silent_store(at, 15, RELAXED), ATOMICS.signal_and(at, 7, 0)),
    "or": lambda at: ATOMICS.signal_or(at, 4, RELAXED),
    "xor": lambda at: ATOMICS.signal_xor(at, 4, RELAXED),
}


@pytest.mark.parametrize("name", CHANGES_TO_7)
def test_a_change_by_another_process_wakes(shared: int, name: str) -> None:
    (handle,) = make_signals(shared, 3)
    child = in_child(lambda: when_waiting(handle, lambda: CHANGES_TO_7[name](handle)))

    assert (True, 7) == ATOMICS.signal_wait(handle, EQ, 7, 30 * SECOND)
    os.waitpid(child, 0)
    assert 1 == ATOMICS.load_32(handle + CHANGES, SEQ_CST)
    assert 0 == ATOMICS.load_32(handle + WAITERS, SEQ_CST)


def test_a_change_of_the_upper_half_alone_wakes(shared: int) -> None:
    (handle,) = make_signals(shared, 0)
    child = in_child(
        lambda: when_waiting(handle, lambda: ATOMICS.signal_store(handle, 1 << 40, RELAXED))
    )

    assert (True, 1 << 40) == ATOMICS.signal_wait(handle, NE, 0, 30 * SECOND)
    os.waitpid(child, 0)


def test_a_store_to_the_memory_itself_is_noticed(shared: int) -> None:
    """No call wakes then, so those who sleep look again from time to time."""
    (handle,) = make_signals(shared, 0)
    thread = threading.Thread(
        target=when_waiting, args=(handle, lambda: ATOMICS.store_64(handle + 8, 1, RELAXED))
    )
    thread.start()

    assert (True, 1) == ATOMICS.signal_wait(handle, EQ, 1, 30 * SECOND)
    thread.join()


@pytest.mark.parametrize(
    ("condition", "compare", "met"),
    [
        (EQ, -1, True),
        (EQ, 1, False),
        (NE, -1, False),
        (NE, 2**63 - 1, True),
        (LT, 0, True),
        (LT, -1, False),
        (GTE, -1, True),
        (GTE, 0, False),
    ],
)
def test_conditions_compare_with_a_sign(
    shared: int, condition: int, compare: int, met: bool
) -> None:
    (handle,) = make_signals(shared, -1)

    assert (met, -1) == ATOMICS.signal_wait(handle, condition, compare, 0)
    assert ([-1] if met else None) == ATOMICS.signal_wait_all([handle], [condition], [compare], 0)


@pytest.mark.parametrize("active", [False, True])
def test_a_wait_sleeps_until_its_time_is_over(shared: int, active: bool) -> None:
    (handle,) = make_signals(shared, 0)
    start, worked = time.monotonic_ns(), time.thread_time_ns()

    assert (False, 0) == ATOMICS.signal_wait(handle, EQ, 1, SECOND // 5, active)
    assert SECOND // 5 <= time.monotonic_ns() - start
    assert time.thread_time_ns() - worked < SECOND // 20


@pytest.mark.parametrize("count", [2, 128, 200])
def test_a_wait_for_any_of_many_ends_with_the_last_of_them(count: int) -> None:
    with mmap.mmap(-1, 64 * count) as pages:
        buffer = ctypes.c_char.from_buffer(pages)
        handles = make_signals(ctypes.addressof(buffer), *[0] * count)
        child = in_child(
            lambda: when_waiting(handles[-1], lambda: ATOMICS.signal_store(handles[-1], 5, RELAXED))
        )

        expected = (count - 1, 5)
        assert expected == ATOMICS.signal_wait_any(handles, [EQ] * count, [5] * count, 30 * SECOND)
        os.waitpid(child, 0)
        del buffer


def test_a_wait_for_all_remembers_which_were_met(shared: int) -> None:
    first, second = make_signals(shared, 0, 0)

    def work() -> None:
        when_waiting(second, lambda: ATOMICS.signal_store(first, 1, RELAXED))
        time.sleep(0.1)
        ATOMICS.signal_store(first, 0, RELAXED)
        ATOMICS.signal_store(second, 2, RELAXED)

    child = in_child(work)
    assert [1, 2] == ATOMICS.signal_wait_all([first, second], [NE, NE], [0, 0], 30 * SECOND)
    os.waitpid(child, 0)


def test_what_is_no_live_signal_is_passed_over_or_counts_as_met(shared: int) -> None:
    live, destroyed = make_signals(shared, 4, 4)
    ATOMICS.signal_end(destroyed)

    handles = [0, destroyed, live]
    assert (2, 4) == ATOMICS.signal_wait_any(handles, [EQ] * 3, [4] * 3)
    assert (None, 0) == ATOMICS.signal_wait_any(handles[:2], [EQ] * 2, [4] * 2)
    assert [0, 0, 4] == ATOMICS.signal_wait_all(handles, [EQ] * 3, [4] * 3)


def test_the_end_of_a_signal_ends_waits(shared: int) -> None:
    (handle,) = make_signals(shared, 4)
    child = in_child(lambda: when_waiting(handle, lambda: ATOMICS.signal_end(handle)))

    assert (False, 0) == ATOMICS.signal_wait(handle, EQ, 5)
    os.waitpid(child, 0)


def test_handlers_of_posix_signals_run_during_a_wait(shared: int) -> None:
    (handle,) = make_signals(shared, 0)
    before = signal.signal(signal.SIGUSR1, lambda *_: ATOMICS.signal_store(handle, 1, RELAXED))
    try:
        target = threading.main_thread().ident
        assert target is not None
        thread = threading.Thread(
            target=when_waiting,
            args=(handle, lambda: signal.pthread_kill(target, signal.SIGUSR1)),
        )
        thread.start()
        assert (True, 1) == ATOMICS.signal_wait(handle, EQ, 1, 30 * SECOND)
        thread.join()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_several_processes_may_compile_at_the_same_time(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", "from hsa_reference.native import native; native()"]
    started = [subprocess.Popen(command, env=environment) for _ in range(4)]

    assert [0] * 4 == [process.wait() for process in started]
    left = [path.name for path in tmp_path.rglob("*") if path.name.startswith(".build-")]
    assert [] == left
    assert 1 == len(list(tmp_path.rglob(LIBRARY)))


def test_a_missing_compiler_is_named_unless_it_was_compiled_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load()
    monkeypatch.setenv("CC", "no-such-compiler")
    load()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    with pytest.raises(NativeError, match=r"atomic operations.*no C compiler.*install one .*gcc"):
        load()


def test_an_import_of_the_reference_compiles_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", "import hsa_reference"], env=environment, check=True)
    assert [] == list(tmp_path.rglob(LIBRARY))


def test_machines_of_other_kinds_do_not_share_what_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home folder may be that of several."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load()
    monkeypatch.setattr(
        "hsa_reference.native.library.EXTENSION_SUFFIXES", [".cpython-311-other-linux-gnu.so"]
    )
    load()
    assert 2 == len(list(tmp_path.rglob(LIBRARY)))


def test_what_another_user_may_have_compiled_is_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cache folder may be named that belongs to somebody else."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    load()
    monkeypatch.setattr("os.geteuid", lambda: tmp_path.stat().st_uid + 1)

    waiting, _ = load()
    assert not Path(waiting._name).exists()


def test_without_a_cache_it_is_compiled_for_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))

    waiting, _ = load()
    assert not Path(waiting._name).exists()
