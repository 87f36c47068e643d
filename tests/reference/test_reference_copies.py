"""Copies of the reference where threads meet."""

from __future__ import annotations

import ctypes
import os
import signal as signals
import threading

import pytest

from hsa_reference.amd.copies.jobs import Jobs
from hsa_reference.effects import LOCK, RuntimeThread
from tests.reference.reference_client import Client

OUT = Client.OUT
FOREVER = 2**64 - 1


def lock_is_held() -> bool:
    """Return whether no other thread could take the lock."""
    free: list[bool] = []

    def look() -> None:
        free.append(LOCK.acquire(blocking=False))
        if free[0]:
            LOCK.release()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return not free[0]


def signal(client: Client, value: int) -> int:
    return client.ok("hsa_signal_create", value, 0, 0, OUT)


def copy(client: Client, after: int, done: int) -> None:
    """Start a copy between two of the program's buffers, which live as long as the process."""
    room = ctypes.create_string_buffer(8)
    kept.append(room)
    source, target = ctypes.addressof(room), ctypes.addressof(room) + 4
    dependency = (ctypes.c_uint64 * 1)(after)
    waiting = (1, ctypes.addressof(dependency)) if after else (0, 0)
    cpu = client.cpu
    client.ok("hsa_amd_memory_async_copy", target, cpu, source, cpu, 4, *waiting, done)


kept: list[object] = []


def wait(client: Client, done: int, below: int) -> int:
    """Return the value of a signal when it is below another one."""
    condition = client.constants["HSA_SIGNAL_CONDITION_LT"]
    found = client.functions["hsa_signal_wait_scacquire"](done, condition, below, FOREVER, 0)
    return ctypes.c_int64(found).value


def copying_threads() -> list[threading.Thread]:
    return [t for t in threading.enumerate() if t.name == "HSA copies"]


def test_nobody_gives_back_what_is_read_to_see_whether_work_can_begin(client: Client) -> None:
    held: list[bool] = []

    def is_ready() -> bool:
        held.append(lock_is_held())
        return len(held) == 2

    done = signal(client, 1)
    with LOCK:
        client.runtime.state.part(Jobs).start((), lambda era: None, done, is_ready)
    assert 0 == wait(client, done, 1)
    assert [True, True] == held


def test_many_copies_wait_in_one_thread_and_none_for_another(client: Client) -> None:
    gate, done, other = signal(client, 1), signal(client, 2000), signal(client, 1)
    for _ in range(2000):
        copy(client, gate, done)
    copy(client, 0, other)
    assert 0 == wait(client, other, 1)
    assert 1 == len(copying_threads())
    assert 2000 == client.functions["hsa_signal_load_relaxed"](done)
    client.functions["hsa_signal_store_screlease"](gate, 0)
    assert 0 == wait(client, done, 1)


def test_a_copy_waits_for_a_destroyed_signal_no_longer(client: Client) -> None:
    gate, done = signal(client, 1), signal(client, 1)
    copy(client, gate, done)
    client.ok("hsa_signal_destroy", gate)
    assert 0 == wait(client, done, 1)


def test_a_copy_for_which_there_is_no_thread_fails_through_its_signal(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise RuntimeError

    done, again = signal(client, 1), signal(client, 1)
    with monkeypatch.context() as patch:
        patch.setattr(RuntimeThread, "start", refuse)
        copy(client, 0, done)
    assert -1 == wait(client, done, 1)
    copy(client, 0, again)
    assert 0 == wait(client, again, 1)


def test_copies_that_wait_end_with_the_runtime(client: Client) -> None:
    copy(client, signal(client, 1), signal(client, 1))
    client.ok("hsa_shut_down")
    assert [] == copying_threads()
    client.ok("hsa_init")
    done = signal(client, 1)
    copy(client, 0, done)
    assert 0 == wait(client, done, 1)


def test_a_forked_child_copies_with_a_thread_of_its_own(client: Client) -> None:
    done = signal(client, 1)
    copy(client, 0, done)
    wait(client, done, 1)
    child = os.fork()
    if child == 0:
        signals.alarm(10)
        again = signal(client, 1)
        copy(client, 0, again)
        os._exit(wait(client, again, 1))
    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
