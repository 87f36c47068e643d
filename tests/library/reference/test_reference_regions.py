"""Blocks of regions: who can access them, and what the heaps count."""

from __future__ import annotations

import ctypes

import pytest

from hsa_reference import memory
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client, readable, writable
from tests.library.reference.reference_processes import elsewhere, exit_status, no_more_descriptors

OUT = Client.OUT
RW = "HSA_ACCESS_PERMISSION_RW"


def regions(client: Client, agent: int) -> list[int]:
    return client.visit("hsa_agent_iterate_regions", agent)


def flags(client: Client, region: int) -> int:
    return client.ok("hsa_region_get_info", region, "HSA_REGION_INFO_GLOBAL_FLAGS", OUT)


def coarse_block(client: Client) -> int:
    """Return a coarse-grained block of the host."""
    bit = client.constants["HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED"]
    region = next(r for r in regions(client, client.cpu) if flags(client, r) & bit)
    return client.ok("hsa_memory_allocate", region, PAGE, OUT)


def test_the_host_faults_in_memory_that_a_gpu_owns(client: Client) -> None:
    block = coarse_block(client)
    assert writable(block)
    client.ok("hsa_memory_assign_agent", block, client.gpu, RW)
    assert (False, False) == (readable(block), writable(block))
    client.ok("hsa_memory_assign_agent", block, client.cpu, "HSA_ACCESS_PERMISSION_RO")
    assert (True, False) == (readable(block), writable(block))


def test_the_owner_is_the_agent_with_access(client: Client) -> None:
    block = coarse_block(client)
    client.ok("hsa_memory_assign_agent", block, client.gpu, RW)
    assert [client.gpu] == client.accessible(block)


def test_a_block_stays_with_its_owner_where_the_system_refuses(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError

    block = coarse_block(client)
    with monkeypatch.context() as patch:
        patch.setattr(memory, "protect", refuse)
        answer = client.call("hsa_memory_assign_agent", block, client.gpu, RW)
    assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == answer
    assert [client.cpu] == client.accessible(block)


def test_what_a_region_gives_out_is_missing_from_its_pool(client: Client) -> None:
    before = client.available(client.cpu)
    block = coarse_block(client)
    assert before - PAGE == client.available(client.cpu)
    client.ok("hsa_memory_free", block)
    assert before == client.available(client.cpu)


def test_a_copy_crosses_the_ends_of_mappings(client: Client) -> None:
    """Two handles, mapped side by side where the host has no access, are one range for a copy."""
    content = bytes(range(256)) * (2 * PAGE // 256)
    start = client.reserve(2 * PAGE)
    for page in range(2):
        client.ok("hsa_amd_vmem_map", start + page * PAGE, PAGE, 0, client.create(), 0)
    source, target = ctypes.create_string_buffer(content), ctypes.create_string_buffer(2 * PAGE)
    client.ok("hsa_memory_copy", start, ctypes.addressof(source), 2 * PAGE)
    client.ok("hsa_memory_copy", ctypes.addressof(target), start, 2 * PAGE)
    assert content == target.raw[: 2 * PAGE]
    assert not readable(start)


def test_a_block_that_finds_no_descriptor_takes_nothing() -> None:
    def work(client: Client) -> None:
        before = client.available(client.cpu)
        fine = regions(client, client.cpu)[0]
        no_more_descriptors()
        answer = client.call("hsa_memory_allocate", fine, PAGE, OUT)
        assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" == answer
        assert before == client.available(client.cpu)

    assert 0 == exit_status(elsewhere(work))
