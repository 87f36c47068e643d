"""Signals between threads and after forks, the thread of handlers, and the memory of many."""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from hsa_reference.core.signals.state import InvalidSignalError
from tests.library.reference.reference_client import Client

OUT = Client.OUT
HANDLER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_uint64)
FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
FOREVER = 2**64 - 1


def create(client: Client, value: int = 0) -> int:
    return client.ok("hsa_signal_create", value, 0, 0, OUT)


def address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def wait(client: Client, signal: int, value: int) -> int:
    wanted = ("HSA_SIGNAL_CONDITION_EQ", "HSA_WAIT_STATE_BLOCKED")
    condition, state = (client.constants[name] for name in wanted)
    call = client.functions["hsa_signal_wait_scacquire"]
    return call(signal, condition, value, FOREVER, state)


def on_signal(client: Client, signal: int, value: int, handler: object) -> None:
    condition = "HSA_SIGNAL_CONDITION_EQ"
    arguments = (signal, condition, value, address(handler), 3)
    client.ok("hsa_amd_signal_async_handler", *arguments)


def handlers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "HSA handlers"]


def soon(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + 20
    while not holds() and time.monotonic() < end:
        time.sleep(0.001)
    return holds()


def test_a_signal_is_laid_out_as_rocr_does(client: Client) -> None:
    signal = create(client, -3)

    assert 0 == signal % 64
    layout = struct.unpack("<qqQI36x", ctypes.string_at(signal, 64))
    assert (1, -3, 0, 0) == layout


def test_a_store_of_one_thread_ends_the_wait_of_another(client: Client) -> None:
    there, back = create(client), create(client)

    def answer() -> None:
        for turn in range(1, 200):
            wait(client, there, turn)
            client.functions["hsa_signal_store_screlease"](back, turn)

    thread = threading.Thread(target=answer)
    thread.start()
    for turn in range(1, 200):
        client.functions["hsa_signal_store_screlease"](there, turn)
        assert turn == wait(client, back, turn)
    thread.join()


def test_a_hundred_thousand_signals_take_few_bytes_each(client: Client) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    signals = [create(client, turn) for turn in range(100_000)]
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before

    assert 100_000 == len(set(signals))
    assert 77_777 == client.functions["hsa_signal_load_relaxed"](signals[77_777])
    assert grown < 60_000  # KiB
    for signal in signals:
        client.ok("hsa_signal_destroy", signal)


def test_a_destroyed_signal_is_noticed_by_functions_without_a_status(client: Client) -> None:
    signal = create(client)
    client.ok("hsa_signal_destroy", signal)

    with pytest.raises(InvalidSignalError, match="is no live signal"):
        client.functions["hsa_signal_load_relaxed"](signal)


def test_handlers_run_one_at_a_time_on_a_thread_of_the_runtime(client: Client) -> None:
    seen: list[tuple[str, int, int]] = []
    signals = [create(client) for _ in range(20)]

    def call(value: int, argument: int) -> bool:
        seen.append((threading.current_thread().name, value, argument))
        return False

    handler = HANDLER(call)
    for signal in signals:
        on_signal(client, signal, 1, handler)
    assert 1 == len(handlers())
    for signal in signals:
        client.functions["hsa_signal_store_relaxed"](signal, 1)
    assert soon(lambda: len(seen) == 20)
    assert {("HSA handlers", 1, 3)} == set(seen)


def test_a_handler_may_call_the_runtime_while_it_is_shut_down(client: Client) -> None:
    """The last hsa_shut_down waits for the handler, which needs the lock."""
    begun = threading.Event()
    done: list[int] = []

    def call(argument: int) -> None:
        begun.set()
        time.sleep(0.05)
        done.append(create(client))

    function = FUNCTION(call)
    client.ok("hsa_amd_async_function", address(function), 0)
    begun.wait()
    client.ok("hsa_shut_down")
    assert 1 == len(done)
    assert [] == handlers()
    client.ok("hsa_init")


def test_a_handler_without_a_thread_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    handler, function = HANDLER(lambda _value, _argument: False), FUNCTION(lambda _: None)
    arguments = (create(client), "HSA_SIGNAL_CONDITION_EQ", 0, address(handler), 0)
    expected = "HSA_STATUS_ERROR_OUT_OF_RESOURCES"
    assert expected == client.call("hsa_amd_signal_async_handler", *arguments)
    assert expected == client.call("hsa_amd_async_function", address(function), 0)


def test_a_handler_may_shut_the_runtime_down(client: Client) -> None:
    done = threading.Event()

    def call(argument: int) -> None:
        client.ok("hsa_shut_down")
        done.set()

    function = FUNCTION(call)
    client.ok("hsa_amd_async_function", address(function), 0)
    assert done.wait(20)
    assert soon(lambda: not handlers())
    client.ok("hsa_init")


def test_a_destroyed_signal_takes_its_handlers_with_it(client: Client) -> None:
    calls: list[int] = []

    def call(value: int, argument: int) -> bool:
        calls.append(value)
        return True

    handler = HANDLER(call)
    signal = create(client)
    on_signal(client, signal, 1, handler)
    client.ok("hsa_signal_destroy", signal)
    others = [create(client, 1) for _ in range(2000)]
    assert signal in others  # the memory is used again
    time.sleep(0.05)
    assert [] == calls


def test_handlers_work_again_after_the_runtime_was_initialised_again(client: Client) -> None:
    for _ in range(3):
        called = threading.Event()

        def call(value: int, argument: int, called: threading.Event = called) -> bool:
            called.set()
            return False

        handler = HANDLER(call)
        on_signal(client, create(client, 1), 1, handler)
        assert called.wait(20)
        client.ok("hsa_shut_down")
        assert [] == handlers()
        client.ok("hsa_init")


def test_a_forked_process_has_a_thread_of_its_own_when_it_needs_one(client: Client) -> None:
    def call(argument: int) -> None:
        client.functions["hsa_signal_store_relaxed"](argument, 1)

    function = FUNCTION(call)
    signal = create(client)
    client.ok("hsa_amd_async_function", address(function), signal)
    assert 1 == wait(client, signal, 1)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            client.functions["hsa_signal_store_relaxed"](signal, 0)
            client.ok("hsa_amd_async_function", address(function), signal)
            status = 0 if wait(client, signal, 1) == 1 else 2
            client.ok("hsa_shut_down")
        finally:
            os._exit(status)
    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
