"""Scratch is the runtime's: it is asked for through the inactive signal of a queue."""

from __future__ import annotations

import time

import pytest

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import PAGE, Kfd, set_word, until, word
from tests.library.virtual_kfd.kfd_process import inside
from tests.library.virtual_kfd.kfd_queue import AqlQueue, ScratchForm, Signals, set_value, value_of
from tests.rocr.device.device_kernels import lacking, scratch_sums
from tests.rocr.virtual_kfd.kfd_kernels import Kernels

pytestmark = pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-")

MACHINE = "gfx90a+device"
STACK = 4096
INSUFFICIENT, USED_ONCE, INSUFFICIENT_FOR_32, ENDED = 1, 512, 1024, -1
RECLAIMING, DIES = "gfx942-kernels+device", 8
needs_19 = pytest.mark.skipif(bool(lacking("gfx942")), reason=lacking("gfx942") or "-")


def queue_and_signal(kfd: Kfd) -> tuple[AqlQueue, int]:
    """Return a queue without scratch, and its inactive signal."""
    queue, signal = AqlQueue(kfd), Signals(kfd).new(0)
    set_word(queue.state.address + 192, signal)
    return queue, signal


def ends(done: int) -> bool:
    """Wait until the dispatch with this completion signal is complete; False if it is not."""
    return until(lambda: value_of(done) == 0)


@inside(MACHINE)
def test_a_dispatch_waits_for_the_scratch_that_it_asks_for(kfd: Kfd) -> None:
    """It asks as often as it needs more, and not where there is enough."""
    kernels = Kernels(kfd)
    found = kernels.host(PAGE)
    queue, signal = queue_and_signal(kfd)
    for size in (STACK, 2 * STACK):
        done = kernels.submit(queue, "scratch", found, private=size)
        assert until(lambda: value_of(signal) == INSUFFICIENT)
        assert 1 == value_of(done)
        queue.give_scratch(size, 2)
        set_value(signal, 0)
        assert ends(done)
        assert scratch_sums(64) == found[:64].tolist()
    done = kernels.submit(queue, "scratch", found, private=STACK)
    assert ends(done)
    assert 0 == value_of(signal)


@inside(MACHINE)
def test_a_kernel_finds_the_scratch_that_was_given(kfd: Kfd) -> None:
    """What waves leave behind lies in it; those that it has no room for wait for it."""
    kernels, found = Kernels(kfd), Kernels(kfd).host(4 * PAGE)
    queue, _ = queue_and_signal(kfd)
    queue.give_scratch(STACK, 2)
    place = word(queue.state.address + 160)
    done = kernels.submit(queue, "scratch", found, grid=1024, group=128, private=STACK)
    assert ends(done)
    assert scratch_sums(128) * 8 == found[:1024].tolist()
    assert any(word(place + at) for at in range(0, 64 * STACK, 8))


@inside(MACHINE)
def test_scratch_for_one_dispatch_is_given_back(kfd: Kfd) -> None:
    """The dispatch is complete once the runtime has it back."""
    kernels = Kernels(kfd)
    found = kernels.host(PAGE)
    queue, signal = queue_and_signal(kfd)
    queue.give_scratch(STACK, 1, once=True)
    done = kernels.submit(queue, "scratch", found, private=STACK)
    assert until(lambda: value_of(signal) == USED_ONCE)
    queue.give_scratch(0, 0)
    assert 1 == value_of(done)
    set_value(signal, 0)
    assert ends(done)


@inside(MACHINE)
def test_no_dispatch_begins_after_a_runtime_has_ended_the_queue(kfd: Kfd) -> None:
    """That is how it says that there is no scratch."""
    kernels = Kernels(kfd)
    found = kernels.host(PAGE)
    queue, signal = queue_and_signal(kfd)
    done = [kernels.submit(queue, name, found, private=STACK) for name in ("scratch", "recursion")]
    assert until(lambda: value_of(signal) == INSUFFICIENT)
    set_value(signal, ENDED)
    time.sleep(0.05)
    assert [1, 1] == [value_of(each) for each in done]


@inside(MACHINE)
def test_a_queue_that_waits_for_scratch_can_be_destroyed(kfd: Kfd) -> None:
    """No answer is waited for."""
    kernels = Kernels(kfd)
    queue, signal = queue_and_signal(kfd)
    kernels.submit(queue, "scratch", kernels.host(PAGE), private=STACK)
    assert until(lambda: value_of(signal) == INSUFFICIENT)
    queue.destroy()


@inside("gfx1100+device")
def test_waves_of_32_work_items_ask_for_scratch_of_their_own(kfd: Kfd) -> None:
    """It is counted in smaller units, and for each shader engine."""
    kernels, form = Kernels(kfd), ScratchForm(32, 256, 6)
    found = kernels.host(PAGE)
    queue, signal = queue_and_signal(kfd)
    done = kernels.submit(queue, "scratch", found, grid=640, private=STACK)
    assert until(lambda: value_of(signal) == INSUFFICIENT_FOR_32)
    queue.give_scratch(STACK, 2, form=form)
    set_value(signal, 0)
    assert ends(done)
    assert scratch_sums(64) * 10 == found[:640].tolist()


def reclaiming(kfd: Kfd) -> tuple[AqlQueue, int]:
    """Return a queue with scratch, of a runtime that takes it back, and its inactive signal."""
    queue, signal = queue_and_signal(kfd)
    capabilities = k.u32.from_address(queue.state.address + 40)
    assert 1 == capabilities.value
    capabilities.value |= 2
    set_word(queue.state.address + 184, 2**64 - 1)
    queue.give_scratch(STACK, 2)
    return queue, signal


def used(queue: AqlQueue) -> list[int]:
    """Return which dispatch was the last to use scratch, as each die has it."""
    return [word(queue.state.address + 256 + 16 * die) for die in range(DIES)]


@needs_19
@inside(RECLAIMING)
def test_the_last_dispatch_that_used_scratch_is_noted(kfd: Kfd) -> None:
    """Other packets between do not count."""
    kernels, found = Kernels(kfd), Kernels(kfd).host(PAGE)
    queue, _ = reclaiming(kfd)
    seen = []
    for _ in range(3):
        assert ends(kernels.submit(queue, "scratch", found, private=STACK))
        queue.barrier()
        assert queue.done()
        seen.append(used(queue))
    assert [[n] * DIES for n in (0, 2, 4)] == seen


@needs_19
@inside(RECLAIMING)
def test_no_later_dispatch_uses_scratch_that_is_taken_back(kfd: Kfd) -> None:
    """It asks, although what is there would be enough; others do not."""
    kernels, found = Kernels(kfd), Kernels(kfd).host(PAGE)
    queue, signal = reclaiming(kfd)
    assert ends(kernels.submit(queue, "scratch", found, private=STACK))
    queue.update(percentage=0)
    set_word(queue.state.address + 184, max(used(queue)))
    queue.update()
    queue.barrier()
    assert queue.done()
    found[:] = 0
    done = kernels.submit(queue, "scratch", found, private=STACK)
    assert until(lambda: value_of(signal) == INSUFFICIENT)
    assert 1 == value_of(done)
    set_word(queue.state.address + 184, 2**64 - 1)
    set_value(signal, 0)
    assert ends(done)
    assert scratch_sums(64) == found[:64].tolist()


@needs_19
@inside(RECLAIMING)
def test_no_dispatch_begins_in_a_queue_that_is_not_mapped(kfd: Kfd) -> None:
    """What was used until then is what a runtime sees."""
    kernels, found = Kernels(kfd), Kernels(kfd).host(PAGE)
    queue, _ = reclaiming(kfd)
    queue.update(percentage=0)
    done = kernels.submit(queue, "scratch", found, private=STACK)
    assert queue.rests()
    assert [0] * DIES == used(queue)
    queue.update()
    assert ends(done)


@needs_19
@inside("gfx942-4+device")
def test_older_firmware_lets_nothing_be_taken_back(kfd: Kfd) -> None:
    kernels, found = Kernels(kfd), Kernels(kfd).host(PAGE)
    queue, _ = queue_and_signal(kfd)
    assert 0 == k.u32.from_address(queue.state.address + 40).value
    queue.give_scratch(STACK, 2)
    set_word(queue.state.address + 184, 2**64 - 1)
    for _ in range(2):
        assert ends(kernels.submit(queue, "scratch", found, private=STACK))
    assert [0] * DIES == used(queue)
