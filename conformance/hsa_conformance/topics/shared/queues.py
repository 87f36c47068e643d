"""What can be read of a queue, and how packets are put into it."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.comparing import address_in, part
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.queues.generators import STRUCTURE
from hsa_reports import Verdict

# Packets and their headers are those of hsa.h, and the vendor's those of hsa_ext_amd.h.
PACKET: Final = 64  # bytes
INVALID: Final = 1
BARRIER_AND: Final = 3
BARRIER_OR: Final = 5
VENDOR: Final = 0
BARRIER_BIT: Final = 1 << 8
_DISPATCH: Final = 2
_SYSTEM_FENCES: Final = 2 << 9 | 2 << 11  # before and after

_BARRIER_VALUE: Final = 2  # the vendor's format


@dataclass(frozen=True)
class Layout:
    """A hsa_queue_t as the application reads it."""

    type: int
    features: int
    base: int
    doorbell: int
    size: int
    id: int


def layout(scene: Scene, queue: int) -> Layout:
    """Read the structure that a queue's handle points to.

    Raises:
        Violation: it cannot be read.

    """
    content = scene.session.read(queue, STRUCTURE) or b""
    scene.require(len(content) == STRUCTURE, "the queue cannot be read", "no access")
    return _laid_out(content)


def _laid_out(content: bytes) -> Layout:
    return Layout(
        part(content, 0, 4),
        part(content, 4, 4),
        address_in(content, 8, "base"),
        address_in(content, 16, "doorbell"),
        part(content, 24, 4),
        part(content, 32, 8),
    )


def index(scene: Scene, queue: int, which: str) -> int:
    """Return the "read" or the "write" index of a queue."""
    return scene.set_up(f"hsa_queue_load_{which}_index_scacquire", queue=queue).status


def types(scene: Scene, ring: Layout) -> list[int]:
    """Return the types of the packets in a ring, slot by slot.

    Raises:
        Violation: the ring cannot be read.

    """
    content = scene.session.read(ring.base, PACKET * ring.size) or b""
    scene.require(len(content) == PACKET * ring.size, "the ring cannot be read", "no access")
    return list(content[::PACKET])


def require_invalid(scene: Scene, queue: int) -> None:
    """Require that every packet in a queue's ring is of type INVALID.

    Raises:
        Violation: one is not, or the ring cannot be read.

    """
    found = types(scene, layout(scene, queue))
    scene.require(
        set(found) == {INVALID},
        "not every packet of a new ring is of type HSA_PACKET_TYPE_INVALID",
        f"types {sorted(set(found))}",
    )


def barrier(
    signals: Sequence[int] = (), completion: int = 0, kind: int = BARRIER_AND, bits: int = 0
) -> bytes:
    """Return a barrier packet.

    Args:
        signals: up to five that it depends on.
        completion: the signal that it completes, 0 for none.
        kind: BARRIER_AND or BARRIER_OR.
        bits: what the header has beside the type.

    """
    depends = [*signals, *[0] * (5 - len(signals))]
    return _words(kind | bits, *depends, 0, completion)


def barrier_value(signal: int, value: int, mask: int, condition: int, completion: int) -> bytes:
    """Return a vendor's packet that waits until a signal's value under a mask meets a condition."""
    head = VENDOR | _BARRIER_VALUE << 16
    return _words(head, signal, value, mask, condition, 0, 0, completion)


def _words(*words: int) -> bytes:
    return b"".join((word % 2**64).to_bytes(8, "little") for word in words)


def dispatch(
    kernel: int, arguments: int, completion: int, *, private: int, group: int, bits: int = 0
) -> bytes:
    """Return a packet that dispatches a kernel for one work-item.

    Its fences are those of the whole system.

    Args:
        kernel: its kernel object.
        arguments: where its arguments are.
        completion: the signal that it completes, 0 for none.
        private: bytes of private memory of the work-item.
        group: bytes of group memory of the work-group.
        bits: what the header has beside the type and the fences.

    """
    head = _DISPATCH | _SYSTEM_FENCES | bits
    sizes = struct.pack("<HH3HHIIIII", head, 1, 1, 1, 1, 0, 1, 1, 1, private, group)
    return sizes + _words(kernel, arguments, 0, completion)


def submit(fixtures: Fixtures, queue: int, *packets: bytes) -> None:
    """Write packets into a queue that has slots for all of them, and ring its doorbell once.

    Raises:
        Unavailable: the host cannot write to the ring.

    """
    first = fixtures.session.set_up(
        "hsa_queue_add_write_index_screlease", queue=queue, value=len(packets)
    ).status
    put(fixtures, queue, first, *packets)


def put(fixtures: Fixtures, queue: int, first: int, *packets: bytes) -> None:
    """Write packets into the slots from an index on, and ring the doorbell once; see `fill`."""
    doorbell = fill(fixtures, queue, first, *packets)
    last = first + len(packets) - 1
    fixtures.session.set_up("hsa_signal_store_screlease", signal=doorbell, value=last)


def fill(fixtures: Fixtures, queue: int, first: int, *packets: bytes) -> int:
    """Write packets into the slots from an index on, and return the doorbell.

    Raises:
        Blocked: the queue cannot be read.
        Unavailable: the host cannot write to the ring.

    """
    session = fixtures.session
    content = session.read(queue, STRUCTURE) or b""
    if len(content) != STRUCTURE:
        raise Blocked("hsa_queue_create/success", "a queue that cannot be read")
    ring = _laid_out(content)
    for number, packet in enumerate(packets, first):
        slot = ring.base + number % ring.size * PACKET
        # The header comes last: it is what makes the packet valid.
        written = session.write(slot + 4, packet[4:]) and session.write(slot, packet[:4])
        if not written:
            raise Unavailable(
                Verdict.BLOCKED, "hsa_queue_create/success: the ring cannot be written"
            )
    return ring.doorbell
