"""Streaming counters between threads and processes."""

from __future__ import annotations

import os
import threading
from ctypes import addressof, c_uint32
from pathlib import Path

import pytest

from hsa_reference.amd import spm
from tests.library.reference.reference_client import Client


def test_a_forked_process_does_not_get_the_counters(client: Client) -> None:
    """The owner is a process: its child has to wait, and gets them once they are released."""
    gpu = client.agents()[1]
    client.ok("hsa_amd_spm_acquire", gpu)
    assert "HSA_STATUS_ERROR" == _in_child(gpu)
    client.ok("hsa_amd_spm_release", gpu)
    assert "HSA_STATUS_SUCCESS" == _in_child(gpu)


def test_counters_outlive_no_process(client: Client) -> None:
    """A process that ends without releasing them leaves them to the next one."""
    gpu = client.agents()[1]
    assert "HSA_STATUS_SUCCESS" == _in_child(gpu)
    client.ok("hsa_amd_spm_acquire", gpu)
    client.ok("hsa_amd_spm_release", gpu)


def test_a_child_that_shuts_down_takes_nothing_from_its_parent(client: Client) -> None:
    """What was forked has the runtime's memory, and is not the process that holds counters."""
    gpu = client.agents()[1]
    client.ok("hsa_amd_spm_acquire", gpu)
    child = os.fork()
    if child == 0:
        client.call("hsa_shut_down")
        os._exit(0)
    os.waitpid(child, 0)
    assert "HSA_STATUS_ERROR" == _in_child(gpu)


def _in_child(gpu: int) -> str:
    """Return what a runtime of a child answers that acquires the counters, and ends."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        other = Client("two_gpus")
        other.ok("hsa_init")
        os.write(write, other.call("hsa_amd_spm_acquire", gpu).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


@pytest.mark.parametrize("ours", ["_COUNTERS", "held"])
def test_a_file_of_the_program_under_the_number_of_ours_is_left_alone(
    client: Client, tmp_path: Path, ours: str
) -> None:
    """A program may close all descriptors that it did not open, and open others."""
    gpu, path = client.agents()[1], tmp_path / "file"
    with path.open("w+") as file:
        if ours == "held":
            client.ok("hsa_amd_spm_acquire", gpu)
            descriptor = client.runtime.state.part(spm.Counters).held[gpu].descriptor
        else:
            descriptor = spm._COUNTERS
        kept = os.dup(descriptor)
        os.dup2(file.fileno(), descriptor)
        try:
            if ours == "held":
                client.ok("hsa_amd_spm_release", gpu)
            else:
                assert "HSA_STATUS_ERROR" == client.call("hsa_amd_spm_acquire", gpu)
            assert os.path.samestat(os.fstat(descriptor), os.fstat(file.fileno()))
        finally:
            os.dup2(kept, descriptor)
            os.close(kept)
            if ours == "held":
                os.close(descriptor)


def test_a_wait_for_a_buffer_ends_when_the_counters_are_released(client: Client) -> None:
    """A timeout of 49 days is no reason to hang: nothing can fill the buffer any more."""
    gpu = client.agents()[1]
    timeout, none = c_uint32(0xFFFFFFFF), c_uint32(0)
    client.ok("hsa_amd_spm_acquire", gpu)
    set_buffer = ("hsa_amd_spm_set_dest_buffer", gpu, 64, addressof(timeout), client.OUT)
    client.ok(*set_buffer, addressof(none), client.OUT)
    waiting = threading.Thread(target=lambda: client.call(*set_buffer, 0, client.OUT), daemon=True)
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    client.ok("hsa_amd_spm_release", gpu)
    waiting.join(10)
    assert not waiting.is_alive()
