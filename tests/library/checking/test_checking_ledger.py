"""What is remembered of blocks, while several threads give them back and get them."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Iterator

import pytest

from hsa_reference.checking import own_memory
from hsa_reference.checking.ledger import Ledger, Site, TrackedObject
from hsa_reference.checking.stacks import Stack
from hsa_reference.memory import PAGE

HERE = Site("hsa_amd_memory_pool_free", Stack())


def at(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


@pytest.fixture
def of_a_file() -> Iterator[int]:
    """Return the address of a page that stays mapped when blocks in it are given back."""
    descriptor = os.memfd_create("blocks")
    os.ftruncate(descriptor, PAGE)
    memory = mmap.mmap(descriptor, PAGE)
    os.close(descriptor)
    yield at(memory)
    del memory


def given_back(ledger: Ledger, block: TrackedObject) -> str | None:
    """Do what comes before the call that gives a block back."""
    before = own_memory.mapping_at(block.key)
    ledger.given_back(block, HERE)
    return before


def test_a_block_that_was_given_back_is_nobodys_while_its_memory_stays(of_a_file: int) -> None:
    ledger, block = Ledger(), TrackedObject("allocation", of_a_file, PAGE, HERE)
    ledger.made(block)
    ledger.freed(block, given_back(ledger, block))

    assert block is ledger.freed_around(of_a_file, 8)


def test_a_block_belongs_to_the_thread_that_got_it_meanwhile(of_a_file: int) -> None:
    ledger, block = Ledger(), TrackedObject("allocation", of_a_file, PAGE, HERE)
    ledger.made(block)
    before = given_back(ledger, block)
    ledger.made(
        TrackedObject("allocation", of_a_file, PAGE, HERE)
    )  # the other thread's call is done first
    ledger.freed(block, before)

    assert ledger.freed_around(of_a_file, 8) is None


def test_memory_of_no_file_may_be_mapped_again_by_anybody() -> None:
    memory = mmap.mmap(-1, PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    ledger, block = Ledger(), TrackedObject("allocation", at(memory), PAGE, HERE)
    ledger.made(block)
    ledger.freed(block, given_back(ledger, block))

    assert ledger.freed_around(block.key, 8) is None
