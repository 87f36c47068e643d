"""Queues of the reference as clients in C use them: rings filled by hand, on several threads."""

from __future__ import annotations

import ctypes
import struct
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from hsa_reference import memory
from hsa_reference.core.queues.state import InvalidQueueError, Queues
from hsa_reference.core.signals.state import Signal, Signals
from hsa_reference.effects import LOCK
from hsa_reference.requests import ACCESS, REQUESTS
from tests.library.reference.reference_client import Client

OUT = Client.OUT
BARRIER_AND, BARRIER_OR = 3, 5
WITH_BARRIER = 1 << 8
ANY_SIZE = 0xFFFFFFFF
SECOND = 10**8  # ticks of the system's clock


@pytest.fixture
def client() -> Client:
    found = Client("one_gpu")
    found.ok("hsa_init")
    return found


def queue(client: Client, size: int = 64, callback: int = 0, data: int = 0) -> int:
    _, gpu, *_ = client.agents()
    arguments = (gpu, size, 0, callback, data, ANY_SIZE, ANY_SIZE, OUT)
    return client.ok("hsa_queue_create", *arguments)


def signal(client: Client, value: int) -> int:
    return client.ok("hsa_signal_create", value, 0, 0, OUT)


def submit(client: Client, queue: int, packet: bytes) -> int:
    """Write a packet as the text says: the header last; ring, and return the packet's index."""
    functions = client.functions
    base, doorbell, size = memory.load(queue + 8, 8), memory.load(queue + 16, 8), 64
    index = functions["hsa_queue_add_write_index_scacq_screl"](queue, 1)
    while index - functions["hsa_queue_load_read_index_scacquire"](queue) >= size:
        pass
    slot = base + 64 * (index % size)
    ctypes.memmove(slot + 4, packet[4:], 60)
    memory.store(slot, int.from_bytes(packet[:4], "little"), 4)
    functions["hsa_signal_store_screlease"](doorbell, index)
    return index


def barrier(kind: int, signals: list[int], completion: int, header: int = WITH_BARRIER) -> bytes:
    signals = [*signals, *[0] * (5 - len(signals))]
    return struct.pack("<HHI5QQQ", header | kind, 0, 0, *signals, 0, completion)


def value_within(client: Client, handle: int, condition: int, value: int, limit: int) -> int:
    """Return the value of a signal that was waited for."""
    wait = client.functions["hsa_signal_wait_scacquire"]
    return wait(handle, condition, value, limit, 0)


def test_a_barrier_completes_once_all_its_signals_have_been_zero(client: Client) -> None:
    first, second, done = signal(client, 1), signal(client, 1), signal(client, 1)
    submit(client, queue(client), barrier(BARRIER_AND, [first, second], done))
    client.functions["hsa_signal_store_screlease"](first, 0)
    assert 1 == value_within(client, done, 0, 0, SECOND // 50)
    client.functions["hsa_signal_store_screlease"](first, 5)
    client.functions["hsa_signal_store_screlease"](second, 0)
    assert 0 == value_within(client, done, 0, 0, SECOND * 5)
    client.finish()


def test_a_barrier_completes_once_one_of_its_signals_has_been_zero(client: Client) -> None:
    first, second, done = signal(client, 1), signal(client, 1), signal(client, 1)
    submit(client, queue(client), barrier(BARRIER_OR, [first, second], done))
    assert 1 == value_within(client, done, 0, 0, SECOND // 50)
    client.functions["hsa_signal_store_screlease"](second, 0)
    assert 0 == value_within(client, done, 0, 0, SECOND * 5)
    client.finish()


def test_a_completed_packet_is_invalid_and_counted(client: Client) -> None:
    made, done = queue(client), signal(client, 1)
    submit(client, made, barrier(BARRIER_AND, [], done))
    value_within(client, done, 0, 0, SECOND * 5)
    assert 1 == memory.load(memory.load(made + 8, 8), 2) & 0xFF
    assert 1 == client.functions["hsa_queue_load_read_index_relaxed"](made)
    client.finish()


def test_four_threads_fill_one_ring(client: Client) -> None:
    """Each packet is processed once, though the ring is shorter than what they write."""
    each, threads, made = 100, 4, queue(client)
    done = signal(client, each * threads)

    def produce() -> None:
        for _ in range(each):
            submit(client, made, barrier(BARRIER_AND, [], done, header=0))

    started = [threading.Thread(target=produce) for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert 0 == value_within(client, done, 0, 0, SECOND * 20)
    client.finish()


def test_a_wrong_packet_is_reported_once_and_stops_the_queue(client: Client) -> None:
    seen, told = [], threading.Event()
    kind = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)

    def callback(status: int, source: int, data: int) -> None:
        seen.append((status, source, data))
        told.set()

    function = kind(callback)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    made, done = queue(client, callback=address, data=77), signal(client, 1)
    submit(client, made, struct.pack("<H62x", 0x77))
    submit(client, made, barrier(BARRIER_AND, [], done))
    assert told.wait(5)
    assert 1 == value_within(client, done, 0, 0, SECOND // 50)
    status = client.constants["HSA_STATUS_ERROR_INVALID_PACKET_FORMAT"]
    assert [(status, made, 77)] == seen
    assert "HSA_STATUS_SUCCESS" == client.call("hsa_queue_destroy", made)
    client.finish()


@pytest.mark.parametrize("end", ["hsa_queue_destroy", "hsa_queue_inactivate", "hsa_shut_down"])
def test_a_queue_ends_while_a_barrier_waits(client: Client, end: str) -> None:
    made, never = queue(client), signal(client, 1)
    submit(client, made, barrier(BARRIER_AND, [never], 0))
    client.ok(end, *() if end == "hsa_shut_down" else (made,))
    assert not [t for t in threading.enumerate() if t.name == "hsa-queue"]
    if end != "hsa_shut_down":
        client.finish()


def test_several_threads_inactivate_one_queue(client: Client) -> None:
    """Each call comes back when the processor has ended, wherever another thread is by then."""
    failures: list[BaseException] = []
    barrier = threading.Barrier(8)

    def give_way(frame: object, event: str, of: object) -> Callable[..., Any]:
        del frame, event, of
        time.sleep(0)
        return give_way

    def inactivate(shared: int) -> None:
        barrier.wait()
        sys.settrace(give_way)
        try:
            client.ok("hsa_queue_inactivate", shared)
        except BaseException as failure:
            failures.append(failure)
        finally:
            sys.settrace(None)

    for _ in range(60):
        shared = queue(client)
        threads = [threading.Thread(target=inactivate, args=(shared,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.ok("hsa_queue_destroy", shared)
    assert [] == failures


def test_an_error_s_callback_may_call_the_runtime_while_it_shuts_down(client: Client) -> None:
    """Whoever waits for the callback does not hold what its calls need."""
    entered, ending = threading.Event(), threading.Event()
    free: list[bool] = []
    kind = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)

    def callback(status: int, source: int, data: int) -> None:
        entered.set()
        ending.wait(5)
        time.sleep(0.1)  # the other thread is in hsa_shut_down by now
        free.append(LOCK.acquire(timeout=5))
        if free[0]:
            LOCK.release()

    function = kind(callback)
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    submit(client, queue(client, callback=address), struct.pack("<H62x", 0x77))
    assert entered.wait(5)
    ending.set()
    client.ok("hsa_shut_down")
    assert [True] == free


def test_queues_live_on_where_the_event_of_the_end_is_answered_with_hsa_init(
    client: Client,
) -> None:
    kind = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)
    function = kind(lambda event, data: client.ok("hsa_init"))
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    client.ok("hsa_amd_register_system_event_handler", address, 0)
    made, done = queue(client), signal(client, 1)
    client.ok("hsa_shut_down")
    submit(client, made, barrier(BARRIER_AND, [], done))
    assert 0 == value_within(client, done, 0, 0, SECOND * 5)
    client.ok("hsa_queue_destroy", made)


def test_a_soft_queue_whose_ring_cannot_be_protected_does_not_stay(client: Client) -> None:
    """The access to the ring is set again once the queue is there."""
    cpu, _ = client.agents()
    region, bell = client.visit("hsa_agent_iterate_regions", cpu)[0], signal(client, 0)
    REQUESTS.arm([ACCESS], 1, lasting=False)
    try:
        status = client.call("hsa_soft_queue_create", region, 64, 0, 2, bell, OUT)
    finally:
        REQUESTS.disarm()
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == status
    assert [] == list(client.runtime.state.part(Queues).by_address)
    client.finish()


def test_a_queue_for_which_a_signal_is_missing_leaves_none(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    signals = client.runtime.state.part(Signals)
    before, create = set(signals.by_handle), Signals.create

    def refuse_second(self: Signals, value: int, attributes: int = 0) -> Signal:
        if set(self.by_handle) != before:
            raise OSError
        return create(self, value, attributes)

    monkeypatch.setattr(Signals, "create", refuse_second)
    arguments = (client.agents()[1], 64, 0, 0, 0, ANY_SIZE, ANY_SIZE, OUT)
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == client.call("hsa_queue_create", *arguments)
    assert before == set(signals.by_handle)


def test_there_are_no_new_queues_once_the_processors_of_a_runtime_have_ended(
    client: Client,
) -> None:
    """Nobody could wait for a new one's thread, which may be calling the application."""
    _, gpu = client.agents()
    arguments = (gpu, 64, 0, 0, 0, ANY_SIZE, ANY_SIZE, OUT)
    answers: list[str] = []
    last = client.runtime.state.before_end
    last.insert(0, lambda: answers.append(client.call("hsa_queue_create", *arguments)))
    client.ok("hsa_shut_down")
    last.pop(0)
    assert ["HSA_STATUS_ERROR_OUT_OF_RESOURCES"] == answers
    client.ok("hsa_init")
    client.ok("hsa_queue_create", *arguments)
    client.finish()


def test_a_large_ring_is_laid_out_in_place(client: Client) -> None:
    cpu, _ = client.agents()
    region, bell = client.visit("hsa_agent_iterate_regions", cpu)[0], signal(client, 0)
    size = 1 << 16
    tracemalloc.start()
    made = client.ok("hsa_soft_queue_create", region, size, 0, 2, bell, OUT)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    ring = memory.load(made + 8, 8)
    assert {1} == set(ctypes.string_at(ring, 64 * size)[::64])
    assert most < 64 * size // 2
    client.finish()


def test_an_agent_has_no_more_queues_than_it_says(client: Client) -> None:
    made = [queue(client) for _ in range(128)]
    _, gpu = client.agents()
    arguments = (gpu, 64, 0, 0, 0, ANY_SIZE, ANY_SIZE, OUT)
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == client.call("hsa_queue_create", *arguments)
    client.ok("hsa_queue_destroy", made[0])
    client.ok("hsa_queue_create", *arguments)
    client.finish()


def test_a_cooperative_queue_is_shared_and_ends_with_its_last_holder(client: Client) -> None:
    _, gpu = client.agents()
    cooperative = client.constants["HSA_QUEUE_TYPE_COOPERATIVE"]
    arguments = (gpu, 64, cooperative, 0, 0, ANY_SIZE, ANY_SIZE, OUT)
    first, second = (client.ok("hsa_queue_create", *arguments) for _ in range(2))
    assert first == second
    client.ok("hsa_queue_destroy", first)
    client.ok("hsa_queue_destroy", first)
    assert "HSA_STATUS_ERROR_INVALID_QUEUE" == client.call("hsa_queue_destroy", first)
    client.finish()


def test_an_index_of_no_queue_is_no_number(client: Client) -> None:
    with pytest.raises(InvalidQueueError, match="is no live queue"):
        client.functions["hsa_queue_load_read_index_relaxed"](64)
