"""What the C library of the reference asks for, and is refused, as the suite has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import hsa_spec
from hsa_adapters import Call, LibraryAdapter
from hsa_adapters.memory import MEMORY, MemoryFaults
from hsa_conformance.reference_requests import ReferenceRequests
from hsa_reference.requests import ADDRESSES

OUT_OF_RESOURCES = 0x1008


@pytest.fixture(scope="module")
def adapter(library: Path) -> Iterator[LibraryAdapter]:
    """Return the adapter of the reference, which knows that it may count its requests."""
    adapter = LibraryAdapter(library, hsa_spec.load(), requests=ReferenceRequests())
    adapter.start()
    yield adapter
    adapter.close()


def test_a_request_of_a_process_is_refused(adapter: LibraryAdapter) -> None:
    faults, process = adapter.faults(), adapter.process()
    assert faults is not None
    faults.arm(ADDRESSES, "ENOMEM", 0, lasting=False)
    assert OUT_OF_RESOURCES == process.call(Call("hsa_init", ())).result
    assert (1, {ADDRESSES: 1}, [ADDRESSES]) == (faults.hits(), faults.made(), faults.noted())
    faults.disarm()
    assert 0 == process.call(Call("hsa_init", ())).result


def test_its_memory_is_refused_where_it_asks_and_not_in_the_heap(adapter: LibraryAdapter) -> None:
    memory, process = adapter.memory(), adapter.process()
    assert not isinstance(memory, str | MemoryFaults)
    memory.watch()
    assert 0 == process.call(Call("hsa_init", ())).result
    assert {MEMORY: 1} == memory.made()


def test_it_counts_again_when_it_is_started_again(adapter: LibraryAdapter) -> None:
    adapter.close()
    assert adapter.faults() is None
    adapter.start()
    assert adapter.faults() is not None


def test_a_library_that_does_not_count_is_refused_memory_by_the_heap(library: Path) -> None:
    """So is the reference where nobody says where to count."""
    adapter = LibraryAdapter(library, hsa_spec.load())
    adapter.start()
    try:
        assert adapter.faults() is None
        assert isinstance(adapter.memory(), MemoryFaults)
    finally:
        adapter.close()
