"""Threads and processes: the state stays right whoever calls."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import socket
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from hsa_reference.amd.pools.state import Pools
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client
from tests.library.reference.reference_invariants import check

OUT = Client.OUT


def test_many_threads_reserve_map_and_free_without_disturbing_each_other(client: Client) -> None:
    before = client.available(client.gpu)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        choose = random.Random(seed)
        try:
            for turn in range(40):
                mapped = client.map()
                client.allow(mapped, client.cpu, "HSA_ACCESS_PERMISSION_RW")
                value = seed << 32 | turn
                ctypes.c_uint64.from_address(mapped.address).value = value
                if choose.random() < 0.5:
                    descriptor = ctypes.c_int(-1)
                    export = (ctypes.addressof(descriptor), mapped.handle, 0)
                    client.ok("hsa_amd_vmem_export_shareable_handle", *export)
                    imported = client.ok(
                        "hsa_amd_vmem_import_shareable_handle", descriptor.value, OUT
                    )
                    os.close(descriptor.value)
                    assert mapped.handle == imported
                    client.ok("hsa_amd_vmem_handle_release", imported)
                assert value == ctypes.c_uint64.from_address(mapped.address).value
                client.discard(mapped)
        except BaseException as failure:
            failures.append(failure)

    run([partial(work, seed) for seed in range(8)])
    assert [] == failures
    check(client.runtime.state)
    assert before == client.available(client.gpu)


def test_references_taken_by_many_threads_are_all_counted(client: Client) -> None:
    run([lambda: [client.ok("hsa_init") for _ in range(100)] for _ in range(8)])
    assert 801 == client.runtime.state.references


def run(work: list[Callable[[], object]]) -> None:
    threads = [threading.Thread(target=each) for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_callback_may_wait_for_a_thread_that_calls(client: Client) -> None:
    """The lock is not held while the application runs."""
    waiting: list[bool] = []
    room = (ctypes.c_uint64 * 8)()

    def allocate(size: int) -> int:
        thread = threading.Thread(target=client.reserve)
        thread.start()
        thread.join(10)
        waiting.append(thread.is_alive())
        return ctypes.addressof(room)

    callback = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_size_t)(allocate)
    block = client.ok("hsa_amd_memory_pool_allocate", client.pool, 1, 0, OUT)
    info = (ctypes.c_uint32 * 16)(64)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    client.ok("hsa_amd_pointer_info", block, ctypes.addressof(info), address, OUT, OUT)
    assert client.gpu == room[0]
    assert [False] == waiting


def start_child(work: Callable[[], None]) -> int:
    """Run work in a forked process."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


def end_of(child: int) -> int:
    """Return the exit status of a forked process."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_child_forked_before_initialisation_has_a_runtime_of_its_own() -> None:
    client = Client("two_gpus")

    def work() -> None:
        client.ok("hsa_init")
        mapped = client.map()
        client.allow(mapped, client.cpu, "HSA_ACCESS_PERMISSION_RW")
        ctypes.memset(mapped.address, 7, PAGE)
        client.discard(mapped)
        client.ok("hsa_shut_down")

    assert 0 == end_of(start_child(work))
    assert "HSA_STATUS_ERROR_NOT_INITIALIZED" == client.call("hsa_shut_down")


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_while_another_thread_calls_leaves_a_child_that_works(client: Client) -> None:
    stop = threading.Event()

    def call() -> None:
        while not stop.is_set():
            client.ok("hsa_amd_vmem_address_free", client.reserve(), PAGE)

    thread = threading.Thread(target=call)
    thread.start()
    try:
        statuses = [end_of(start_child(lambda: client.discard(client.map()))) for _ in range(10)]
    finally:
        stop.set()
        thread.join()
    assert [0] * 10 == statuses


@pytest.mark.parametrize("permission", ["HSA_ACCESS_PERMISSION_RW", "HSA_ACCESS_PERMISSION_WO"])
def test_two_processes_share_memory_through_a_socket(permission: str) -> None:
    """One exports and sends the descriptor, the other imports it; both see what either writes."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with ours, theirs:

        def work() -> None:
            client = Client("two_gpus")
            client.ok("hsa_init")
            _, descriptors, _, _ = socket.recv_fds(theirs, 1, 1)
            imported = client.ok("hsa_amd_vmem_import_shareable_handle", descriptors[0], OUT)
            mapped = client.map(imported)
            os.close(descriptors[0])
            client.allow(mapped, client.cpu, permission)
            if permission == "HSA_ACCESS_PERMISSION_RW":
                assert b"ping" == ctypes.string_at(mapped.address, 4)
            ctypes.memmove(mapped.address, b"pong", 4)
            client.discard(mapped)

        child = start_child(work)
        client = Client("two_gpus")
        client.ok("hsa_init")
        mapped = client.map()
        client.allow(mapped, client.cpu, "HSA_ACCESS_PERMISSION_RW")
        ctypes.memmove(mapped.address, b"ping", 4)
        export = "hsa_amd_vmem_export_shareable_handle"
        descriptor = client.ok(export, OUT, mapped.handle, 0)
        socket.send_fds(ours, [b"!"], [descriptor])
        os.close(descriptor)
        assert 0 == end_of(child)
        assert b"pong" == ctypes.string_at(mapped.address, 4)
        client.finish()


def test_hsa_init_waits_for_the_end_that_another_thread_has_begun(client: Client) -> None:
    """What is made after it lives, though the end takes everything that was there before."""
    begun, go, made = threading.Event(), threading.Event(), list[int]()

    def end() -> None:
        begun.set()
        go.wait()

    def start() -> None:
        client.ok("hsa_init")
        made.append(client.ok("hsa_signal_create", 7, 0, 0, Client.OUT))

    client.runtime.state.before_end.append(end)
    ending = threading.Thread(target=client.ok, args=("hsa_shut_down",))
    starting = threading.Thread(target=start)
    ending.start()
    begun.wait()
    starting.start()
    time.sleep(0.05)
    assert [] == made
    go.set()
    for thread in (ending, starting):
        thread.join()
    client.runtime.state.before_end.remove(end)
    assert 7 == client.functions["hsa_signal_load_relaxed"](made[0])


def test_a_child_that_is_forked_while_a_runtime_ends_can_start_one(client: Client) -> None:
    begun, go = threading.Event(), threading.Event()

    def end() -> None:
        begun.set()
        go.wait()

    client.runtime.state.before_end.append(end)
    ending = threading.Thread(target=client.ok, args=("hsa_shut_down",))
    ending.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        os._exit(client.call("hsa_init") != "HSA_STATUS_SUCCESS")
    go.set()
    ending.join()
    client.runtime.state.before_end.remove(end)
    assert 0 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_hsa_init_waits_for_no_end_that_failed(client: Client) -> None:
    """The application has closed a descriptor that the runtime wants to close."""
    client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)
    (block,) = client.runtime.state.part(Pools).allocations
    os.close(block.descriptor)
    with pytest.raises(OSError, match="Bad file descriptor"):
        client.call("hsa_shut_down")
    starting = threading.Thread(target=client.ok, args=("hsa_init",), daemon=True)
    starting.start()
    starting.join(10)
    assert not starting.is_alive()
    client.runtime.state.part(Pools).allocations.clear()
