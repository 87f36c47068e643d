"""Blocks of one process in another."""

from __future__ import annotations

import ctypes
import os
import struct

import pytest

from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client
from tests.library.reference.reference_processes import elsewhere, exit_status

OUT = Client.OUT
NAME = 32
INVALID = "HSA_STATUS_ERROR_INVALID_ARGUMENT"


def shared(client: Client, size: int = PAGE, pool: int | None = None) -> tuple[int, bytes]:
    """Return a block that the host reaches, and its name."""
    block = client.ok("hsa_amd_memory_pool_allocate", pool or client.pool, size, 0, OUT)
    everyone = (ctypes.c_uint64 * 1)(client.cpu)
    client.ok("hsa_amd_agents_allow_access", 1, ctypes.addressof(everyone), 0, block)
    name = ctypes.create_string_buffer(NAME)
    client.ok("hsa_amd_ipc_memory_create", block, size, ctypes.addressof(name))
    return block, name.raw


def attach(client: Client, name: bytes, size: int = PAGE) -> int:
    place = ctypes.create_string_buffer(name, NAME)
    return client.ok("hsa_amd_ipc_memory_attach", ctypes.addressof(place), size, 0, 0, OUT)


def try_to_attach(client: Client, name: bytes, size: int = PAGE) -> str:
    place = ctypes.create_string_buffer(name, NAME)
    return client.call("hsa_amd_ipc_memory_attach", ctypes.addressof(place), size, 0, 0, OUT)


def test_two_processes_see_the_same_bytes(client: Client) -> None:
    block, name = shared(client)
    ctypes.memmove(block, b"from here", 9)

    def answer(other: Client) -> None:
        own = attach(other, name)
        assert b"from here" == ctypes.string_at(own, 9)
        ctypes.memmove(own + 100, b"from there", 10)

    assert 0 == exit_status(elsewhere(answer))
    assert b"from there" == ctypes.string_at(block + 100, 10)


def test_an_attached_block_outlives_the_process_that_made_it(client: Client) -> None:
    read, write = os.pipe()
    ready, go = os.pipe()

    def make(other: Client) -> None:
        block, name = shared(other)
        ctypes.memmove(block, b"kept", 4)
        os.write(write, name)
        os.read(ready, 1)

    child = elsewhere(make)
    name = os.read(read, NAME)
    attached = attach(client, name)
    os.write(go, b"1")
    assert 0 == exit_status(child)
    assert b"kept" == ctypes.string_at(attached, 4)
    assert try_to_attach(client, name) == INVALID  # of a dead process
    for descriptor in (read, write, ready, go):
        os.close(descriptor)


def test_each_attach_wants_a_detach(client: Client) -> None:
    block, name = shared(client)
    first, second = attach(client, name), attach(client, name)
    client.ok("hsa_amd_ipc_memory_detach", first)
    ctypes.memmove(block, b"still", 5)
    assert b"still" == ctypes.string_at(second, 5)
    assert client.call("hsa_amd_ipc_memory_detach", first) == INVALID
    client.ok("hsa_amd_ipc_memory_detach", second)
    assert client.call("hsa_amd_ipc_memory_detach", second) == INVALID


def test_no_part_of_an_attached_block_is_detached(client: Client) -> None:
    attached = attach(client, shared(client, 2 * PAGE)[1], 2 * PAGE)
    assert client.call("hsa_amd_ipc_memory_detach", attached + PAGE) == INVALID
    client.ok("hsa_amd_ipc_memory_detach", attached)


def test_the_name_of_a_block_that_was_given_back_is_refused(client: Client) -> None:
    block, name = shared(client)
    client.ok("hsa_amd_memory_pool_free", block)
    shared(client)  # which may have the same descriptor
    assert try_to_attach(client, name) == INVALID


@pytest.mark.parametrize("size", [0, 1, PAGE - 1, PAGE + 1, 2**64 - 1])
def test_the_length_has_to_be_that_of_the_block(client: Client, size: int) -> None:
    assert try_to_attach(client, shared(client)[1], size) == INVALID


def test_a_block_is_as_long_as_was_asked_for(client: Client) -> None:
    _, name = shared(client, 100)
    attached = attach(client, name, 100)
    assert try_to_attach(client, name) == INVALID
    client.ok("hsa_amd_ipc_memory_detach", attached)


def test_no_altered_name_is_accepted(client: Client) -> None:
    """Each of a name's bytes matters, and so do names of other processes and other files."""
    _, name = shared(client)
    altered = [name[:i] + bytes([name[i] ^ 0xFF]) + name[i + 1 :] for i in range(NAME)]
    magic, _, descriptor, file, size = struct.unpack("<8sIIQQ", name)
    file_of_others = os.open("/dev/null", os.O_RDONLY)
    others = [
        struct.pack("<8sIIQQ", magic, 1, descriptor, file, size),
        struct.pack("<8sIIQQ", magic, os.getpid(), file_of_others, file, size),
        b"\xff" * NAME,
    ]
    assert {INVALID} == {try_to_attach(client, each) for each in altered + others}
    os.close(file_of_others)


def test_only_the_named_agents_reach_an_attached_block(client: Client) -> None:
    gpu = next(a for a in client.agents() if a != client.cpu)
    local = client.pools(gpu)[0]
    block = client.ok("hsa_amd_memory_pool_allocate", local, PAGE, 0, OUT)
    name = ctypes.create_string_buffer(NAME)
    client.ok("hsa_amd_ipc_memory_create", block, PAGE, ctypes.addressof(name))
    one = (ctypes.c_uint64 * 1)(gpu)
    arguments = (ctypes.addressof(name), PAGE, 1, ctypes.addressof(one), OUT)
    attached = client.ok("hsa_amd_ipc_memory_attach", *arguments)
    assert [gpu] == client.accessible(attached)


def test_attached_blocks_leave_nothing(client: Client) -> None:
    before = os.listdir("/proc/self/fd")  # noqa: PTH208
    block, name = shared(client)
    attached = [attach(client, name) for _ in range(3)]
    client.ok("hsa_amd_memory_pool_free", block)
    for each in attached:
        client.ok("hsa_amd_ipc_memory_detach", each)
    assert before == os.listdir("/proc/self/fd")  # noqa: PTH208


def test_a_block_that_moves_to_another_pool_stays_shared(client: Client) -> None:
    block, name = shared(client)
    attached = attach(client, name)
    client.ok("hsa_amd_memory_migrate", block, client.pools(client.cpu)[0], 0)
    ctypes.memmove(block, b"after", 5)
    assert b"after" == ctypes.string_at(attached, 5)
