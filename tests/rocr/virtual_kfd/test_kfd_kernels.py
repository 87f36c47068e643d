"""A device that executes kernels: what they reach, how they end, and what ends with them."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, PAGE, Kfd, map_memory, unmap_memory, until
from tests.library.virtual_kfd.kfd_process import inside
from tests.library.virtual_kfd.kfd_queue import AqlQueue, value_of
from tests.rocr.device.device_kernels import lacking, scratch_sums
from tests.rocr.virtual_kfd.kfd_kernels import Kernels, words

pytestmark = pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-")

DIRECT, ASKING = "gfx90a+device", "gfx90a+asking"
_STACK = 4096
WAVE_ABORT, WAVE_TRAP, ILLEGAL, GROUP_SEGMENT = 1, 2, 4, 17


def both_ways(function: Callable[[Kfd], None]) -> Callable[..., None]:
    """Make two tests of a function: on a device that reaches into programs, and one that asks."""
    tests = [inside(machine)(function) for machine in (DIRECT, ASKING)]

    @pytest.mark.parametrize("way", ["direct", "asking"])
    def test(servers: Callable[..., object], way: str) -> None:
        tests[way == "asking"](servers)

    made: Any = test
    made.inside, made.__doc__ = function, function.__doc__
    return test


@both_ways
def test_memory_of_the_program_and_of_the_gpu(kfd: Kfd) -> None:
    """A kernel copies from one to the other and back; more words than a message holds."""
    kernels, count = Kernels(kfd), 640 << 10
    given, found = kernels.host(4 * count), kernels.host(4 * count)
    _, there = kernels.device(4 * count)
    given[:] = np.random.default_rng(1).integers(0, 2**32, count)
    kernels.run("vector_copy", given, there, grid=count, group=256)
    kernels.run("vector_copy", there, found, grid=count, group=256)
    assert [] == np.flatnonzero(given != found).tolist()


@inside(DIRECT)
def test_scratch_and_lds_that_kernels_find_by_generic_addresses(kfd: Kfd) -> None:
    """Neither is memory of the program."""
    kernels, found = Kernels(kfd), Kernels(kfd).host(PAGE)
    kernels.run("generic_local", found, grid=128)
    assert [sum(3 * i * i for i in range(n % 64)) for n in range(128)] == found[:128].tolist()
    kernels.run("scratch", found, grid=64, private=_STACK)
    assert scratch_sums(64) == found[:64].tolist()
    kernels.run("recursion", found, private=_STACK)
    assert [0, 1, 1, 2, 3, 5, 8, 13] * 8 == found[:64].tolist()


def sees_lds(kfd: Kfd) -> None:
    """Kernels see LDS where the driver says, which runtimes write into queues."""
    (aperture,) = array = (k.Aperture * 1)()
    kfd.ioctl(k.GET_PROCESS_APERTURES_NEW, k.Apertures(ctypes.addressof(array), 1))
    upper = aperture.lds_base >> 32
    kernels, queue, found = Kernels(kfd), AqlQueue(kfd), Kernels(kfd).host(PAGE)
    k.u32.from_address(queue.state.address + 64).value = upper
    done = kernels.submit(queue, "aperture", found, grid=1, group=1)
    assert until(lambda: value_of(done) == 0)
    assert [upper, upper] == found[:2].tolist()


@inside(DIRECT)
def test_where_kernels_see_lds(kfd: Kfd) -> None:
    sees_lds(kfd)


@inside("gfx90a-otherwise+device")
def test_where_kernels_see_lds_on_a_machine_that_does_otherwise(kfd: Kfd) -> None:
    sees_lds(kfd)


@inside(DIRECT)
def test_it_is_written_down_how_instructions_were_executed(kfd: Kfd) -> None:
    """Each has a line, once for each queue."""
    kernels, found = Kernels(kfd), Kernels(kfd).host(PAGE)
    written = Path(os.environ["HSA_VIRTUAL_KFD"]) / "executed"
    written.unlink(missing_ok=True)
    kernels.run("generic_local", found, grid=128)
    lines = written.read_text().splitlines()
    assert "exact s_endpgm" in lines
    assert len(set(lines)) == len(lines)


@both_ways
def test_writes_between_which_others_write(kfd: Kfd) -> None:
    """What lies between the words that a kernel writes is not touched."""
    kernels = Kernels(kfd)
    given, found = kernels.host(PAGE), kernels.host(PAGE)
    given[:], found[:] = np.arange(1024) * 3 + 1, 7
    kernels.run("spread", given, found, grid=256)
    wanted = np.full(1024, 7)
    wanted[::4] = given[:256]
    assert wanted.tolist() == found.tolist()


@both_ways
def test_atomic_operations_of_two_queues_lose_nothing(kfd: Kfd) -> None:
    """Neither in memory of the program, nor in that of the GPU."""
    kernels = Kernels(kfd)
    given = kernels.host(4 * 2560)
    given[:2560] = np.arange(2560)
    for counts in (kernels.host(PAGE), kernels.device(PAGE)[1]):
        queues = [AqlQueue(kfd) for _ in range(2)]
        done = [kernels.submit(q, "histogram", given, counts, grid=2560) for q in queues]
        assert until(lambda: not any(map(value_of, done)))  # noqa: B023 - it is called here
        assert [80] * 64 == counts[:64].tolist()


@both_ways
def test_kernels_wait_for_the_program(kfd: Kfd) -> None:
    """What it writes while a kernel runs is seen."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    word, found = kernels.host(PAGE), kernels.host(PAGE)
    done = kernels.submit(queue, "wait_for_host", word, found)
    time.sleep(0.1)
    assert 1 == value_of(done)
    word[0] = 9
    assert until(lambda: value_of(done) == 0)
    assert [9] * 64 == found[:64].tolist()


@inside(DIRECT)
def test_a_wave_wakes_who_waits_for_an_event(kfd: Kfd) -> None:
    """It writes to the event's slot and interrupts; other events stay as they are."""
    page, event = kfd.event_page()
    other = kfd.event().id
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    kernels.submit(queue, "interrupt", page.address + 8 * event.slot, event.id, grid=1, group=1)
    assert 0 == kfd.wait(event.id, timeout=20000)[0]
    assert 0 != kfd.wait(other, timeout=0)[0]


@inside(DIRECT)
def test_two_queues_wait_for_each_other(kfd: Kfd) -> None:
    """A kernel waits for a word that one on another queue writes, which was dispatched later."""
    kernels, queues = Kernels(kfd), [AqlQueue(kfd) for _ in range(2)]
    _, word = kernels.device(PAGE)
    source, found = kernels.host(PAGE), kernels.host(PAGE)
    source[:] = 5
    waits = kernels.submit(queues[0], "wait_for_host", word, found)
    kernels.submit(queues[1], "vector_copy", source, word)
    assert until(lambda: value_of(waits) == 0)
    assert [5] * 64 == found[:64].tolist()


@inside(DIRECT)
def test_packets_of_a_queue_are_executed_in_order(kfd: Kfd) -> None:
    """A hundred kernels, each of which takes what the one before has left."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    word = kernels.host(PAGE)
    word[:2] = 1, 0
    signals = [kernels.submit(queue, "compare_and_swap", word, group=1, grid=1) for _ in range(60)]
    assert until(lambda: not any(map(value_of, signals)))
    wanted = 1
    for _ in range(60):
        wanted = (wanted * 5 + 1) % 2**64
    assert [wanted % 2**32, wanted >> 32] == word[:2].tolist()


def ends(kfd: Kfd, name: str, local: int = 65536) -> set[int]:
    """Return what a queue is told of a kernel that ends before its time."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    done = kernels.submit(queue, name, kernels.host(PAGE), grid=128, local=local)
    told = queue.error()
    assert 1 == value_of(done)
    return told


@inside(DIRECT)
def test_a_trap_ends_the_queue(kfd: Kfd) -> None:
    assert {WAVE_TRAP} == ends(kfd, "trap")


@inside(DIRECT)
def test_an_illegal_instruction_ends_the_queue(kfd: Kfd) -> None:
    assert {ILLEGAL} == ends(kfd, "no_instruction")


@inside(DIRECT)
def test_what_the_device_lacks_ends_the_queue_and_is_told(kfd: Kfd) -> None:
    """A wave is aborted, and the machine names the instruction."""
    assert {WAVE_ABORT} == ends(kfd, "not_executed")
    told = Path(os.environ["HSA_VIRTUAL_KFD"], "lacking").read_text()
    assert "the device does not execute s_sethalt (" in told


@inside(DIRECT)
def test_more_lds_than_there_is_ends_the_queue(kfd: Kfd) -> None:
    assert {GROUP_SEGMENT} == ends(kfd, "vector_copy", local=65540)


@both_ways
def test_a_memory_fault_is_told(kfd: Kfd) -> None:
    """The event has the address; the dispatch never completes."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    event = kfd.event(k.EVENT_MEMORY).id
    found = kernels.host(PAGE)
    done = kernels.submit(queue, "wild_store", found)
    result, data = kfd.wait(event, timeout=20000)
    assert 0 == result
    assert (found.ctypes.data + (4 << 40), 1) == (data[0].fault.address, value_of(done))


@both_ways
def test_memory_that_the_program_took_away(kfd: Kfd) -> None:
    """A kernel that reads it meets a fault, and the program does not."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    event = kfd.event(k.EVENT_MEMORY).id
    given, found = kernels.host(PAGE), kernels.host(PAGE)
    address = given.ctypes.data
    unmap_memory(address, PAGE)
    kernels.submit(queue, "vector_copy", address, found)
    result, data = kfd.wait(event, timeout=20000)
    assert (0, address) == (result, data[0].fault.address & -PAGE)


@both_ways
def test_a_destroyed_queue_ends_its_waves_at_once(kfd: Kfd) -> None:
    """Nothing is written any more once the call has come back."""
    kernels = Kernels(kfd)
    count = kernels.host(PAGE)
    for _ in range(5):
        queue = AqlQueue(kfd)
        before = int(count[0])
        kernels.submit(queue, "endless", count, grid=640)
        assert until(lambda: count[0] > before)  # noqa: B023 - it is called here
        began = time.monotonic()
        queue.destroy()
        seconds, last = time.monotonic() - began, int(count[0])
        time.sleep(0.05)
        assert (last, True) == (count[0], seconds < 5)


@inside(DIRECT)
def test_memory_is_taken_from_kernels_that_run(kfd: Kfd) -> None:
    """Nothing is written once the GPU does not reach it, and the kernel meets a fault."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    event = kfd.event(k.EVENT_MEMORY).id
    buffer, count = kernels.device(PAGE)
    kernels.submit(queue, "endless", count, grid=640)
    assert until(lambda: count[0] > 0)
    kfd.unmap(buffer.handle)
    last = int(count[0])
    result, data = kfd.wait(event, timeout=20000)
    assert (0, buffer.address) == (result, data[0].fault.address)
    assert last == count[0]


@inside(DIRECT)
def test_access_to_shared_virtual_memory_is_taken_from_kernels_that_run(kfd: Kfd) -> None:
    """The kernel meets a fault where it had access before."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    event = kfd.event(k.EVENT_MEMORY).id
    address = map_memory(PAGE)
    count = words(address, PAGE)
    kfd.svm_set(address, PAGE, (k.ACCESS, GPU))
    kernels.submit(queue, "endless", count, grid=640)
    assert until(lambda: count[0] > 0)
    kfd.svm_set(address, PAGE, (k.NO_ACCESS, GPU))
    last = int(count[0])
    result, data = kfd.wait(event, timeout=20000)
    assert (0, address) == (result, data[0].fault.address)
    assert last == count[0]


def processes() -> list[int]:
    """Return the processes of queues of this machine's device."""
    folder, found = os.environ["HSA_VIRTUAL_KFD"].encode(), []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            words_of, status = (each / "cmdline").read_bytes(), (each / "stat").read_text()
            parent = Path(f"/proc/{status.rpartition(')')[2].split()[1]}/cmdline").read_bytes()
        except OSError:
            continue
        if all(b"hsa_device.server" in w and folder in w for w in (words_of, parent)):
            found.append(int(each.name))
    return found


@inside(DIRECT)
def test_a_device_that_dies_is_the_queues_error(kfd: Kfd) -> None:
    """A wave was aborted; another queue gets a device of its own."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    given, found = kernels.host(PAGE), kernels.host(PAGE)
    kernels.submit(queue, "endless", found)
    assert until(lambda: found[0] > 0)
    for each in processes():
        os.kill(each, signal.SIGKILL)
    assert {WAVE_ABORT} == queue.error()
    given[:] = 3
    kernels.run("vector_copy", given, found)
    assert [3] * 64 == found[:64].tolist()


@inside(DIRECT)
def test_a_device_ends_with_its_program(kfd: Kfd) -> None:
    """However that ends, and whatever the kernel does."""
    child = os.fork()
    if not child:
        own = Kfd()
        kernels, queue = Kernels(own), AqlQueue(own)
        count = kernels.host(PAGE)
        kernels.submit(queue, "endless", count)
        until(lambda: count[0] > 0)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert until(lambda: not processes(), 5)


@inside(DIRECT)
def test_a_forked_child_has_a_device_once_it_opens_the_driver(kfd: Kfd) -> None:
    """And its end leaves that of its parent."""
    kernels, queue = Kernels(kfd), AqlQueue(kfd)
    given, found = kernels.host(PAGE), kernels.host(PAGE)
    given[:] = 3
    first = kernels.submit(queue, "vector_copy", given, found)
    assert until(lambda: value_of(first) == 0)
    child = os.fork()
    if not child:
        own = Kfd()
        others = Kernels(own)
        mine, target = others.host(PAGE), others.host(PAGE)
        mine[:] = 8
        others.run("vector_copy", mine, target)
        os._exit(int(target[0]) == 8)
    assert 1 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found[:] = 0
    done = kernels.submit(queue, "vector_copy", given, found)
    assert until(lambda: value_of(done) == 0)
    assert [3] * 64 == found[:64].tolist()
