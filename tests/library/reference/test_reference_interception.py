"""Queues whose packets handlers get first, as a tool in C would register them."""

from __future__ import annotations

import ctypes
import struct
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from hsa_reference import memory
from tests.library.reference.reference_client import Client
from tests.library.reference.test_reference_queues import (
    ANY_SIZE,
    BARRIER_AND,
    OUT,
    SECOND,
    barrier,
    signal,
    submit,
    value_within,
)

HANDLER = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * 5)
WRITER = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_uint64)
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)

Handle = Callable[[int, int, int, int, Callable[[int, int], None]], None]


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client("one_gpu")
    found.ok("hsa_init")
    yield found
    found.finish()
    left = [t for t in threading.enumerate() if t.name.startswith("hsa-")]
    for thread in left:
        thread.join(5)
    assert not [t for t in left if t.is_alive()]


def intercepted(client: Client, callback: int = 0) -> int:
    arguments = (client.gpu, 64, 0, callback, 0, ANY_SIZE, ANY_SIZE, OUT)
    return client.ok("hsa_amd_queue_intercept_create", *arguments)


def register(client: Client, queue: int, handle: Handle, data: int = 0) -> object:
    """Register a handler, and return what keeps it."""

    def handler(packets: int, count: int, index: int, given: int, writer: int) -> None:
        handle(packets, count, index, given, WRITER(writer))

    kept = HANDLER(handler)
    client.ok(
        "hsa_amd_queue_intercept_register", queue, ctypes.cast(kept, ctypes.c_void_p).value, data
    )
    return kept


def test_without_a_handler_it_works_as_any_queue(client: Client) -> None:
    made, done = intercepted(client), signal(client, 100)
    for _ in range(100):
        submit(client, made, barrier(BARRIER_AND, [], done))
    assert 0 == value_within(client, done, 0, 0, SECOND * 10)
    assert 100 == client.functions["hsa_queue_load_read_index_relaxed"](made)


def test_handlers_get_packets_newest_first_with_their_index_and_data(client: Client) -> None:
    made, done, seen = intercepted(client), signal(client, 2), []

    def noting(name: str) -> Handle:
        def handle(
            packets: int, count: int, index: int, data: int, write: Callable[[int, int], None]
        ) -> None:
            seen.append((name, memory.load(packets, 2) & 0xFF, count, index, data))
            write(packets, count)

        return handle

    kept = [register(client, made, noting(name), data) for data, name in enumerate(["old", "new"])]
    for _ in range(2):
        submit(client, made, barrier(BARRIER_AND, [], done))
    assert 0 == value_within(client, done, 0, 0, SECOND * 10)
    order = [("new", 1), ("old", 0)]
    assert [(n, BARRIER_AND, 1, i, d) for i in range(2) for n, d in order] == seen
    assert 2 == len(kept)


def test_the_agent_gets_what_is_written_and_nothing_else(client: Client) -> None:
    """One packet is kept back, another one becomes three."""
    made, once, thrice = intercepted(client), signal(client, 1), signal(client, 3)

    def handle(
        packets: int, count: int, index: int, data: int, write: Callable[[int, int], None]
    ) -> None:
        if index == 1:
            copies = barrier(BARRIER_AND, [], thrice) * 2
            buffer = ctypes.create_string_buffer(copies, len(copies))
            write(ctypes.addressof(buffer), 2)
            write(ctypes.addressof(buffer), 1)

    kept = register(client, made, handle)
    for _ in range(2):
        submit(client, made, barrier(BARRIER_AND, [], once))
    assert 0 == value_within(client, thrice, 0, 0, SECOND * 10)
    assert 1 == memory.load(once + 8, 8)
    assert kept


def test_a_handler_sees_packets_while_an_earlier_one_waits(client: Client) -> None:
    made, first, done = intercepted(client), signal(client, 1), signal(client, 2)

    def handle(
        packets: int, count: int, index: int, data: int, write: Callable[[int, int], None]
    ) -> None:
        if index == 1:
            client.functions["hsa_signal_store_screlease"](first, 0)
        write(packets, count)

    kept = register(client, made, handle)
    submit(client, made, barrier(BARRIER_AND, [first], done))
    submit(client, made, barrier(BARRIER_AND, [], done))
    assert 0 == value_within(client, done, 0, 0, SECOND * 10)
    assert kept


def test_a_wrong_packet_that_a_handler_writes_is_told_once(client: Client) -> None:
    told: list[int] = []
    event = threading.Event()

    def callback(status: int, source: int, data: int) -> None:
        told.append(source)
        event.set()

    function = CALLBACK(callback)
    made = intercepted(client, ctypes.cast(function, ctypes.c_void_p).value or 0)
    kept = register(client, made, lambda packets, count, index, data, write: write(packets, count))
    for _ in range(3):
        submit(client, made, struct.pack("<H62x", 0x77))
    assert event.wait(5)
    time.sleep(0.05)
    assert [made] == told
    client.ok("hsa_queue_destroy", made)
    assert kept


@pytest.mark.parametrize("end", ["hsa_queue_destroy", "hsa_queue_inactivate"])
def test_a_handler_may_end_its_queue(client: Client, end: str) -> None:
    made, ended = intercepted(client), threading.Event()

    def handle(
        packets: int, count: int, index: int, data: int, write: Callable[[int, int], None]
    ) -> None:
        client.ok(end, made)
        ended.set()

    kept = register(client, made, handle)
    submit(client, made, barrier(BARRIER_AND, [], 0))
    assert ended.wait(5)
    assert kept


@pytest.mark.parametrize("end", ["hsa_queue_destroy", "hsa_queue_inactivate"])
@pytest.mark.parametrize("other", ["hsa_queue_destroy", "hsa_queue_inactivate"])
def test_a_handler_and_an_error_s_callback_may_both_end_their_queue(
    client: Client, end: str, other: str
) -> None:
    both, answers = threading.Barrier(2), list[str]()

    def finish(function: str, queue: int) -> None:
        both.wait(5)
        answers.append(client.call(function, queue))

    callback = CALLBACK(lambda _, queue, __: finish(other, queue))
    made = intercepted(client, ctypes.cast(callback, ctypes.c_void_p).value or 0)

    def handle(
        packets: int, count: int, index: int, data: int, write: Callable[[int, int], None]
    ) -> None:
        write(packets, count)
        if index == 1:
            finish(end, made)

    kept = register(client, made, handle)
    threads = [t for t in threading.enumerate() if t.name.startswith("hsa-")]
    submit(client, made, barrier(BARRIER_AND, [], 0))
    submit(client, made, struct.pack("<H62x", 0x77))
    for thread in threads:
        thread.join(10)
    assert 2 == len(answers)
    assert set(answers) <= {"HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR_INVALID_QUEUE"}
    assert kept


def test_the_callbacks_of_two_queues_may_each_end_the_other_one(client: Client) -> None:
    both, answers, queues = threading.Barrier(2), list[str](), list[int]()

    def callback(status: int, queue: int, data: int) -> None:
        both.wait(5)
        answers.append(client.call("hsa_queue_destroy", queues[1 - data]))

    kept = CALLBACK(callback)
    address = ctypes.cast(kept, ctypes.c_void_p).value or 0
    for number in range(2):
        arguments = client.gpu, 64, 0, address, number, ANY_SIZE, ANY_SIZE, OUT
        queues.append(client.ok("hsa_queue_create", *arguments))
    threads = [t for t in threading.enumerate() if t.name.startswith("hsa-")]
    for made in queues:
        submit(client, made, struct.pack("<H62x", 0x77))
    for thread in threads:
        thread.join(10)
    assert ["HSA_STATUS_SUCCESS"] * 2 == answers


def test_counted_queues_use_as_much_hardware_as_the_environment_allows(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPU_MAX_HW_QUEUES", "2")
    acquire = "hsa_amd_counted_queue_acquire"
    made = [client.ok(acquire, client.gpu, 0, 1, 0, 0, 0, OUT) for _ in range(5)]
    info, number, users = "hsa_amd_queue_get_info", "HSA_QUEUE_INFO_HW_ID", 2
    ids = [client.ok(info, queue, number, OUT) for queue in made]
    assert 2 == len(set(ids))
    counts = [client.ok(info, queue, users, OUT) for queue in made]
    assert sorted(counts) == [2, 2, 3, 3, 3]
    done = signal(client, 5)
    for queue in made:
        submit(client, queue, barrier(BARRIER_AND, [], done))
    assert 0 == value_within(client, done, 0, 0, SECOND * 10)
