"""AQL queues: made and destroyed, barriers, completion, errors."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from typing import Any

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import (
    GPU,
    GPU2,
    PAGE,
    Kfd,
    map_memory,
    read_bytes,
    refusal,
    set_word,
    unmap_memory,
    until,
    word,
)
from tests.library.virtual_kfd.kfd_process import inside
from tests.library.virtual_kfd.kfd_queue import (
    AGENT_DISPATCH,
    BARRIER_OR,
    EQ,
    GTE,
    INVALID,
    LT,
    NE,
    RING,
    VENDOR,
    AqlQueue,
    Queue,
    SdmaQueue,
    Signals,
    set_value,
    value_of,
)

ILLEGAL_INSTRUCTION, DIMENSIONS, CODE, UNSUPPORTED, GROUP_SIZE, VENDOR_UNSUPPORTED = (
    4,
    16,
    18,
    20,
    21,
    23,
)
DOORBELLS = 8192


@inside("gfx90a-2")
def test_doorbells(kfd: Kfd) -> None:
    """A queue has a doorbell in the pages of its GPU, which are mapped as a whole."""
    first, second = Queue(kfd, k.AQL), Queue(kfd, k.SDMA, gpu=GPU2)
    assert (0, 1) == (first.id, second.id)
    for queue, gpu in ((first, GPU), (second, GPU2)):
        offset = queue.arguments.doorbell_offset
        assert (3, gpu) == (offset >> 62, offset >> 46 & 0xFFFF)
        assert 8 * queue.id == offset & DOORBELLS - 1
    offset = first.arguments.doorbell_offset
    doorbells = map_memory(DOORBELLS, descriptor=kfd.descriptor, offset=offset)
    set_word(doorbells, 5)
    again = map_memory(DOORBELLS, descriptor=kfd.descriptor, offset=offset)
    assert 5 == word(again)
    mapping = {"descriptor": kfd.descriptor, "offset": offset}
    assert "EINVAL" == refusal(map_memory, PAGE, **mapping)
    mapping["offset"] = 3 << 62 | 7 << 46
    assert "EINVAL" == refusal(map_memory, DOORBELLS, **mapping)


@inside()
def test_doorbells_are_memory_of_the_gpu_too(kfd: Kfd) -> None:
    """Doorbells can be had as a buffer, for a GPU to ring."""
    queue = AqlQueue(kfd)
    offset = queue.arguments.doorbell_offset
    doorbells = map_memory(DOORBELLS, descriptor=kfd.descriptor, offset=offset)
    buffer = kfd.allocate(DOORBELLS, k.DOORBELL | k.WRITABLE, address=doorbells)
    assert 3 == buffer.offset >> 62
    kfd.map(buffer.handle)
    copier = SdmaQueue(kfd)
    copier.fence(doorbells + 16, 9)
    assert copier.done()
    assert 9 == word(doorbells + 16)


@inside()
def test_bad_queues(kfd: Kfd) -> None:
    """Share, priority, size, type and GPU of a queue are checked."""
    wrong = [
        ({"percentage": 101}, "EINVAL"),
        ({"priority": 16}, "EINVAL"),
        ({"ring_size": 3 * 1024}, "EINVAL"),
        ({"gpu_id": 7}, "EINVAL"),
        ({"type": 5}, "524"),
    ]
    for options, expected in wrong:
        kind = options.pop("type", k.AQL)
        assert expected == refusal(Queue, kfd, kind, **options), options


@inside()
def test_a_queue_is_where_its_gpu_reaches_it(kfd: Kfd) -> None:
    """Ring and indices are in memory of the GPU, whole, or there is no queue."""
    beyond = map_memory(PAGE)
    for options in (
        {"ring": beyond},
        {"write_pointer": beyond},
        {"read_pointer": beyond},
        {"ring_size": 2 * RING},
        {"read_pointer": 0},
    ):
        assert "EINVAL" == refusal(Queue, kfd, k.AQL, **options), options


@inside()
def test_a_small_ring_is_made_larger(kfd: Kfd) -> None:
    """A ring of less than 1024 bytes is one of 1024."""
    assert 1024 == Queue(kfd, k.AQL, ring_size=64).arguments.ring_size


@inside()
def test_numbers_are_used_again(kfd: Kfd) -> None:
    """The number of a queue is the lowest that is free; unknown numbers are refused."""
    first, second = AqlQueue(kfd), AqlQueue(kfd)
    first.destroy()
    assert "EINVAL" == refusal(first.destroy)
    assert first.id == AqlQueue(kfd).id
    assert second.id == 1


@inside()
def test_the_number_of_queues_has_an_end(kfd: Kfd) -> None:
    """A process has 127 queues on a GPU, and a new one when one is destroyed."""
    state, ring = kfd.buffer(PAGE), kfd.buffer(RING)
    asked = {
        "ring": ring.address,
        "write_pointer": state.address,
        "read_pointer": state.address + 8,
        "ring_size": RING,
        "gpu_id": GPU,
        "percentage": 100,
        "type": k.AQL,
    }

    def create() -> int:
        return kfd.ioctl(k.CREATE_QUEUE, k.CreateQueue(**asked)).id

    queues = [create() for _ in range(127)]
    assert list(range(127)) == queues
    assert "ENOSPC" == refusal(create)
    kfd.ioctl(k.DESTROY_QUEUE, k.Id(5))
    assert 5 == create()


@inside()
def test_updates(kfd: Kfd) -> None:
    """An update is checked like a new queue, and is of one that there is."""
    queue = AqlQueue(kfd)
    assert "EINVAL" == refusal(queue.update, percentage=101)
    assert "EINVAL" == refusal(queue.update, priority=16)
    assert "EINVAL" == refusal(queue.update, ring_size=1000)
    queue.id = 99
    assert "EFAULT" == refusal(queue.update)
    assert "EINVAL" == refusal(queue.update, percentage=101)


@inside()
def test_masks_of_compute_units(kfd: Kfd) -> None:
    """A mask has whole words, at least one, and is of a queue that there is."""
    queue = AqlQueue(kfd)
    for bits, number, expected in (
        (32, queue.id, None),
        (0, queue.id, "EINVAL"),
        (31, queue.id, "EINVAL"),
        (32, 99, "EFAULT"),
    ):
        asked = k.CuMask(id=number, bits=bits, mask=queue.state.address)
        assert expected == refusal(kfd.ioctl, k.SET_CU_MASK, asked)


@inside("gfx90a-2")
def test_global_wave_sync_belongs_to_one_queue_of_a_device(kfd: Kfd) -> None:
    """It can be taken once on each device, and again when it was given back or its queue ended."""

    def take(queue: Queue, count: int = 1) -> str | None:
        return refusal(kfd.ioctl, k.ALLOC_QUEUE_GWS, k.Gws(queue=queue.id, count=count))

    first, second, elsewhere = AqlQueue(kfd), AqlQueue(kfd), AqlQueue(kfd, gpu=GPU2)
    assert "EINVAL" == take(first, 0)
    assert [None, "EBUSY", "EBUSY", None] == [take(q) for q in (first, first, second, elsewhere)]
    assert [None, None] == [take(first, 0), take(second)]
    second.destroy()
    assert "EINVAL" == take(second)
    assert None is take(first)


@inside()
def test_a_queue_without_a_share_rests(kfd: Kfd) -> None:
    """Without a share, or a ring, a queue does nothing until it has one again."""
    queue = AqlQueue(kfd)
    for rest in ({"percentage": 0}, {"ring": 0}, {"ring_size": 0}):
        queue.update(**rest)
        queue.barrier()
        assert queue.rests(), rest
        queue.update()
        assert queue.done(), rest


@inside()
def test_modes_are_changed_before_there_are_queues(kfd: Kfd) -> None:
    """With a queue, the runtime is not enabled, and retrying is not switched."""
    queue = AqlQueue(kfd)
    assert "EEXIST" == refusal(kfd.ioctl, k.RUNTIME_ENABLE, k.Runtime(mode=1))
    assert "EBUSY" == refusal(kfd.ioctl, k.SET_XNACK_MODE, k.Xnack(0))
    queue.destroy()
    assert refusal(kfd.ioctl, k.SET_XNACK_MODE, k.Xnack(0)) is None


@inside()
def test_a_packet_is_done(kfd: Kfd) -> None:
    """A packet that is done is INVALID, and the read index is behind it."""
    queue = AqlQueue(kfd)
    slots = [queue.barrier() for _ in range(3)]
    assert queue.done()
    assert 3 == word(queue.read)
    assert [INVALID] * 3 == [k.u16.from_address(slot).value for slot in slots]


@inside()
def test_a_ring_is_used_again(kfd: Kfd) -> None:
    """After the last slot of the ring comes the first."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    count = signals.new(0)
    for _ in range(3 * RING // 64):
        queue.barrier(completion=count)
        assert queue.done()
    assert until(lambda: value_of(count) == -3 * RING // 64)


@inside()
def test_packets_in_order_of_their_headers(kfd: Kfd) -> None:
    """A packet whose header is not written yet holds up those behind it."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    last = signals.new(1)
    set_word(queue.written, 1)
    queue.barrier(completion=last)
    assert queue.rests()
    assert 1 == value_of(last)
    k.u16.from_address(queue.ring.address + 2).value = 0
    k.u16.from_address(queue.ring.address).value = 3
    assert queue.done()
    assert until(lambda: value_of(last) == 0)


@inside()
def test_barrier_and(kfd: Kfd) -> None:
    """It waits until all of its signals are 0, those that are and those that come to be."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    zero, later, last = signals.new(0), signals.new(2), signals.new(-1)
    completion = signals.new(1)
    queue.barrier(zero, later, last, completion=completion)
    assert queue.rests()
    set_value(later, 0)
    assert queue.rests()
    set_value(last, 0)
    assert queue.done()
    assert until(lambda: value_of(completion) == 0)


@inside()
def test_barrier_or(kfd: Kfd) -> None:
    """It waits until one of its signals is 0."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    one, other = signals.new(1), signals.new(1)
    queue.barrier(one, other, kind=BARRIER_OR)
    assert queue.rests()
    set_value(other, 0)
    assert queue.done()


@inside()
def test_barriers_without_signals(kfd: Kfd) -> None:
    """With nothing to wait for, both kinds are done at once."""
    queue = AqlQueue(kfd)
    queue.barrier()
    queue.barrier(kind=BARRIER_OR)
    assert queue.done()


@inside()
def test_barrier_value(kfd: Kfd) -> None:
    """It waits for its condition of the signal's value, compared with a sign."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    for condition, waiting, met in (
        (EQ, 6, 5),
        (NE, 5, 6),
        (LT, 5, 4),
        (LT, 6, -1),
        (GTE, 4, 5),
        (GTE, -1, 6),
    ):
        signal = signals.new(waiting)
        queue.barrier_value(signal, condition, 5)
        assert queue.rests(), condition
        set_value(signal, met)
        assert queue.done(), condition


@inside()
def test_barrier_value_looks_through_a_mask(kfd: Kfd) -> None:
    """Only the bits of the mask are compared."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    completion = signals.new(1)
    queue.barrier_value(signals.new(0xF5), EQ, 5, mask=0xF, completion=completion)
    assert queue.done()
    assert until(lambda: value_of(completion) == 0)
    queue.barrier_value(0, EQ, 5)
    assert queue.done()


@inside()
def test_completion(kfd: Kfd) -> None:
    """A completed packet counts its signal down by one, notes times, and wakes who waits."""
    page, event = kfd.event_page()
    queue, signals = AqlQueue(kfd), Signals(kfd)
    signal = signals.new(7, mailbox=page.address + 8 * event.slot, event=event.id)
    before = kfd.ioctl(k.GET_CLOCK_COUNTERS, k.Clocks(gpu_id=GPU)).gpu
    queue.barrier(completion=signal)
    assert k.COMPLETE == kfd.wait(event.id, timeout=20000)[0]
    after = kfd.ioctl(k.GET_CLOCK_COUNTERS, k.Clocks(gpu_id=GPU)).gpu
    assert 6 == value_of(signal)
    assert before <= word(signal + 32) <= word(signal + 40) <= after


@inside()
def test_one_queue_waits_for_another(kfd: Kfd) -> None:
    """Packets of one queue wait for signals that another counts down."""
    first, second, signals = AqlQueue(kfd), AqlQueue(kfd), Signals(kfd)
    signal, begin = signals.new(1), signals.new(1)
    second.barrier(signal)
    first.barrier(begin, completion=signal)
    assert second.rests()
    set_value(begin, 0)
    assert second.done()


@inside()
def test_dispatches_never_succeed(kfd: Kfd) -> None:
    """No kernel is executed: each kind of dispatch is an error, and completes nothing."""
    signals = Signals(kfd)
    options: dict[str, Any]
    for options, expected in (
        ({}, ILLEGAL_INSTRUCTION),
        ({"code": 0}, CODE),
        ({"dimensions": 0}, DIMENSIONS),
        ({"group": (0, 1, 1)}, DIMENSIONS),
        ({"grid": (0, 1, 1)}, DIMENSIONS),
        ({"grid": (64, 2, 1)}, DIMENSIONS),
        ({"group": (1025, 1, 1)}, GROUP_SIZE),
        ({"group": (65535, 65535, 65535), "dimensions": 3}, GROUP_SIZE),
    ):
        queue, signal = AqlQueue(kfd), signals.new(1)
        queue.dispatch(completion=signal, **options)
        assert {expected} == queue.error(), options
        assert (1, 0) == (value_of(signal), word(queue.read))
        queue.destroy()


@inside()
def test_packets_that_no_gpu_takes(kfd: Kfd) -> None:
    """Packets of an unknown type, for other agents, and of unknown vendor formats are errors."""
    for kind in (AGENT_DISPATCH, 6, 255):
        queue = AqlQueue(kfd)
        queue.put(kind, b"")
        assert {UNSUPPORTED} == queue.error()
    queue = AqlQueue(kfd)
    queue.barrier_value(0, EQ, 0, form=9)
    assert {VENDOR_UNSUPPORTED} == queue.error()
    queue = AqlQueue(kfd)
    queue.barrier_value(0, 4, 0)
    assert {VENDOR_UNSUPPORTED} == queue.error()


@inside()
def test_a_queue_with_an_error_stays_stopped(kfd: Kfd) -> None:
    """After an error a queue does nothing more, though it is updated; others go on."""
    broken, other = AqlQueue(kfd), AqlQueue(kfd)
    broken.put(AGENT_DISPATCH, b"")
    assert {UNSUPPORTED} == broken.error()
    k.u16.from_address(broken.ring.address).value = 3
    broken.update()
    assert broken.rests()
    other.barrier()
    assert other.done()
    broken.destroy()


@inside()
def test_errors_without_a_save_area(kfd: Kfd) -> None:
    """Where there is no room for a report, the queue's own signal gets a code, with an event."""
    page, event = kfd.event_page()
    signals = Signals(kfd)
    for kind, code in ((AGENT_DISPATCH, 32), (0, 256)):
        queue = AqlQueue(kfd, save_area=0)
        signal = signals.new(0, mailbox=page.address + 8 * event.slot, event=event.id)
        set_word(queue.state.address + 192, signal)
        queue.put(kind, b"")
        assert k.COMPLETE == kfd.wait(event.id, timeout=20000)[0]
        assert code == value_of(signal)


@inside()
def test_a_save_area_that_is_gone(kfd: Kfd) -> None:
    """An error of a queue whose save area is gone hurts nobody."""
    area = map_memory(PAGE)
    queue = AqlQueue(kfd, save_area=area)
    unmap_memory(area, PAGE)
    queue.put(AGENT_DISPATCH, b"")
    assert queue.rests()
    queue.destroy()


@inside("gfx90a-2")
def test_signals_have_to_be_where_the_gpu_reaches_them(kfd: Kfd) -> None:
    """A signal in memory that the GPU was not given is a fault at its address."""
    event = kfd.event(k.EVENT_MEMORY).id
    hidden = Signals(kfd, gpus=(GPU2,))
    waited: list[Callable[[AqlQueue], object]] = [
        lambda queue: queue.barrier(hidden.new(0)),
        lambda queue: queue.barrier(hidden.new(0), kind=BARRIER_OR),
        lambda queue: queue.barrier_value(hidden.new(0), EQ, 0),
        lambda queue: queue.barrier(completion=hidden.new(1)),
    ]
    for put in waited:
        queue = AqlQueue(kfd)
        put(queue)
        result, data = kfd.wait(event, timeout=20000)
        assert (k.COMPLETE, hidden.page.address) == (result, data[0].fault.address)
        assert GPU == data[0].fault.gpu_id
        queue.destroy()


@inside()
def test_a_mailbox_that_the_gpu_does_not_reach(kfd: Kfd) -> None:
    """A mailbox in memory that the GPU was not given is a fault."""
    event = kfd.event(k.EVENT_MEMORY).id
    mailbox = map_memory(PAGE)
    queue = AqlQueue(kfd)
    queue.barrier(completion=Signals(kfd).new(1, mailbox=mailbox, event=1))
    assert mailbox == kfd.wait(event, timeout=20000)[1][0].fault.address
    assert bytes(8) == read_bytes(mailbox, 8)


@inside()
def test_a_ring_that_is_taken_away(kfd: Kfd) -> None:
    """A queue whose ring is unmapped faults; it neither crashes nor goes on."""
    event = kfd.event(k.EVENT_MEMORY).id
    queue = AqlQueue(kfd)
    kfd.unmap(queue.ring.handle)
    queue.barrier()
    assert queue.ring.address == kfd.wait(event, timeout=20000)[1][0].fault.address
    queue.destroy()


@inside()
def test_user_memory_that_is_taken_away(kfd: Kfd) -> None:
    """A signal in memory that the program unmapped is a fault, and the program lives on."""
    event = kfd.event(k.EVENT_MEMORY).id
    address = map_memory(PAGE)
    user = kfd.allocate(PAGE, k.USERPTR | k.WRITABLE, address=address, user=address)
    kfd.map(user.handle)
    set_value(address, 1)
    queue = AqlQueue(kfd)
    queue.barrier(address)
    assert queue.rests()
    unmap_memory(address, PAGE)
    assert address == kfd.wait(event, timeout=20000)[1][0].fault.address


@inside()
def test_destroying_a_queue_that_waits(kfd: Kfd) -> None:
    """A queue whose packet waits for ever is destroyed at once."""
    for _ in range(20):
        queue = AqlQueue(kfd)
        queue.barrier(Signals(kfd).new(1))
        began = time.monotonic()
        queue.destroy()
        assert time.monotonic() - began < 1


@inside("slow")
def test_a_slow_queue(kfd: Kfd) -> None:
    """On a slow machine each packet takes its time, and is done."""
    queue = AqlQueue(kfd)
    began = time.monotonic()
    for _ in range(10):
        queue.barrier()
    assert queue.done()
    assert time.monotonic() - began > 0.015


@inside()
def test_commands_that_clean_caches_are_carried_out(kfd: Kfd) -> None:
    """A packet that points to them completes; commands that do more are refused."""
    signals, commands = Signals(kfd), kfd.buffer(PAGE)
    nop, acquire, write = 0xC0001000, 0xC0055800, 0xC0033700
    jump = (0xC0023F00, commands.address & 0xFFFFFFFF, commands.address >> 32)

    def run(queue: AqlQueue, *words: int) -> int:
        for offset, value in enumerate(words):
            k.u32.from_address(commands.address + 4 * offset).value = value
        done = signals.new()
        body = struct.pack("<H4II32xQ", 1, *jump, len(words) | 1 << 23, 10, done)
        queue.put(VENDOR, body)
        return done

    queue = AqlQueue(kfd)
    done = run(queue, nop, 0, acquire, *[0] * 6)
    assert queue.done()
    assert 0 == value_of(done)
    done = run(queue, write, *[0] * 4)
    assert {VENDOR_UNSUPPORTED} == queue.error()
    assert 1 == value_of(done)
