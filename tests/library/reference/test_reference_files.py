"""Transfers between files and memory, where they do not go to the end."""

from __future__ import annotations

import ctypes
import errno
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hsa_reference import load_machine
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client

OUT = Client.OUT


@pytest.fixture
def block(client: Client) -> int:
    return client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)


@pytest.fixture
def file() -> Iterator[int]:
    with tempfile.TemporaryFile() as opened:
        yield opened.fileno()


def transfer(client: Client, function: str, *arguments: int) -> tuple[str, int, int]:
    """Return the status of a transfer, how many bytes it moved, and the error of the system."""
    copied, status = ctypes.c_uint64(77), ctypes.c_int32(77)
    outputs = ctypes.addressof(copied), ctypes.addressof(status)
    answer = client.call(f"hsa_amd_ais_file_{function}", *arguments, *outputs)
    return answer, copied.value, status.value


def test_a_read_ends_where_the_file_does(client: Client, block: int, file: int) -> None:
    os.pwrite(file, b"abc", 0)
    assert ("HSA_STATUS_SUCCESS", 2, 0) == transfer(client, "read", file, block, 100, 1)


def test_a_file_that_cannot_be_written_says_so(client: Client, block: int) -> None:
    full = os.open("/dev/full", os.O_RDWR)
    found = transfer(client, "write", full, block, 100, 0)
    os.close(full)
    assert ("HSA_STATUS_ERROR", 0, -errno.ENOSPC) == found


def test_no_file_has_an_offset_below_zero(client: Client, block: int, file: int) -> None:
    """The offset comes with its sign from Python, and without it from C."""
    for offset in (-1, 2**64 - 1):
        found = transfer(client, "read", file, block, 100, offset)
        assert ("HSA_STATUS_ERROR", 0, -errno.EINVAL) == found


def test_a_machine_may_lack_transfers(file: int) -> None:
    client = Client(replace(load_machine("two_gpus"), files=False))
    client.ok("hsa_init")
    block = client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)
    answer = transfer(client, "write", file, block, 100, 0)[0]
    assert "HSA_STATUS_ERROR_NOT_SUPPORTED" == answer
    client.finish()
