"""Virtual memory: what the calls say is what the process, and the books, show."""

from __future__ import annotations

import ctypes
import os
import resource
from pathlib import Path

import pytest

from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client, MappedReservation, readable, writable
from tests.library.reference.reference_processes import elsewhere, exit_status, no_more_descriptors

OUT = Client.OUT
INVALID_ALLOCATION = "HSA_STATUS_ERROR_INVALID_ALLOCATION"
OUT_OF_RESOURCES = "HSA_STATUS_ERROR_OUT_OF_RESOURCES"


@pytest.mark.parametrize(
    ("permission", "expected"),
    [
        ("HSA_ACCESS_PERMISSION_RW", (True, True)),
        ("HSA_ACCESS_PERMISSION_RO", (True, False)),
        ("HSA_ACCESS_PERMISSION_NONE", (False, False)),
    ],
)
def test_the_host_faults_where_it_has_no_permission(
    client: Client, permission: str, expected: tuple[bool, bool]
) -> None:
    mapped = client.map()
    assert (False, False) == (readable(mapped.address), writable(mapped.address))
    client.allow(mapped, client.cpu, permission)
    assert expected == (readable(mapped.address), writable(mapped.address))
    client.ok("hsa_amd_vmem_unmap", mapped.address, PAGE)
    assert (False, False) == (readable(mapped.address), writable(mapped.address))


def test_a_gpu_s_permission_is_no_permission_of_the_host(client: Client) -> None:
    mapped = client.map()
    client.allow(mapped, client.gpu, "HSA_ACCESS_PERMISSION_RW")
    assert not readable(mapped.address)
    assert 3 == client.ok("hsa_amd_vmem_get_access", mapped.address, OUT, client.gpu)


def test_permissions_were_never_set_after_a_new_mapping(client: Client) -> None:
    mapped = client.map()
    client.allow(mapped, client.gpu, "HSA_ACCESS_PERMISSION_RW")
    client.ok("hsa_amd_vmem_unmap", mapped.address, PAGE)
    client.ok("hsa_amd_vmem_map", mapped.address, PAGE, 0, mapped.handle, 0)
    answer = client.call("hsa_amd_vmem_get_access", mapped.address, OUT, client.gpu)
    assert INVALID_ALLOCATION == answer


def test_an_agent_that_never_reaches_the_pool_gets_no_permission(client: Client) -> None:
    far = client.pools(client.agents()[2])[0]
    handle = client.ok("hsa_amd_vmem_handle_create", far, PAGE, 0, 0, OUT)
    mapped = client.map(handle)
    descriptor = (ctypes.c_uint64 * 2)(3, client.cpu)
    arguments = (mapped.address, PAGE, ctypes.addressof(descriptor), 1)
    assert "HSA_STATUS_ERROR_INVALID_AGENT" == client.call("hsa_amd_vmem_set_access", *arguments)
    assert not readable(mapped.address)


def test_a_row_of_mappings_gets_its_permissions_one_by_one(client: Client) -> None:
    """They are not set for all of them in one call; all of them can be unmapped in one."""
    start = client.reserve(2 * PAGE)
    for address in (start, start + PAGE):
        client.ok("hsa_amd_vmem_map", address, PAGE, 0, client.create(), 0)
    descriptor = (ctypes.c_uint64 * 2)(3, client.cpu)
    both = (start, 2 * PAGE, ctypes.addressof(descriptor), 1)
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == client.call("hsa_amd_vmem_set_access", *both)
    for address in (start, start + PAGE):
        client.allow(MappedReservation(address, 0, PAGE), client.cpu, "HSA_ACCESS_PERMISSION_RW")
        assert writable(address)
    client.ok("hsa_amd_vmem_unmap", start, 2 * PAGE)
    client.ok("hsa_amd_vmem_address_free", start, 2 * PAGE)


def test_memory_lives_until_it_is_neither_held_nor_mapped(client: Client) -> None:
    before, descriptors = client.available(client.gpu), open_descriptors()
    mapped = client.map()
    client.ok("hsa_amd_vmem_handle_release", mapped.handle)
    assert before - PAGE == client.available(client.gpu)
    answer = client.call("hsa_amd_vmem_handle_release", mapped.handle)
    assert INVALID_ALLOCATION == answer
    assert mapped.handle == client.ok("hsa_amd_vmem_retain_alloc_handle", OUT, mapped.address)
    client.discard(mapped)
    assert (before, descriptors) == (client.available(client.gpu), open_descriptors())


def test_a_released_handle_s_value_is_not_used_again(client: Client) -> None:
    first = client.create()
    client.ok("hsa_amd_vmem_handle_release", first)
    assert first != client.create()


def test_a_pool_that_is_full_answers_and_takes_nothing(client: Client) -> None:
    available = client.available(client.gpu)
    whole = client.create(available)
    arguments = (client.pool, PAGE, 0, 0, OUT)
    assert OUT_OF_RESOURCES == client.call("hsa_amd_vmem_handle_create", *arguments)
    assert OUT_OF_RESOURCES == client.call("hsa_amd_memory_pool_allocate", *arguments[:3], OUT)
    assert 0 == client.available(client.gpu)
    client.ok("hsa_amd_vmem_handle_release", whole)
    assert available == client.available(client.gpu)


@pytest.mark.parametrize("changes", [{"in_offset": PAGE}, {"flags": 1}, {"va": 1}])
def test_what_map_has_no_meaning_for_is_refused(client: Client, changes: dict[str, int]) -> None:
    start, handle = client.reserve(2 * PAGE), client.create()
    arguments = (start + changes.get("va", 0), PAGE, changes.get("in_offset", 0), handle)
    answer = client.call("hsa_amd_vmem_map", *arguments, changes.get("flags", 0))
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == answer
    client.ok("hsa_amd_vmem_address_free", start, 2 * PAGE)


def test_an_import_in_the_same_runtime_is_the_handle_itself(client: Client) -> None:
    handle = client.create()
    descriptor = client.ok("hsa_amd_vmem_export_shareable_handle", OUT, handle, 0)
    assert handle == client.ok("hsa_amd_vmem_import_shareable_handle", descriptor, OUT)
    os.close(descriptor)
    client.ok("hsa_amd_vmem_handle_release", handle)
    client.ok("hsa_amd_vmem_handle_release", handle)
    assert INVALID_ALLOCATION == client.call("hsa_amd_vmem_handle_release", handle)


def test_an_export_outlives_the_handle(client: Client) -> None:
    mapped = client.map()
    client.allow(mapped, client.cpu, "HSA_ACCESS_PERMISSION_RW")
    ctypes.memmove(mapped.address, b"kept", 4)
    descriptor = client.ok("hsa_amd_vmem_export_shareable_handle", OUT, mapped.handle, 0)
    client.discard(mapped)
    again = client.map(client.ok("hsa_amd_vmem_import_shareable_handle", descriptor, OUT))
    os.close(descriptor)
    client.allow(again, client.cpu, "HSA_ACCESS_PERMISSION_RO")
    assert b"kept" == ctypes.string_at(again.address, 4)


def test_another_runtime_learns_pool_and_type_from_the_descriptor(client: Client) -> None:
    other = Client("two_gpus")
    other.ok("hsa_init")
    before = other.available(other.gpu)
    descriptor = client.ok("hsa_amd_vmem_export_shareable_handle", OUT, client.create(), 0)
    handle = other.ok("hsa_amd_vmem_import_shareable_handle", descriptor, OUT)
    os.close(descriptor)
    kind = ctypes.c_uint32(99)
    properties = "hsa_amd_vmem_get_alloc_properties_from_handle"
    assert other.pool == other.ok(properties, handle, OUT, ctypes.addressof(kind))
    assert other.constants["MEMORY_TYPE_PINNED"] == kind.value
    assert before == other.available(other.gpu)  # the process that created it counts it
    other.ok("hsa_amd_vmem_handle_release", handle)
    assert before == other.available(other.gpu)
    other.finish()


def test_memory_of_a_larger_machine_cannot_be_imported(client: Client) -> None:
    small = Client("cpu")
    small.ok("hsa_init")
    descriptor = client.ok("hsa_amd_vmem_export_shareable_handle", OUT, client.create(), 0)
    answer = small.call("hsa_amd_vmem_import_shareable_handle", descriptor, OUT)
    assert INVALID_ALLOCATION == answer
    os.close(descriptor)
    small.finish()


def test_without_descriptors_calls_answer_and_change_nothing() -> None:
    def work(client: Client) -> None:
        handle, pool = client.create(), client.pool
        available = client.available(client.gpu)
        no_more_descriptors()
        create = client.call("hsa_amd_vmem_handle_create", pool, PAGE, 0, 0, OUT)
        export = client.call("hsa_amd_vmem_export_shareable_handle", OUT, handle, 0)
        assert (OUT_OF_RESOURCES, OUT_OF_RESOURCES) == (create, export)
        assert available == client.available(client.gpu)

    assert 0 == exit_status(elsewhere(work))


def test_a_process_gets_the_descriptors_that_its_blocks_need() -> None:
    def work(client: Client) -> None:
        few = len(open_descriptors()) + 10
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
        for _ in range(50):
            client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)
        assert hard == resource.getrlimit(resource.RLIMIT_NOFILE)[0]

    assert 0 == exit_status(elsewhere(work))


@pytest.mark.parametrize("last", ["shutdown", "forgotten"])
def test_a_runtime_that_ends_leaves_nothing_behind(last: str) -> None:
    descriptors = open_descriptors()
    client = Client("two_gpus")
    client.ok("hsa_init")
    mapped = client.map()
    block = client.ok("hsa_amd_memory_pool_allocate", client.pools(client.cpu)[0], 1, 0, OUT)
    assert readable(block)
    client.allow(mapped, client.cpu, "HSA_ACCESS_PERMISSION_RW")
    if last == "shutdown":
        client.ok("hsa_shut_down")
    else:
        del client
    assert (False, False) == (readable(block), readable(mapped.address))
    assert descriptors == open_descriptors()


def open_descriptors() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir()}
