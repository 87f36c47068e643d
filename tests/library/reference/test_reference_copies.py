"""Copies of the reference where threads meet."""

from __future__ import annotations

import ctypes
import os
import signal as signals
import threading
from collections.abc import Callable

import pytest

from hsa_reference.amd.copies.jobs import Jobs, Piece
from hsa_reference.effects import LOCK
from hsa_reference.memory import PAGE
from hsa_reference.requests import REQUESTS, THREAD
from tests.library.reference.reference_client import Client

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


def arguments(client: Client, after: int, done: int) -> tuple[int, ...]:
    """Return the arguments of a copy between two of the program's buffers.

    They live as long as the process.
    """
    room = ctypes.create_string_buffer(8)
    kept.append(room)
    source, target = ctypes.addressof(room), ctypes.addressof(room) + 4
    dependency = (ctypes.c_uint64 * 1)(after)
    kept.append(dependency)
    waiting = (1, ctypes.addressof(dependency)) if after else (0, 0)
    cpu = client.cpu
    return target, cpu, source, cpu, 4, *waiting, done


def copy(client: Client, after: int, done: int) -> None:
    client.ok("hsa_amd_memory_async_copy", *arguments(client, after, done))


kept: list[object] = []


def wait(client: Client, done: int, below: int, limit: int = FOREVER) -> int:
    """Return the value of a signal when it is below another one, or the limit in ticks is over."""
    condition = client.constants["HSA_SIGNAL_CONDITION_LT"]
    found = client.functions["hsa_signal_wait_scacquire"](done, condition, below, limit, 0)
    return ctypes.c_int64(found).value


@pytest.fixture
def copying_threads() -> Callable[[], list[threading.Thread]]:
    """Return a function that lists the threads of copies, but those of other tests' runtimes."""
    others = threading.enumerate()

    def copying_threads() -> list[threading.Thread]:
        return [t for t in threading.enumerate() if t.name == "HSA copies" and t not in others]

    return copying_threads


def test_nobody_gives_back_what_is_read_to_see_whether_work_can_begin(client: Client) -> None:
    held: list[bool] = []

    def is_ready() -> bool:
        held.append(lock_is_held())
        return len(held) == 2

    done = signal(client, 1)
    with LOCK:
        client.runtime.state.part(Jobs).start((), Piece(lambda era: None, done, is_ready))
    assert 0 == wait(client, done, 1)
    assert [True, True] == held


def test_many_copies_wait_in_one_thread_and_none_for_another(
    client: Client, copying_threads: Callable[[], list[threading.Thread]]
) -> None:
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


def test_a_copy_for_which_there_is_no_thread_is_refused(client: Client) -> None:
    done = signal(client, 1)
    REQUESTS.arm([THREAD], 0, lasting=False)
    try:
        answer = client.call("hsa_amd_memory_async_copy", *arguments(client, 0, done))
    finally:
        REQUESTS.disarm()
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == answer
    copy(client, 0, done)
    assert 0 == wait(client, done, 1)


def test_copies_that_wait_end_with_the_runtime(
    client: Client, copying_threads: Callable[[], list[threading.Thread]]
) -> None:
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


LINEAR, BROADCAST, SWAP, INDIRECT_SOURCE, INDIRECT_TARGET, INDIRECT = range(6)


class Batch:
    """Operations of a client in memory of its own, which is 0 at first."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.room = (ctypes.c_uint64 * 8)()
        self.struct = client.runtime.registry.structs["hsa_amd_memory_copy_op_t"]
        self.done = signal(client, 1)

    def at(self, *indices: int) -> list[int]:
        return [ctypes.addressof(self.room) + 8 * index for index in indices]

    def listed(self, *numbers: int) -> int:
        kept.append((ctypes.c_uint64 * len(numbers))(*numbers))
        return ctypes.addressof(kept[-1])  # type: ignore[arg-type]

    def start(self, kind: int, **members: int) -> str:
        """Start one operation between agents of the host, and return the status."""
        cpu, content = self.client.cpu, bytearray(self.struct.size)
        usual = {"version": 1, "completion_signal": self.done, "src_agent": cpu, "dst_agent": cpu}
        for name, value in {**usual, "type": kind, **members}.items():
            field = self.struct.field[name]
            content[field.offset : field.offset + field.size] = value.to_bytes(field.size, "little")
        operation = ctypes.create_string_buffer(bytes(content), len(content))
        address = ctypes.addressof(operation)
        return self.client.call("hsa_amd_memory_async_batch_copy", address, 1, 0, 0)

    def ended(self) -> list[int]:
        assert 0 == wait(self.client, self.done, 1)
        return list(self.room)


@pytest.fixture
def batch(client: Client) -> Batch:
    return Batch(client)


def lists(batch: Batch, targets: list[int], sources: list[int], size: int = 8) -> dict[str, int]:
    """Return the members of an operation with as many entries as there are targets."""
    count = len(targets)
    return {
        "num_entries": count,
        "src_list": batch.listed(*sources),
        "dst_list": batch.listed(*targets),
        "dst_agent_list": batch.listed(*[batch.client.cpu] * count),
        "size_list": batch.listed(*[size] * count),
    }


def test_an_operation_copies_each_entry_of_its_lists(batch: Batch) -> None:
    batch.room[:2] = [5, 6]
    batch.start(LINEAR, **lists(batch, batch.at(4, 7), batch.at(0, 1)))
    assert [5, 6, 0, 0, 5, 0, 0, 6] == batch.ended()


def test_an_operation_swaps_each_entry_of_its_lists(batch: Batch) -> None:
    batch.room[:] = list(range(8))
    batch.start(SWAP, **lists(batch, batch.at(6, 7), batch.at(0, 1)))
    assert [6, 7, 2, 3, 4, 5, 0, 1] == batch.ended()


def test_a_large_swap_exchanges_all_bytes(batch: Batch) -> None:
    size = 5 << 19
    one, other = (ctypes.create_string_buffer(bytes([n]) * size, size) for n in (1, 2))
    places = {"src": ctypes.addressof(one), "dst": ctypes.addressof(other)}
    batch.start(SWAP, **places, src_size=size, dst_size=size)
    batch.ended()
    assert (bytes([2]) * size, bytes([1]) * size) == (one.raw, other.raw)


@pytest.mark.parametrize("kind", [INDIRECT_SOURCE, INDIRECT_TARGET, INDIRECT])
def test_pointers_are_read_when_an_operation_is_done(batch: Batch, kind: int) -> None:
    source, target, *pointers = batch.at(0, 1, 2, 3)
    batch.room[:4] = [5, 0, source, target]
    first = pointers[0] if kind != INDIRECT_TARGET else source
    second = pointers[1] if kind != INDIRECT_SOURCE else target
    batch.start(kind, **lists(batch, [second], [first]))
    assert 5 == batch.ended()[1]


def test_pointers_may_be_where_the_host_has_no_access(batch: Batch) -> None:
    client, (source, target) = batch.client, batch.at(0, 1)
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, 8, 0, OUT)
    client.ok("hsa_memory_copy", there, batch.listed(source), 8)
    batch.room[0] = 5
    batch.start(INDIRECT_SOURCE, src=there, dst=target, size=8)
    assert 5 == batch.ended()[1]


ALWAYS, LESS, LESS_EQUAL, EQUAL = range(4)
NONE, WRITE, ADD, SUBTRACT = range(4)


def test_numbers_of_an_operation_may_be_where_the_host_has_no_access(batch: Batch) -> None:
    client, (source, target) = batch.client, batch.at(0, 1)
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, 16, 0, OUT)
    client.ok("hsa_memory_copy", there, batch.listed(1, 40), 16)
    batch.room[0] = 5
    wait_for = {"wait.addr": there, "wait.function": EQUAL, "wait.value": 2, "wait.mask": 3}
    change = {"signal.addr": there + 8, "signal.operation": ADD, "signal.data": 2}
    batch.start(LINEAR, src=source, dst=target, size=8, **wait_for, **change)
    assert 1 == wait(client, batch.done, 1, limit=10**6)
    client.ok("hsa_memory_copy", there, batch.listed(2), 8)
    assert 5 == batch.ended()[1]
    client.ok("hsa_memory_copy", source, there, 16)
    assert [2, 42] == batch.room[:2]


def test_a_number_that_reaches_out_of_its_block_fails_the_operation(batch: Batch) -> None:
    client, (source, target) = batch.client, batch.at(0, 1)
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)
    number = {"signal.addr": there + PAGE - 4, "signal.operation": WRITE}
    batch.start(LINEAR, src=source, dst=target, size=8, **number)
    assert -1 == wait(client, batch.done, 1)


@pytest.mark.parametrize(
    "change",
    [
        {"dst_agent_list": 0},
        {"size_list": 0},
        {"reserved0": 8},
        {"num_entries": 1025, "type": INDIRECT},
    ],
)
def test_lists_that_are_none_are_refused(batch: Batch, change: dict[str, int]) -> None:
    members = {**lists(batch, batch.at(1), batch.at(0)), **change}
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == batch.start(LINEAR, **members)


def test_a_null_in_a_list_is_refused(batch: Batch) -> None:
    members = lists(batch, [*batch.at(4), 0], batch.at(0, 1))
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == batch.start(LINEAR, **members)
