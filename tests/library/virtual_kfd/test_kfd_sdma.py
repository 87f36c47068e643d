"""Queues of the copy engines: every packet that ROCr writes, and errors."""

from __future__ import annotations

import struct
from collections.abc import Callable

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import (
    GPU,
    GPU2,
    NOTHING,
    PAGE,
    Kfd,
    map_memory,
    read_bytes,
    set_word,
    until,
    word,
)
from tests.library.virtual_kfd.kfd_drm import Device
from tests.library.virtual_kfd.kfd_process import inside
from tests.library.virtual_kfd.kfd_queue import RING, SdmaQueue, halves

LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, GREATER_EQUAL, GREATER = range(1, 7)
ALWAYS = 0


def pattern(size: int) -> bytes:
    return bytes(n * 7 % 251 for n in range(size))


@inside()
def test_copies_between_buffers(kfd: Kfd) -> None:
    """Bytes go from one buffer to another, of any size and at any address, and no others."""
    source, target = kfd.buffer(64 * PAGE, k.VRAM | k.WRITABLE), kfd.buffer(64 * PAGE)
    data = pattern(64 * PAGE)
    source.write(0, data)
    queue = SdmaQueue(kfd)
    for size, start, to in ((1, 3, 9), (64, 0, 0), (3 * PAGE, PAGE - 5, 7), (40 * PAGE, 1, 2)):
        target.write(0, bytes(64 * PAGE))
        queue.copy(target.address + to, source.address + start, size)
        assert queue.done()
        expected = bytes(to) + data[start : start + size] + bytes(64 * PAGE - to - size)
        assert expected == target.read(0, 64 * PAGE)


@inside()
def test_copies_across_mappings(kfd: Kfd) -> None:
    """A range of addresses may be parts of several buffers, each with an offset."""
    base = map_memory(4 * PAGE, protection=NOTHING)
    parts = [kfd.allocate(4 * PAGE) for _ in range(2)]
    device = Device(kfd)
    buffers = [device.load(kfd.export(part.handle)) for part in parts]
    buffers[0].map(base, 2 * PAGE, 2 * PAGE)
    buffers[1].map(base + 2 * PAGE, 2 * PAGE, PAGE)
    source = kfd.buffer(4 * PAGE)
    data = pattern(4 * PAGE)
    source.write(0, data)
    queue = SdmaQueue(kfd)
    queue.copy(base, source.address, 4 * PAGE)
    assert queue.done()
    assert data[: 2 * PAGE] == read_bytes(buffers[0].cpu_map() + 2 * PAGE, 2 * PAGE)
    assert data[2 * PAGE :] == read_bytes(buffers[1].cpu_map() + PAGE, 2 * PAGE)


@inside("gfx90a-2")
def test_copies_between_gpus(kfd: Kfd) -> None:
    """A GPU reaches memory of another one that was mapped to it."""
    here = kfd.buffer(PAGE, k.VRAM | k.WRITABLE)
    there = kfd.buffer(PAGE, k.VRAM | k.WRITABLE, gpu=GPU2, gpus=(GPU, GPU2))
    here.write(0, b"across")
    queue = SdmaQueue(kfd, kind=k.SDMA_XGMI)
    queue.copy(there.address, here.address, 6)
    assert queue.done()
    assert b"across" == there.read(0, 6)


def rectangle(
    queue: SdmaQueue,
    to: tuple[int, tuple[int, int, int], tuple[int, int]],
    source: tuple[int, tuple[int, int, int], tuple[int, int]],
    size: tuple[int, int, int],
    layout: tuple[int, int, int],
) -> None:
    """Write a packet for a box; places and sizes are (x, y, z), strides (pitch, slice)."""
    element, (xy, z_bits, pitch_at) = 2, layout

    def box(address: int, place: tuple[int, int, int], strides: tuple[int, int]) -> tuple[int, ...]:
        x, y, z = place
        pitch, plane = strides
        return (
            *halves(address),
            x | y << xy,
            z | (pitch - 1) << pitch_at,
            plane - 1,
        )

    x, y, z = size
    assert z < 1 << z_bits
    queue.put(1 | 4 << 8 | element << 29, *box(*source), *box(*to), (x - 1) | (y - 1) << xy, z - 1)


def check_rectangles(kfd: Kfd, layout: tuple[int, int, int]) -> None:
    """Copy a box of 3 x 2 x 2 elements out of one of 8 x 4 x 2 into one of 5 x 4 x 3."""
    source, target = kfd.buffer(PAGE), kfd.buffer(PAGE)
    source.write(0, struct.pack("<64I", *range(64)))
    queue = SdmaQueue(kfd)
    to = (target.address, (1, 2, 1), (5, 20))
    rectangle(queue, to, (source.address, (4, 1, 0), (8, 32)), (3, 2, 2), layout)
    assert queue.done()
    expected = [0] * 60
    for z in range(2):
        for y in range(2):
            for x in range(3):
                expected[(1 + z) * 20 + (2 + y) * 5 + 1 + x] = z * 32 + (1 + y) * 8 + 4 + x
    assert expected == list(struct.unpack("<60I", target.read(0, 240)))


@inside()
def test_rectangles(kfd: Kfd) -> None:
    """A box of elements goes to another place, with strides of its own."""
    check_rectangles(kfd, (16, 11, 13))


@inside("gfx1201")
def test_rectangles_of_newer_engines(kfd: Kfd) -> None:
    """Newer engines have other widths of the same members."""
    check_rectangles(kfd, (16, 14, 16))


@inside()
def test_fills(kfd: Kfd) -> None:
    """Words are filled, as many as were asked for."""
    target = kfd.buffer(4 * PAGE)
    queue = SdmaQueue(kfd)
    queue.fill(target.address + 8, 0xA1B2C3D4, 2000)
    queue.fill(target.address + 4 * PAGE - 4, 5, 1)
    assert queue.done()
    expected = [0, 0, *[0xA1B2C3D4] * 2000]
    expected += [0] * (4 * PAGE // 4 - len(expected) - 1) + [5]
    assert expected == list(struct.unpack(f"<{PAGE}I", target.read(0, 4 * PAGE)))


@inside()
def test_fences(kfd: Kfd) -> None:
    """A fence writes 32 bits when what came before it is done."""
    target = kfd.buffer(PAGE)
    queue = SdmaQueue(kfd)
    queue.fill(target.address, 1, 2)
    queue.fence(target.address, 9)
    assert queue.done()
    assert 1 << 32 | 9 == word(target.address)


@inside()
def test_polls(kfd: Kfd) -> None:
    """A poll waits for its condition of the bits of its mask."""
    place = kfd.buffer(PAGE)
    queue = SdmaQueue(kfd)
    for function, waiting, met in (
        (LESS, 5, 4),
        (LESS_EQUAL, 6, 5),
        (EQUAL, 4, 5),
        (NOT_EQUAL, 5, 4),
        (GREATER_EQUAL, 4, 5),
        (GREATER, 5, 6),
    ):
        set_word(place.address, 0xF0 | waiting)
        queue.poll(place.address, function, 5, 0xF)
        assert queue.rests(), function
        set_word(place.address, 0xF0 | met)
        assert queue.done(), function
    queue.poll(place.address, ALWAYS, 1234)
    assert queue.done()


@inside()
def test_flushes_wait_for_nothing(kfd: Kfd) -> None:
    """A poll of registers, as ROCr writes it to flush, and cleaning caches are done at once."""
    queue = SdmaQueue(kfd)
    queue.put(8, 0, 0x80000000, 0, 0, 0)
    queue.put(17 | 1 << 8, 0, 0, 0, 0)
    queue.nop(1)
    queue.nop(5)
    assert queue.done()


@inside()
def test_atomic_additions(kfd: Kfd) -> None:
    """An addition is of 64 bits; one of -1 counts down."""
    place = kfd.buffer(PAGE)
    set_word(place.address, 1 << 32)
    queue = SdmaQueue(kfd)
    queue.add(place.address, (1 << 64) - 1)
    assert queue.done()
    assert (1 << 32) - 1 == word(place.address)


@inside()
def test_timestamps(kfd: Kfd) -> None:
    """A timestamp is the counter of the GPU."""
    place = kfd.buffer(PAGE)
    queue = SdmaQueue(kfd)
    before = kfd.ioctl(k.GET_CLOCK_COUNTERS, k.Clocks(gpu_id=GPU)).gpu
    queue.timestamp(place.address)
    assert queue.done()
    after = kfd.ioctl(k.GET_CLOCK_COUNTERS, k.Clocks(gpu_id=GPU)).gpu
    assert before <= word(place.address) <= after


@inside()
def test_traps(kfd: Kfd) -> None:
    """A fence to a slot and a trap set the event."""
    page, event = kfd.event_page()
    queue = SdmaQueue(kfd)
    assert k.TIMEOUT == kfd.wait(event.id)[0]
    queue.fence(page.address + 8 * event.slot, event.id)
    queue.trap(event.id)
    assert k.COMPLETE == kfd.wait(event.id, timeout=20000)[0]


@inside()
def test_a_ring_is_used_again(kfd: Kfd) -> None:
    """Packets go on where the ring begins, in the middle of one if need be."""
    place = kfd.buffer(PAGE)
    queue = SdmaQueue(kfd)
    for _ in range(3 * RING // 32 + 1):
        queue.nop(3)
        queue.add(place.address, 1)
        assert queue.done()
    assert 3 * RING // 32 + 1 == word(place.address)


@inside()
def test_half_a_packet(kfd: Kfd) -> None:
    """A packet of which the write index has only a part is not done."""
    place = kfd.buffer(PAGE)
    queue = SdmaQueue(kfd)
    for offset, half in enumerate((5, *halves(place.address), 1)):
        k.u32.from_address(queue.ring.address + 4 * offset).value = half
    set_word(queue.written, 8)
    assert queue.rests()
    set_word(queue.written, 16)
    assert queue.done()
    assert 1 == word(place.address)


@inside()
def test_unknown_packets_hang_the_gpu(kfd: Kfd) -> None:
    """An unknown packet stops the queue, and who waits for exceptions of the GPU is told."""
    exception = kfd.event(k.EVENT_HW_EXCEPTION, auto_reset=False).id
    for words in ([99], [1 | 3 << 8], [10 | 1 << 25], [11], [13]):
        queue = SdmaQueue(kfd)
        queue.put(*words, *[0] * 12)
        result, data = kfd.wait(exception, timeout=20000)
        assert (k.COMPLETE, GPU) == (result, data[0].exception.gpu_id)
        assert 0 == word(queue.read)
        queue.destroy()


@inside()
def test_every_packet_faults_where_nothing_is_mapped(kfd: Kfd) -> None:
    """An address that the GPU was not given is a fault at that address, and the queue stops."""
    event = kfd.event(k.EVENT_MEMORY).id
    good, hidden = kfd.buffer(PAGE), kfd.buffer(PAGE, gpus=())
    place = hidden.address
    accesses: list[Callable[[SdmaQueue], object]] = [
        lambda queue: queue.copy(good.address, place, 8),
        lambda queue: queue.copy(place, good.address, 8),
        lambda queue: queue.fill(place, 1, 1),
        lambda queue: queue.fence(place, 1),
        lambda queue: queue.poll(place, EQUAL, 0),
        lambda queue: queue.add(place, 1),
        lambda queue: queue.timestamp(place),
    ]
    for access in accesses:
        queue = SdmaQueue(kfd)
        access(queue)
        queue.fence(good.address, 1)
        result, data = kfd.wait(event, timeout=20000)
        assert (k.COMPLETE, place) == (result, data[0].fault.address)
        assert queue.rests()
        queue.destroy()
    assert bytes(PAGE) == hidden.read(0, PAGE)


@inside()
def test_a_copy_runs_into_a_fault(kfd: Kfd) -> None:
    """A copy across the end of what is mapped tells the first page that is not."""
    event = kfd.event(k.EVENT_MEMORY).id
    base = map_memory(2 * PAGE, protection=NOTHING)
    kfd.map(kfd.allocate(PAGE, k.GTT | k.WRITABLE, address=base).handle)
    good = kfd.buffer(2 * PAGE)
    queue = SdmaQueue(kfd)
    queue.copy(good.address, base, PAGE + 1)
    assert base + PAGE == kfd.wait(event, timeout=20000)[1][0].fault.address


@inside()
def test_freed_memory_cannot_be_reached(kfd: Kfd) -> None:
    """What was unmapped and freed is a fault, also while the CPU still has it."""
    event = kfd.event(k.EVENT_MEMORY).id
    buffer = kfd.buffer(PAGE)
    queue = SdmaQueue(kfd)
    queue.fence(buffer.address, 1)
    assert queue.done()
    kfd.unmap(buffer.handle)
    kfd.free(buffer.handle)
    queue.fence(buffer.address, 2)
    assert buffer.address == kfd.wait(event, timeout=20000)[1][0].fault.address
    assert 1 == word(buffer.address)


@inside()
def test_memory_is_freed_while_a_queue_uses_it(kfd: Kfd) -> None:
    """A queue that copies while memory goes faults or is done, and the program lives on."""
    event = kfd.event(k.EVENT_MEMORY, auto_reset=False).id
    target = kfd.buffer(256 * PAGE)
    for _ in range(20):
        source = kfd.buffer(256 * PAGE)
        queue = SdmaQueue(kfd)
        queue.copy(target.address, source.address, 256 * PAGE)
        kfd.unmap(source.handle)
        kfd.free(source.handle)

        def ended(queue: SdmaQueue = queue) -> bool:
            return queue.done(0) or kfd.wait(event)[0] == k.COMPLETE

        assert until(ended)
        queue.destroy()
