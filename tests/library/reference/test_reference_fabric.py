"""Virtual memory that processes share by names of a fabric."""

from __future__ import annotations

import ctypes

from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client, MappedReservation
from tests.library.reference.reference_processes import elsewhere, exit_status

OUT = Client.OUT
NAME = 16


def named(client: Client, handle: int) -> bytes:
    name = ctypes.create_string_buffer(NAME)
    client.ok("hsa_amd_vmem_export_fabric_handle", ctypes.addressof(name), handle, 0)
    return name.raw


def imported(client: Client, name: bytes) -> MappedReservation:
    place = ctypes.create_string_buffer(name, NAME)
    handle = client.ok("hsa_amd_vmem_import_fabric_handle", ctypes.addressof(place), OUT)
    return visible(client, handle)


def visible(client: Client, handle: int) -> MappedReservation:
    mapped = client.map(handle)
    client.allow(mapped, client.cpu, "HSA_ACCESS_PERMISSION_RW")
    return mapped


def test_another_process_maps_the_memory_of_a_name(client: Client) -> None:
    mapped = visible(client, client.create())
    name = named(client, mapped.handle)

    def write(other: Client) -> None:
        ctypes.memmove(imported(other, name).address, b"from there", 10)

    assert 0 == exit_status(elsewhere(write))
    assert b"from there" == ctypes.string_at(mapped.address, 10)
    client.discard(mapped)


def test_an_import_of_the_same_process_gives_the_handle_again(client: Client) -> None:
    handle = client.create()
    place = ctypes.create_string_buffer(named(client, handle), NAME)
    again = client.ok("hsa_amd_vmem_import_fabric_handle", ctypes.addressof(place), OUT)
    assert handle == again
    for _ in range(2):
        client.ok("hsa_amd_vmem_handle_release", handle)


def test_names_of_released_memory_and_altered_names_are_refused(client: Client) -> None:
    handle = client.create()
    name = named(client, handle)
    altered = [name[:i] + bytes([name[i] ^ 0xFF]) + name[i + 1 :] for i in range(NAME)]
    client.ok("hsa_amd_vmem_handle_release", handle)
    other = client.create(PAGE)  # which may have the same descriptor
    # One of them may be its name by chance.
    for each in {name, *altered} - {named(client, other)}:
        place = ctypes.create_string_buffer(each, NAME)
        answer = client.call("hsa_amd_vmem_import_fabric_handle", ctypes.addressof(place), OUT)
        assert "HSA_STATUS_ERROR_INVALID_ALLOCATION" == answer
