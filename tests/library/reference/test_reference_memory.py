"""Memory is real: what the reference says of an address is what the process finds there."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

from hsa_reference import memory
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client, readable, writable


def test_a_reserved_range_can_neither_be_read_nor_written() -> None:
    address = memory.reserve(2 * PAGE)
    assert (False, False) == (readable(address), writable(address + PAGE))
    memory.unmap(address, 2 * PAGE)


@pytest.mark.parametrize("alignment", [PAGE, 1 << 16, 1 << 21, 1 << 30])
def test_a_reserved_range_starts_at_a_multiple_of_its_alignment(alignment: int) -> None:
    address = memory.reserve(3 * PAGE, alignment=alignment)
    assert 0 == address % alignment
    memory.unmap(address, 3 * PAGE)


def test_an_aligned_range_leaves_nothing_beside_it_behind() -> None:
    before = count_mappings()
    address = memory.reserve(PAGE, alignment=1 << 24)
    memory.unmap(address, PAGE)
    assert before == count_mappings()


def test_a_free_address_is_taken_and_a_used_one_is_not() -> None:
    first = memory.reserve(PAGE)
    elsewhere = memory.reserve(PAGE, hint=first)
    assert first != elsewhere
    memory.unmap(first, PAGE)
    again = memory.reserve(PAGE, hint=first)
    assert first == again
    memory.unmap(again, PAGE)
    memory.unmap(elsewhere, PAGE)


@pytest.mark.parametrize("size", [1 << 62, 1 << 63, 2**64 - PAGE])
def test_a_range_that_no_address_space_holds_is_refused(size: int) -> None:
    with pytest.raises(OSError, match="Cannot allocate memory"):
        memory.reserve(size)


@pytest.mark.parametrize(
    ("permission", "expected"), [(0, (False, False)), (1, (True, False)), (3, (True, True))]
)
def test_a_permission_decides_what_faults(permission: int, expected: tuple[bool, bool]) -> None:
    address = memory.reserve(PAGE)
    memory.protect(address, PAGE, permission)
    assert expected == (readable(address), writable(address))
    memory.unmap(address, PAGE)


def test_shared_memory_shows_the_same_bytes_wherever_it_is_attached() -> None:
    descriptor, _ = memory.create(PAGE, 0, 0)
    one, two = memory.reserve(PAGE), memory.reserve(PAGE)
    for address in one, two:
        memory.attach(address, PAGE, descriptor)
        memory.protect(address, PAGE, 3)
    ctypes.memmove(one, b"seen", 4)
    assert b"seen" == ctypes.string_at(two, 4)
    memory.unmap(one, PAGE)
    memory.unmap(two, PAGE)
    os.close(descriptor)


def test_attached_memory_is_accessible_to_nobody_at_first() -> None:
    descriptor, _ = memory.create(PAGE, 0, 0)
    address = memory.reserve(PAGE)
    memory.attach(address, PAGE, descriptor)
    assert (False, False) == (readable(address), writable(address))
    memory.unmap(address, PAGE)
    os.close(descriptor)


def test_a_descriptor_tells_what_it_was_made_with() -> None:
    descriptor, made = memory.create(5 * PAGE, 3, 1)
    assert made == memory.describe(descriptor)
    assert (5 * PAGE, 3, 1) == (made.size, made.pool, made.type)
    os.close(descriptor)


def test_descriptors_are_closed_when_the_process_starts_another_program() -> None:
    descriptor, _ = memory.create(PAGE, 0, 0)
    assert not os.get_inheritable(descriptor)
    os.close(descriptor)


def test_other_files_are_no_shared_memory_of_ours() -> None:
    other = os.memfd_create("hsa-reference")
    assert memory.describe(other) is None
    os.close(other)


@pytest.mark.parametrize("descriptor", [-1, 1 << 20, 1 << 40])
def test_numbers_that_are_no_open_descriptor_are_told_apart(descriptor: int) -> None:
    assert (False, None) == (memory.is_open(descriptor), memory.describe(descriptor))


def test_a_block_that_cannot_be_made_accessible_leaves_nothing_behind(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError

    before = client.available(client.gpu), count_mappings()
    monkeypatch.setattr(memory, "protect", refuse)
    answer = client.call("hsa_amd_memory_pool_allocate", client.pool, 64 * PAGE, 0, client.OUT)
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == answer
    assert before == (client.available(client.gpu), count_mappings())


def count_mappings() -> int:
    return len(Path("/proc/self/maps").read_text().splitlines())


def test_descriptors_that_the_runtime_needs_are_not_closed(client: Client) -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    block = client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, Client.OUT)
    handle = client.create()
    own = sorted(map(int, set(os.listdir("/proc/self/fd")) - before))  # noqa: PTH208
    assert own
    for descriptor in own:
        answer = client.call("hsa_amd_portable_close_dmabuf", descriptor)
        assert "HSA_STATUS_ERROR_RESOURCE_FREE" == answer
    file, at = ctypes.c_uint32(), ctypes.c_uint64()
    outputs = ctypes.addressof(file), ctypes.addressof(at)
    client.ok("hsa_amd_portable_export_dmabuf", block, PAGE, *outputs)
    client.ok("hsa_amd_portable_close_dmabuf", file.value)
    client.ok("hsa_amd_vmem_handle_release", handle)
    client.ok("hsa_amd_memory_pool_free", block)
