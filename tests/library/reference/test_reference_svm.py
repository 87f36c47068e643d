"""Shared virtual memory, as far as other calls and other machines show it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest

from hsa_reference import memory
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client

OUT = Client.OUT
FOREVER = 2**64 - 1
GAP = 1 << 30


@pytest.fixture
def retrying() -> Iterator[Client]:
    """A client of a machine whose GPUs retry faults."""
    client = Client("gfx942-4")
    client.ok("hsa_init")
    yield client
    client.finish()


@pytest.fixture
def page() -> Iterator[int]:
    """A page of the program's own memory."""
    address = memory.allocate(PAGE)
    yield address
    memory.unmap(address, PAGE)


def pair(client: Client, attribute: str, value: int) -> ctypes.Array[ctypes.c_uint64]:
    return (ctypes.c_uint64 * 2)(client.constants[f"HSA_AMD_SVM_ATTRIB_{attribute}"], value)


def give(client: Client, page: int, attribute: str, value: int) -> None:
    what = pair(client, attribute, value)
    client.ok("hsa_amd_svm_attributes_set", page, PAGE, ctypes.addressof(what), 1)


def access(client: Client, page: int, agent: int) -> int:
    """Return the attribute that says how an agent has access."""
    asked = pair(client, "ACCESS_QUERY", agent)
    client.ok("hsa_amd_svm_attributes_get", page, PAGE, ctypes.addressof(asked), 1)
    return int(asked[0])


def copying(client: Client, page: int) -> str:
    """Return what a GPU's copy from the page to its own memory answers."""
    block = client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)
    done = client.ok("hsa_signal_create", 1, 0, 0, OUT)
    gpu = client.gpu
    answer = client.call("hsa_amd_memory_async_copy", block, gpu, page, gpu, PAGE, 0, 0, done)
    if answer == "HSA_STATUS_SUCCESS":
        assert 0 == finished(client, done)
    return answer


def finished(client: Client, done: int) -> int:
    wait = client.functions["hsa_signal_wait_scacquire"]
    left = wait(done, client.constants["HSA_SIGNAL_CONDITION_LT"], 1, FOREVER, 0)
    return ctypes.c_int64(left).value


def test_a_gpu_copies_what_it_was_given_access_to(client: Client, page: int) -> None:
    give(client, page, "AGENT_ACCESSIBLE", client.gpu)
    assert "HSA_STATUS_SUCCESS" == copying(client, page)


def test_gpus_have_access_by_default_where_they_retry_faults(
    client: Client, retrying: Client, page: int
) -> None:
    name = "HSA_AMD_SVM_ATTRIB_AGENT_"
    assert client.constants[f"{name}NO_ACCESS"] == access(client, page, client.gpu)
    assert client.constants[f"{name}ACCESSIBLE"] == access(retrying, page, retrying.gpu)


def test_a_range_that_is_not_mapped_is_not_fetched(client: Client) -> None:
    # The stack and heap of the thread that fetches take the upper end of a gap.
    address = memory.allocate(GAP)
    memory.unmap(address, GAP)
    done = client.ok("hsa_signal_create", 1, 0, 0, OUT)
    client.ok("hsa_amd_svm_prefetch_async", address, PAGE, client.gpu, 0, 0, done)
    assert finished(client, done) < 0


def test_pages_that_are_discarded_become_zero_and_stay_reserved(retrying: Client) -> None:
    mapped = retrying.map()
    retrying.allow(mapped, retrying.cpu, "HSA_ACCESS_PERMISSION_RW")
    ctypes.memset(mapped.address, 1, PAGE)
    done = retrying.ok("hsa_signal_create", 1, 0, 0, OUT)
    where, size = (ctypes.c_uint64 * 1)(mapped.address), (ctypes.c_uint64 * 1)(PAGE)
    ranges = (ctypes.addressof(where), ctypes.addressof(size), 1)
    retrying.ok("hsa_amd_svm_discard_batch_async", *ranges, 0, 0, done)
    assert 0 == finished(retrying, done)
    assert bytes(PAGE) == ctypes.string_at(mapped.address, PAGE)
    retrying.discard(mapped)
