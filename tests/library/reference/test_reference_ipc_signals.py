"""Signals of one process in another."""

from __future__ import annotations

import ctypes
import os

from hsa_reference.core.signals.state import Signals
from tests.library.reference.reference_client import Client, readable
from tests.library.reference.reference_processes import elsewhere, exit_status

OUT = Client.OUT
NAME = 32
FOREVER = 2**64 - 1


def shared(client: Client, value: int = 0) -> tuple[int, bytes]:
    """Return a signal and its name."""
    signal = client.ok("hsa_amd_signal_create", value, 0, 0, "HSA_AMD_SIGNAL_IPC", OUT)
    name = ctypes.create_string_buffer(NAME)
    client.ok("hsa_amd_ipc_signal_create", signal, ctypes.addressof(name))
    return signal, name.raw


def attach(client: Client, name: bytes) -> int:
    place = ctypes.create_string_buffer(name, NAME)
    return client.ok("hsa_amd_ipc_signal_attach", ctypes.addressof(place), OUT)


def wait(client: Client, signal: int, value: int) -> int:
    call = client.functions["hsa_signal_wait_scacquire"]
    return call(signal, client.constants["HSA_SIGNAL_CONDITION_EQ"], value, FOREVER, 0)


def test_processes_wake_each_other(client: Client) -> None:
    (there, first), (back, second) = shared(client), shared(client)

    def answer(other: Client) -> None:
        ping, pong = attach(other, first), attach(other, second)
        for turn in range(1, 100):
            wait(other, ping, turn)
            other.functions["hsa_signal_add_scacq_screl"](pong, 1)

    child = elsewhere(answer)
    for turn in range(1, 100):
        client.functions["hsa_signal_store_screlease"](there, turn)
        assert turn == wait(client, back, turn)
    assert 0 == exit_status(child)


def test_operations_of_several_processes_are_all_counted(client: Client) -> None:
    signal, name = shared(client)

    def add(other: Client) -> None:
        own = attach(other, name)
        for _ in range(5000):
            other.functions["hsa_signal_add_relaxed"](own, 1)

    children = [elsewhere(add) for _ in range(3)]
    assert [0, 0, 0] == [exit_status(child) for child in children]
    assert 15_000 == client.functions["hsa_signal_load_relaxed"](signal)


def test_an_attached_signal_outlives_the_process_that_made_it(client: Client) -> None:
    read, write = os.pipe()
    ready, go = os.pipe()

    def make(other: Client) -> None:
        os.write(write, shared(other, 77)[1])
        os.read(ready, 1)

    child = elsewhere(make)
    attached = attach(client, os.read(read, NAME))
    os.write(go, b"1")
    assert 0 == exit_status(child)
    assert 77 == client.functions["hsa_signal_load_scacquire"](attached)
    for descriptor in (read, write, ready, go):
        os.close(descriptor)


def test_the_name_of_a_destroyed_signal_is_refused(client: Client) -> None:
    signal, name = shared(client)
    client.ok("hsa_signal_destroy", signal)
    shared(client)  # which may have the same descriptor

    place = ctypes.create_string_buffer(name, NAME)
    attaching = ("hsa_amd_ipc_signal_attach", ctypes.addressof(place), OUT)
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == client.call(*attaching)


def test_shared_signals_leave_no_descriptor(client: Client) -> None:
    before = os.listdir("/proc/self/fd")  # noqa: PTH208
    signal, name = shared(client)
    attached = attach(client, name)
    for each in (signal, attached):
        client.ok("hsa_signal_destroy", each)
    assert before == os.listdir("/proc/self/fd")  # noqa: PTH208


def test_a_group_passes_over_signals_whose_memory_is_gone(client: Client) -> None:
    (gone, _), left = shared(client), client.ok("hsa_signal_create", 1, 0, 0, OUT)
    consumer, signals = (ctypes.c_uint64 * 1)(client.cpu), (ctypes.c_uint64 * 2)(gone, left)
    lists = (2, ctypes.addressof(signals), 1, ctypes.addressof(consumer))
    group = client.ok("hsa_signal_group_create", *lists, OUT)
    client.ok("hsa_signal_destroy", gone)
    conditions, values = (ctypes.c_uint32 * 2)(), (ctypes.c_uint64 * 2)(0, 1)
    what = (ctypes.addressof(conditions), ctypes.addressof(values), 0)
    assert left == client.ok("hsa_signal_group_wait_any_scacquire", group, *what, OUT, OUT)


def test_what_another_process_waited_for_is_unmapped_in_the_end(client: Client) -> None:
    signal, _ = shared(client)
    signals = client.runtime.state.part(Signals)
    signals.hold([signal])  # as a thread of another process does that waits
    client.ok("hsa_signal_destroy", signal)
    assert readable(signal)

    signals.let_go([signal])
    client.ok("hsa_signal_destroy", shared(client)[0])
    assert not readable(signal)
