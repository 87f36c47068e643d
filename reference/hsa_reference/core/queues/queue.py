"""A queue, and how it lies in memory."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.attributes import pack
from hsa_reference.core.memory.heaps import Block, Heap
from hsa_reference.core.queues.processor import Worker
from hsa_reference.core.queues.ring import INVALID, PACKET
from hsa_spec import Registry

#: Where the indices are, in bytes from the start of the hsa_queue_t, as in ROCr's amd_queue_t.
WRITE_INDEX, READ_INDEX = 56, 128

_EMPTY = INVALID.to_bytes(PACKET, "little")


@dataclass(frozen=True)
class Kind:
    """What all queues of an application's choice have.

    Args:
        type: a hsa_queue_type_t.
        features: bits of hsa_queue_feature_t.
        size: how many packets the ring holds.

    """

    type: int
    features: int
    size: int


@dataclass(eq=False)
class Hardware:
    """What an agent processes queues with, such as a hardware queue.

    Args:
        number: no other one has it.
        agent: the handle of the agent.
        lasting: whether it is there until the end, and several queues may share it.

    """

    number: int
    agent: int
    lasting: bool = False


@dataclass(eq=False)
class Queue:
    """A live queue.

    Args:
        address: of its hsa_queue_t.
        kind: what the application chose.
        agent: the agent that processes it; 0 where the application does.
        on_gpu: whether that is a GPU.
        room: bytes of its own memory.
        signals: those that end with it.
        processor: what processes it, if it is not the application.
        hardware: what the agent processes it with.
        holders: how often it was given to the application.
        block: memory of a region that the ring is in, with its heap.

    """

    address: int
    kind: Kind
    agent: int
    on_gpu: bool
    room: int
    signals: tuple[int, ...] = ()
    processor: Worker | None = None
    hardware: Hardware | None = None
    holders: int = 1
    block: tuple[Heap, Block] | None = None

    @property
    def size(self) -> int:
        """Return how many packets the ring holds."""
        return self.kind.size

    @property
    def ring(self) -> int:
        """Return the address of the first packet."""
        return self.block[1].address if self.block else self.address + memory.PAGE

    def free(self) -> None:
        """Give its memory back."""
        memory.unmap(self.address, self.room)
        if self.block:
            heap, block = self.block
            heap.free(block)


def room_for(kind: Kind, *, ring: bool) -> int:
    """Return the bytes of a page for the hsa_queue_t, and of a ring behind it if it is there."""
    own = PACKET * kind.size if ring else 0
    return -(-(memory.PAGE + own) // memory.PAGE) * memory.PAGE


def lay_out(queue: Queue, registry: Registry, doorbell: int, number: int) -> None:
    """Write an empty queue into its memory.

    Args:
        queue: whose memory can be written.
        registry: says the members of hsa_queue_t.
        doorbell: the handle of its signal.
        number: its id.

    """
    ctypes.memmove(queue.ring, _EMPTY, PACKET)
    filled, size = PACKET, PACKET * queue.size
    while filled < size:  # a ring can be as large as a region
        ctypes.memmove(queue.ring + filled, queue.ring, min(filled, size - filled))
        filled *= 2
    values = {
        "type": queue.kind.type,
        "features": queue.kind.features,
        "base_address": queue.ring,
        "doorbell_signal": doorbell,
        "size": queue.size,
        "id": number,
    }
    data = pack(registry, "hsa_queue_t", values, "a queue")
    ctypes.memmove(queue.address, data, len(data))
