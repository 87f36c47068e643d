"""Copies of boxes and in batches that leave a block, or are in one that was given back."""

from __future__ import annotations

import ctypes
import struct

import pytest

from hsa_reference.checking.spans import spans_of
from hsa_reference.memory import PAGE
from hsa_spec import load
from hsa_spec.releases import Release
from tests.library.reference.reference_client import Client


class Room:
    """A client with two blocks of a page that all agents reach, and one that it gave back."""

    def __init__(self) -> None:
        self.client = Client()
        self.client.ok("hsa_init")
        self.pool = self.client.pools(self.client.cpu)[0]
        self.kept: list[ctypes.Array[ctypes.c_char]] = []
        self.done, gate = (
            self.client.ok("hsa_signal_create", 1, 0, 0, Client.OUT) for _ in range(2)
        )
        # Nothing is copied before this signal is 0, so that what is wrong ends no process.
        self.gate = self.numbers("Q", gate)
        self.one, self.other, self.gone = (self._block() for _ in range(3))
        self.client.ok("hsa_amd_memory_pool_free", self.gone)

    def _block(self) -> int:
        return self.client.ok("hsa_amd_memory_pool_allocate", self.pool, PAGE, 0, Client.OUT)

    def numbers(self, code: str, *values: int) -> int:
        content = struct.pack(f"={code}", *values)
        self.kept.append(ctypes.create_string_buffer(content, len(content)))
        return ctypes.addressof(self.kept[-1])

    def copy_box(self, to: int, of: int, x: int, height: int, depth: int) -> None:
        """Copy rows of 64 bytes, of which there are 16 in a slice and 4 slices in a block."""
        pitched = (self.numbers("3Q", place, 64, 1024) for place in (to, of))
        start, none = self.numbers("3I", x, 0, 0), self.numbers("3I", 0, 0, 0)
        extent = self.numbers("3I", 64, height, depth)
        places = next(pitched), start, next(pitched), none, extent, self.client.gpu
        after = 1, self.gate
        self.client.call("hsa_amd_memory_async_copy_rect", *places, 1, *after, self.done)

    def copy_batch(self, kind: int, **members: int) -> None:
        struct_ = self.client.runtime.registry.structs["hsa_amd_memory_copy_op_t"]
        content, gpu = bytearray(struct_.size), self.client.gpu
        usual = {"version": 1, "completion_signal": self.done, "src_agent": gpu, "dst_agent": gpu}
        for name, value in {**usual, "type": kind, **members}.items():
            field = struct_.field[name]
            content[field.offset : field.offset + field.size] = value.to_bytes(field.size, "little")
        operation = self.numbers(f"{len(content) // 8}Q", *struct.unpack("=16Q", content))
        self.client.call("hsa_amd_memory_async_batch_copy", operation, 1, 1, self.gate)


def test_boxes_inside_their_blocks_are_not_accused(said: list[str]) -> None:
    room = Room()
    room.copy_box(room.one, room.other, 0, 16, 4)
    room.copy_box(room.one + 64, room.other, 0, 15, 4)

    assert [] == said


@pytest.mark.parametrize(("x", "height", "depth"), [(4, 16, 4), (0, 17, 4), (0, 16, 5)])
def test_a_box_that_leaves_its_block_is_named(
    said: list[str], x: int, height: int, depth: int
) -> None:
    room = Room()
    room.copy_box(room.one, room.other, x, height, depth)

    [block] = said
    assert block.startswith("hsa-check: hsa_amd_memory_async_copy_rect: wrong size: dst (")
    assert "/extents-outside: " in block


def test_a_box_of_what_was_given_back_is_named(said: list[str]) -> None:
    room = Room()
    room.copy_box(room.one, room.gone, 0, 2, 2)

    assert [True] == ["async_copy_rect: use after free: the 64 bytes at src" in b for b in said]


def test_a_signal_that_a_waiting_box_completes_is_needed(said: list[str]) -> None:
    room = Room()
    room.copy_box(room.one, room.other, 0, 2, 2)
    room.client.ok("hsa_signal_destroy", room.done)

    assert [True] == ["destroyed in use" in block for block in said]


LINEAR, BROADCAST, SWAP, INDIRECT_SOURCE, INDIRECT_TARGET, INDIRECT = range(6)


def lists(room: Room) -> dict[str, int]:
    """Return the members of an operation with two entries, but for their sizes."""
    return {
        "num_entries": 2,
        "src_list": room.numbers("2Q", room.one, room.other),
        "dst_list": room.numbers("2Q", room.other, room.one),
        "dst_agent_list": room.numbers("2Q", room.client.gpu, room.client.gpu),
    }


def test_batches_inside_their_blocks_are_not_accused(said: list[str]) -> None:
    room = Room()
    sides = {"src": room.one, "dst": room.other}
    for kind in (LINEAR, SWAP):
        room.copy_batch(kind, **sides, size=PAGE, unused_size=PAGE * (kind == SWAP))
    room.copy_batch(LINEAR, **lists(room), size_list=room.numbers("2Q", PAGE, PAGE))
    room.copy_batch(BROADCAST, **lists(room) | {"src_list": room.one}, size=PAGE)
    for kind in (INDIRECT_SOURCE, INDIRECT_TARGET, INDIRECT):  # nobody knows where they lead
        room.copy_batch(kind, **sides, size=8)

    assert [] == said


@pytest.mark.parametrize(
    ("kind", "side"), [(LINEAR, "src"), (SWAP, "dst"), (INDIRECT_SOURCE, "dst")]
)
def test_a_batch_of_what_was_given_back_is_named(said: list[str], kind: int, side: str) -> None:
    room = Room()
    sides = {"src": room.one, "dst": room.other} | {side: room.gone}
    room.copy_batch(kind, **sides, size=64, unused_size=64 * (kind == SWAP))

    [block] = said
    what = f"use after free: the 64 bytes at copy_ops[0].{side} ("
    assert block.startswith(f"hsa-check: hsa_amd_memory_async_batch_copy: {what}")


def test_an_entry_of_a_list_that_leaves_its_block_is_named(said: list[str]) -> None:
    room = Room()
    room.copy_batch(LINEAR, **lists(room), size_list=room.numbers("2Q", PAGE, PAGE + 1))

    [block] = said
    what = "wrong size: copy_ops[0].dst_list[1] ("
    assert block.startswith(f"hsa-check: hsa_amd_memory_async_batch_copy: {what}")


def test_a_layout_that_the_runtime_does_not_have_is_not_read() -> None:
    registry = load()
    batch = registry.functions["hsa_amd_memory_async_batch_copy"]

    assert spans_of(batch, registry, Release(interface="1.30")) is None
    assert spans_of(batch, registry, Release(interface="1.31")) is not None
