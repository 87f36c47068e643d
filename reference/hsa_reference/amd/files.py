"""Transfers between files and memory of devices."""

from __future__ import annotations

import os
from collections.abc import Callable

from hsa_reference import memory
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.requests import TRANSFER, ask
from hsa_reference.state import Part, State
from hsa_reference.status import ERROR, INVALID_ALLOCATION, NOT_SUPPORTED, SUCCESS, Answer

_CHUNK = 1 << 20  # bytes


class Files(Part):
    """What conditions ask about files, and whether the machine's driver reads and writes them."""

    def __init__(self, state: State) -> None:
        self.supported = state.machine.files
        if self.supported:
            state.features.add("file transfers")
        state.facts["file_is_usable"] = lambda handle: memory.is_open(_descriptor(handle))
        # Only the transfer itself shows what a file system does.
        state.facts["transfer_succeeds"] = lambda handle, size: True


PART = Files


@unlocked
def hsa_amd_ais_file_write(
    state: State,
    handle: int,
    devicePtr: int,  # noqa: N803 - its name in C
    size: int,
    file_offset: int,
    size_copied: int,
    status: int,
) -> Answer:
    """Write memory to a file."""
    places, descriptor, offset = state.part(Places), _descriptor(handle), _signed(file_offset, 64)

    def write(done: int, length: int) -> int:
        with LOCK:
            data = places.read(devicePtr + done, length)
        return os.pwrite(descriptor, data, offset + done)

    return _transfer(state, devicePtr, size, write, (size_copied, status))


@unlocked
def hsa_amd_ais_file_read(
    state: State,
    handle: int,
    devicePtr: int,  # noqa: N803 - its name in C
    size: int,
    file_offset: int,
    size_copied: int,
    status: int,
) -> Answer:
    """Read a file into memory; less than was asked for is no mistake where the file ends."""
    places, descriptor, offset = state.part(Places), _descriptor(handle), _signed(file_offset, 64)

    def read(done: int, length: int) -> int:
        data = os.pread(descriptor, length, offset + done)
        with LOCK:
            places.write(devicePtr + done, data)
        return len(data)

    return _transfer(state, devicePtr, size, read, (size_copied, status))


def _transfer(
    state: State,
    address: int,
    size: int,
    move: Callable[[int, int], int],
    outputs: tuple[int, int],
) -> Answer:
    """Move bytes, and write how many they were, and 0 or the negative error of the system.

    Args:
        state: of the runtime.
        address: of the memory.
        size: how many bytes.
        move: moves so many bytes, some of which are done, and returns how many it moved.
        outputs: where the two numbers go.

    """
    if not state.part(Files).supported:
        return NOT_SUPPORTED
    if not state.holds("within_allocation", address, size):
        return INVALID_ALLOCATION
    done, error = 0, 0
    try:
        ask(TRANSFER)
        while done < size and (moved := move(done, min(_CHUNK, size - done))):
            done += moved
    except OSError as failure:
        error = failure.errno or 0
    memory.store(outputs[0], done, 8)
    memory.store(outputs[1], -error, 4, signed=True)
    return ERROR if error else SUCCESS


def _descriptor(handle: int) -> int:
    """Return the file descriptor in a hsa_amd_ais_file_handle_t."""
    return _signed(handle, 32)


def _signed(number: int, bits: int) -> int:
    """Return a number with its sign, however the caller passed it."""
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half
