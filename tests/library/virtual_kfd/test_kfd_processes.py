"""Forks, threads and descriptors: what a process has, and what shows of the imitation."""

from __future__ import annotations

import os
import resource
import threading
import time

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import (
    GPU,
    PAGE,
    Kfd,
    map_memory,
    refusal,
    unmap_memory,
    until,
)
from tests.library.virtual_kfd.kfd_drm import Device
from tests.library.virtual_kfd.kfd_process import elsewhere, inside
from tests.library.virtual_kfd.kfd_queue import AqlQueue, SdmaQueue, Signals, set_value, value_of


def descriptors() -> set[int]:
    """Return the open descriptors below the soft limit."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    listed = {int(name) for name in os.listdir("/proc/self/fd")}  # noqa: PTH208
    # That of the listing itself is gone by now.
    return {number for number in listed if number < limit and refusal(os.fstat, number) is None}


@inside()
def test_a_child_has_nothing_of_its_parent(kfd: Kfd) -> None:
    """In a child, handles, events, queues and attributes of its parent are unknown."""
    buffer, event, queue = kfd.buffer(PAGE), kfd.event().id, AqlQueue(kfd)
    start = map_memory(PAGE)
    kfd.svm_set(start, PAGE, (k.GRANULARITY, 4))

    def look() -> list[object]:
        other = Kfd()
        queue.kfd = other
        return [
            refusal(other.free, buffer.handle),
            refusal(other.set_event, event),
            refusal(queue.destroy),
            other.svm_get(start, PAGE, k.GRANULARITY),
        ]

    assert ["EINVAL", "EINVAL", "EINVAL", (9,)] == elsewhere(look)
    kfd.set_event(event)
    kfd.unmap(buffer.handle)
    kfd.free(buffer.handle)
    queue.barrier()
    assert queue.done()


@inside()
def test_a_childs_descriptor_of_its_parent(kfd: Kfd) -> None:
    """A child cannot use the driver through what its parent opened, nor through copies of it."""
    copy = os.dup(kfd.descriptor)

    def use() -> list[str | None]:
        answers = [refusal(kfd.available)]
        kfd.descriptor = copy
        return [*answers, refusal(kfd.available), refusal(Kfd().available)]

    assert ["EBADF", "EBADF", None] == elsewhere(use)
    kfd.descriptor = copy
    assert refusal(kfd.available) is None


@inside()
def test_a_child_of_a_child() -> None:
    """A child that uses the driver can have children that do, too."""

    def use(depth: int) -> int:
        kfd = Kfd()
        buffer = kfd.buffer(PAGE)
        queue = SdmaQueue(kfd)
        queue.fence(buffer.address, depth)
        assert queue.done()
        return elsewhere(use, depth - 1) + 1 if depth else 0

    assert 3 == use(3)


@inside()
def test_forks_while_everything_runs(kfd: Kfd) -> None:
    """Children of a process whose queues and threads are busy begin with an unlocked driver."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    count = signals.new(0)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            queue.barrier(completion=count)
            assert queue.done()
            kfd.free(kfd.allocate(PAGE).handle)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(20):
            assert elsewhere(lambda: refusal(Kfd().allocate, PAGE)) is None
    finally:
        stop.set()
        thread.join()
    assert queue.done()
    assert until(lambda: value_of(count) < 0)


@inside()
def test_many_threads(kfd: Kfd) -> None:
    """Calls of several threads, with queues that come and go, do not disturb each other."""
    failures = []

    def work() -> None:
        try:
            for _ in range(10):
                buffer = kfd.buffer(PAGE)
                queue = SdmaQueue(kfd)
                queue.fence(buffer.address, 5)
                assert queue.done()
                queue.destroy()
                kfd.unmap(buffer.handle)
                kfd.free(buffer.handle)
        except (OSError, AssertionError) as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == failures


@inside()
def test_two_threads_destroy_one_queue(kfd: Kfd) -> None:
    """Of two that destroy a queue at once, one does and the other is refused."""
    for _ in range(20):
        queue = AqlQueue(kfd)
        answers: list[str | None] = []

        def destroy(queue: AqlQueue = queue, answers: list[str | None] = answers) -> None:
            answers.append(refusal(queue.destroy))

        threads = [threading.Thread(target=destroy) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert {None, "EINVAL"} == set(answers)


@inside()
def test_a_process_ends_with_busy_queues() -> None:
    """A process may end while its queues work and its threads wait."""

    def use() -> None:
        kfd = Kfd()
        event = kfd.event().id
        threading.Thread(target=lambda: kfd.wait(event, timeout=k.FOREVER), daemon=True).start()
        queue, copier = AqlQueue(kfd), SdmaQueue(kfd)
        target = kfd.buffer(256 * PAGE)
        for _ in range(20):
            copier.fill(target.address, 1, 128 * PAGE)
        queue.barrier(Signals(kfd).new(1))
        time.sleep(0.005)

    for _ in range(5):
        elsewhere(use)


@inside()
def test_the_imitations_descriptors_do_not_show(kfd: Kfd) -> None:
    """Below the soft limit there is nothing that the real driver would not have opened."""
    before = descriptors()
    buffers = [kfd.buffer(PAGE) for _ in range(20)]
    kfd.ipc_export(buffers[0].handle)
    kfd.event()
    queue = AqlQueue(kfd)
    offset = queue.arguments.doorbell_offset
    map_memory(8192, descriptor=kfd.descriptor, offset=offset)
    assert before == descriptors()
    shown = {kfd.export(buffers[0].handle), Device(kfd).descriptor()}
    assert before | shown == descriptors()


@inside()
def test_descriptors_of_freed_memory_are_closed(kfd: Kfd) -> None:
    """Memory that is freed leaves no descriptor and no mapping behind."""

    def use() -> None:
        buffer = kfd.buffer(PAGE)
        queue = SdmaQueue(kfd)
        queue.fence(buffer.address, 1)
        assert queue.done()
        queue.destroy()
        for each in (buffer, queue.ring, queue.state):
            kfd.unmap(each.handle)
            kfd.free(each.handle)
            unmap_memory(each.address, each.size)

    def state() -> tuple[int, int]:
        with open("/proc/self/maps") as maps:  # noqa: PTH123
            mappings = sum("memfd" in line for line in maps)
        return len(os.listdir("/proc/self/fd")), mappings  # noqa: PTH208

    use()
    before = state()
    for _ in range(10):
        use()
    assert before == state()


@inside()
def test_a_child_closes_what_it_has_of_its_parent(kfd: Kfd) -> None:
    """A child has none of the descriptors of its parent's memory."""
    for _ in range(50):
        kfd.buffer(PAGE)
    own = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    inherited = elsewhere(lambda: len(os.listdir("/proc/self/fd")))  # noqa: PTH208
    assert inherited <= own - 50


@inside()
def test_a_busy_wait_does_not_stop_others(kfd: Kfd) -> None:
    """While a thread waits for an event, and a queue for a signal, calls are answered."""
    event = kfd.event().id
    waiting = threading.Thread(target=lambda: kfd.wait(event, timeout=k.FOREVER))
    waiting.start()
    signal = Signals(kfd).new(1)
    queue = AqlQueue(kfd)
    queue.barrier(signal)
    began = time.monotonic()
    for _ in range(200):
        kfd.free(kfd.allocate(PAGE, gpu=GPU).handle)
    assert time.monotonic() - began < 5
    set_value(signal, 0)
    assert queue.done()
    kfd.set_event(event)
    waiting.join()
