"""User-mode queues and signals, as a program writes to them. For a preloaded process."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, PAGE, Kfd, set_word, until, word

INVALID = 1
VENDOR, DISPATCH, AGENT_DISPATCH, BARRIER_AND, BARRIER_OR = 0, 2, 4, 3, 5
EQ, NE, LT, GTE = range(4)
RING = PAGE
SAVE_AREA_ERROR = 24


class Signals:
    """A page of signals, that a GPU reaches unless told otherwise."""

    def __init__(self, kfd: Kfd, gpus: tuple[int] = (GPU,)) -> None:
        self.page = kfd.buffer(PAGE, gpus=gpus)
        self._next = self.page.address

    def new(self, value: int = 1, *, mailbox: int = 0, event: int = 0) -> int:
        """Make a signal; its handle is its address."""
        handle = self._next
        self._next += 64
        set_word(handle, 1)
        set_value(handle, value)
        set_word(handle + 16, mailbox)
        set_word(handle + 24, event)
        return handle


def value_of(signal: int) -> int:
    """Return the value of a signal."""
    return k.i64.from_address(signal + 8).value


def set_value(signal: int, value: int) -> None:
    """Change the value of a signal."""
    set_word(signal + 8, value)


class Queue:
    """A queue of some type with a ring and indices of its own."""

    def __init__(self, kfd: Kfd, kind: int, *, gpu: int = GPU, **options: object) -> None:
        self.kfd = kfd
        self.ring = kfd.buffer(RING, gpu=gpu, gpus=(gpu,))
        # Indices are where amd_queue_t has them.
        self.state = kfd.buffer(PAGE, gpu=gpu, gpus=(gpu,))
        self.written, self.read = self.state.address + 56, self.state.address + 128
        asked = {
            "ring": self.ring.address,
            "ring_size": RING,
            "write_pointer": self.written,
            "read_pointer": self.read,
            "gpu_id": gpu,
            "type": kind,
            "percentage": 100,
            "priority": 7,
            **options,
        }
        for slot in range(0, RING, 64):
            k.u16.from_address(self.ring.address + slot).value = INVALID
        self.arguments = kfd.ioctl(k.CREATE_QUEUE, k.CreateQueue(**asked))
        self.id = self.arguments.id

    def update(self, **options: object) -> None:
        """Change the queue's ring, share or priority."""
        asked = {"ring": self.ring.address, "ring_size": RING, "percentage": 100, **options}
        self.kfd.ioctl(k.UPDATE_QUEUE, k.UpdateQueue(id=self.id, **asked))

    def destroy(self) -> None:
        """End the queue."""
        self.kfd.ioctl(k.DESTROY_QUEUE, k.Id(self.id))

    def done(self, seconds: float | int = 20.0) -> bool:
        """Wait until all packets are done; False when they are not in time."""
        return until(lambda: word(self.read) == word(self.written), seconds)

    def rests(self) -> bool:
        """Return whether nothing is done for a while."""
        return not self.done(0.03)


@dataclass(frozen=True)
class ScratchForm:
    """How the size of scratch is written.

    Args:
        lanes: work-items of a wave.
        unit: bytes that the scratch of a wave is counted in.
        engines: each of which has as many waves as are written.

    """

    lanes: int
    unit: int
    engines: int


_GENERATION_9 = ScratchForm(64, 1024, 1)


class AqlQueue(Queue):
    """A queue of AQL packets, with a save area that tells of errors."""

    def __init__(self, kfd: Kfd, **options: int) -> None:
        self.save_area = kfd.buffer(PAGE)
        self.payload = self.save_area.address + 512
        self.error_event = kfd.event(auto_reset=False).id
        where = self.save_area.address + SAVE_AREA_ERROR
        set_word(where, self.payload)
        set_word(where + 8, self.error_event)
        super().__init__(kfd, k.AQL, **{"save_area": self.save_area.address, **options})

    def put(self, kind: int, body: bytes) -> int:
        """Write a packet: the body first, then the index, then the header."""
        index = word(self.written)
        slot = self.ring.address + index * 64 % RING
        ctypes.memmove(slot + 2, body.ljust(62, b"\0"), 62)
        set_word(self.written, index + 1)
        k.u16.from_address(slot).value = kind
        return slot

    def barrier(self, *signals: object, kind: int = BARRIER_AND, completion: int = 0) -> int:
        """Write a barrier packet that waits for up to five signals."""
        five = [*signals, *[0] * (5 - len(signals))]
        return self.put(kind, struct.pack("<HI5QQQ", 0, 0, *five, 0, completion))

    def barrier_value(
        self,
        signal: int,
        condition: int,
        value: int,
        *,
        mask: int = -1,
        completion: int = 0,
        form: int = 2,
    ) -> int:
        """Write a packet that waits for a condition of a signal's value."""
        body = struct.pack(
            "<BBIQqqIIQQQ", form, 0, 0, signal, value, mask, condition, 0, 0, 0, completion
        )
        return self.put(VENDOR, body)

    def dispatch(
        self,
        *,
        dimensions: int = 1,
        group: tuple[int, int, int] = (64, 1, 1),
        grid: tuple[int, int, int] = (64, 1, 1),
        code: int = PAGE,
        completion: int = 0,
    ) -> int:
        """Write a packet that starts a kernel."""
        body = struct.pack(
            "<H3HH3IIIQQQQ", dimensions, *group, 0, *grid, 0, 0, code, 0, 0, completion
        )
        return self.put(DISPATCH, body)

    def give_scratch(
        self, item: int, waves: int, *, once: bool = False, form: ScratchForm = _GENERATION_9
    ) -> None:
        """Do as a runtime, and say where scratch is.

        Args:
            item: bytes of a work-item; 0 to take back what there was.
            waves: how many waves of each engine it is for.
            once: whether it is for one dispatch.
            form: how its size is written.

        """
        units = -(-item * form.lanes // form.unit)
        size = max(units * form.unit * waves * form.engines, 1)
        room = self.kfd.buffer(-(-size // PAGE) * PAGE, k.VRAM | k.WRITABLE)
        place, swizzled, by_lane = room.address, 1 << 31, 1 << 23 | 3 << 21
        upper = place >> 32 | swizzled
        content = struct.pack(
            *("<I4IQ", units << 12 | waves if item else 0),
            *(place & 0xFFFFFFFF, upper, 0xFFFFFFFF, by_lane, place),
        )
        ctypes.memmove(self.state.address + 140, content, len(content))
        k.u32.from_address(self.state.address + 180).value = once << 4

    def error(self) -> set[int]:
        """Wait for an error and return the exceptions that it tells of."""
        self.kfd.wait(self.error_event, timeout=20000)
        return {bit + 1 for bit in range(64) if word(self.payload) >> bit & 1}


class SdmaQueue(Queue):
    """A queue of copies and the like."""

    def __init__(self, kfd: Kfd, **options: int) -> None:
        super().__init__(kfd, options.pop("kind", k.SDMA), **options)

    def put(self, *words: int) -> None:
        """Write a packet."""
        index = word(self.written)
        for offset, value in enumerate(words):
            at = self.ring.address + (index + 4 * offset) % RING
            k.u32.from_address(at).value = value & 0xFFFFFFFF
        set_word(self.written, index + 4 * len(words))

    def nop(self, words: int) -> None:
        """Write a packet that does nothing."""
        self.put((words - 1) << 16, *[0] * (words - 1))

    def copy(self, to: int, source: int, size: int) -> None:
        """Copy bytes."""
        self.put(1, size - 1, 0, *halves(source), *halves(to))

    def fill(self, to: int, value: int, count: int) -> None:
        """Fill words of 32 bits."""
        self.put(11 | 2 << 30, *halves(to), value, (count - 1) * 4)

    def fence(self, to: int, value: int) -> None:
        """Write 32 bits."""
        self.put(5, *halves(to), value)

    def poll(self, address: int, function: int, value: int, mask: int = 0xFFFFFFFF) -> None:
        """Wait for a condition of 32 bits."""
        self.put(8 | function << 28 | 1 << 31, *halves(address), value, mask, 0xFFF << 16)

    def add(self, address: int, value: int) -> None:
        """Add to 64 bits."""
        self.put(10 | 47 << 25, *halves(address), *halves(value), 0, 0, 0)

    def timestamp(self, address: int) -> None:
        """Write the time."""
        self.put(13 | 2 << 8, *halves(address))

    def trap(self, event: int) -> None:
        """Interrupt for an event."""
        self.put(6, event)


def halves(value: int) -> tuple[int, int]:
    """Return the low and the high 32 bits."""
    return value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF
