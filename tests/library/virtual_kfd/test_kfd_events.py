"""Events: signalled and reset, waited for, with ages, and with data of faults."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable
from typing import Any

from hsa_adapters.worker.ends.interruption import interrupt
from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import PAGE, Kfd, map_memory, refusal, set_word, word
from tests.library.virtual_kfd.kfd_process import OtherProcess, inside
from tests.library.virtual_kfd.kfd_queue import SdmaQueue

FIRST_OTHER = 0x4000_0000
UNSIGNALED = (1 << 64) - 1


class Waiting:
    """A wait that another thread does; let it begin before anything else happens."""

    def __init__(
        self, kfd: Kfd, *events: int, timeout: int = 5000, every: bool = False, **options: Any
    ) -> None:
        self._call: Callable[[], tuple[int, Any]] = lambda: kfd.wait(
            *events, timeout=timeout, every=every, **options
        )
        self.result: int | None = None
        self.data: Any = None
        self.refused: int | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        time.sleep(0.02)

    def _run(self) -> None:
        try:
            self.result, self.data = self._call()
        except OSError as error:
            self.refused = error.errno

    def end(self) -> int | None:
        """Wait for its end and return the result."""
        self._thread.join()
        return self.result


@inside()
def test_a_signal_event_has_the_number_of_its_slot(kfd: Kfd) -> None:
    """Events of signals have a slot of their number, and a page of slots to map."""
    first, second = kfd.event(), kfd.event()
    assert (1, 2) == (first.id, second.id)
    assert (first.id, first.id) == (first.slot, first.trigger_data)
    assert 2 << 62 == first.page_offset


@inside()
def test_other_events_have_no_slot(kfd: Kfd) -> None:
    """Events of faults have numbers of their own, which no signal has."""
    event = kfd.event(k.EVENT_MEMORY)
    assert (FIRST_OTHER, 0) == (event.id, event.page_offset)


@inside()
def test_numbers_are_used_again(kfd: Kfd) -> None:
    """A number that is free again is the next one."""
    first, second = kfd.event(), kfd.event()
    kfd.destroy_event(first.id)
    assert first.id == kfd.event().id
    assert second.id + 1 == kfd.event().id


@inside()
def test_without_a_page_there_are_few_slots(kfd: Kfd) -> None:
    """Before user space brings a page or maps the driver's, there are 255 events of signals."""
    for _ in range(255):
        kfd.event()
    assert "ENOSPC" == refusal(kfd.event)
    map_memory(4096 * 8, descriptor=kfd.descriptor, offset=2 << 62)
    assert 256 == kfd.event().id


@inside()
def test_the_page_of_the_driver(kfd: Kfd) -> None:
    """Slots of the driver's page are unsignalled when it is mapped; there is no larger one."""
    assert "EINVAL" == refusal(map_memory, PAGE, descriptor=kfd.descriptor, offset=2 << 62)
    event = kfd.event()
    page = map_memory(PAGE, descriptor=kfd.descriptor, offset=2 << 62)
    assert UNSIGNALED == word(page + 8 * event.id)
    too_large = {"descriptor": kfd.descriptor, "offset": 2 << 62}
    assert "EINVAL" == refusal(map_memory, 16 * PAGE, **too_large)


@inside()
def test_the_page_of_the_program(kfd: Kfd) -> None:
    """A program brings a page once, and the driver keeps it."""
    page, event = kfd.event_page()
    assert UNSIGNALED == word(page.address + 8 * event.id)
    assert "EINVAL" == refusal(kfd.event, page=page.handle)
    kfd.unmap(page.handle)
    assert "EPERM" == refusal(kfd.free, page.handle)


@inside()
def test_a_page_has_to_be_memory_of_the_driver(kfd: Kfd) -> None:
    """A page of slots is no unknown handle, nor the program's own memory."""
    address = map_memory(8 * PAGE)
    user = kfd.allocate(8 * PAGE, k.USERPTR | k.WRITABLE, user=address)
    assert "EINVAL" == refusal(kfd.event, page=12345)
    assert "EINVAL" == refusal(kfd.event, page=user.handle)
    assert 1 == kfd.event().id


@inside()
def test_a_page_has_a_slot_for_each_event(kfd: Kfd) -> None:
    """With a whole page there are 4095 events of signals, and others besides."""
    kfd.event_page()
    for _ in range(4094):
        kfd.event()
    assert "ENOSPC" == refusal(kfd.event)
    assert FIRST_OTHER == kfd.event(k.EVENT_MEMORY).id


@inside()
def test_unknown_events(kfd: Kfd) -> None:
    """An event that was never made or was destroyed is refused by every call."""
    event = kfd.event().id
    kfd.destroy_event(event)
    for unknown in (0, event, 4096, 4352, FIRST_OTHER, FIRST_OTHER + 1000, 2**32 - 1):
        for call in (kfd.set_event, kfd.reset_event, kfd.destroy_event, kfd.wait):
            assert "EINVAL" == refusal(call, unknown), (unknown, call)


@inside()
def test_programs_set_events_of_signals_alone(kfd: Kfd) -> None:
    """Only the driver sets an event of faults; a program neither sets nor resets it."""
    event = kfd.event(k.EVENT_MEMORY).id
    assert "EINVAL" == refusal(kfd.set_event, event)
    assert "EINVAL" == refusal(kfd.reset_event, event)


@inside()
def test_an_auto_reset_event_is_taken_once(kfd: Kfd) -> None:
    """Who waits for it first takes it; the next one waits in vain."""
    event = kfd.event().id
    kfd.set_event(event)
    assert k.COMPLETE == kfd.wait(event)[0]
    assert k.TIMEOUT == kfd.wait(event)[0]


@inside()
def test_a_manual_reset_event_stays(kfd: Kfd) -> None:
    """Until it is reset, everybody who waits for it goes on."""
    event = kfd.event(auto_reset=False).id
    kfd.set_event(event)
    assert [k.COMPLETE] * 2 == [kfd.wait(event)[0], kfd.wait(event)[0]]
    kfd.reset_event(event)
    assert k.TIMEOUT == kfd.wait(event)[0]


@inside()
def test_everybody_who_waits_is_woken(kfd: Kfd) -> None:
    """One signal wakes all who wait, also where it resets itself; then it is taken."""
    event = kfd.event().id
    waiting = [Waiting(kfd, event) for _ in range(3)]
    kfd.set_event(event)
    assert [k.COMPLETE] * 3 == [each.end() for each in waiting]
    assert k.TIMEOUT == kfd.wait(event)[0]


@inside()
def test_a_second_signal_is_kept(kfd: Kfd) -> None:
    """Who has been woken takes one signal: one that follows at once is there for the next."""
    event, other = kfd.event().id, kfd.event().id
    waiting = Waiting(kfd, event, other, every=True)
    kfd.set_event(event)
    kfd.set_event(event)
    kfd.set_event(other)
    assert k.COMPLETE == waiting.end()
    assert k.COMPLETE == kfd.wait(event)[0]


@inside()
def test_a_signal_during_a_wait_for_others_is_kept(kfd: Kfd) -> None:
    """Who found an event signalled and waits for another leaves later signals of the first."""
    event, other = kfd.event().id, kfd.event().id
    kfd.set_event(event)
    waiting = Waiting(kfd, event, other, every=True)
    kfd.set_event(event)
    kfd.set_event(other)
    assert k.COMPLETE == waiting.end()
    assert k.COMPLETE == kfd.wait(event)[0]


@inside()
def test_waiting_for_any(kfd: Kfd) -> None:
    """A wait for any ends with the first, and takes what it found of the others."""
    events = [kfd.event().id for _ in range(3)]
    kfd.set_event(events[1])
    kfd.set_event(events[2])
    assert k.COMPLETE == kfd.wait(*events)[0]
    assert k.TIMEOUT == kfd.wait(*events)[0]


@inside()
def test_waiting_for_all(kfd: Kfd) -> None:
    """A wait for all ends with the last."""
    events = [kfd.event(auto_reset=False).id for _ in range(3)]
    kfd.set_event(events[0])
    kfd.set_event(events[1])
    assert k.TIMEOUT == kfd.wait(*events, every=True)[0]
    waiting = Waiting(kfd, *events, every=True)
    assert waiting.result is None
    kfd.set_event(events[2])
    assert k.COMPLETE == waiting.end()


@inside()
def test_waiting_for_nothing(kfd: Kfd) -> None:
    """Of no events, all are there."""
    assert k.COMPLETE == kfd.wait(timeout=1000)[0]


@inside()
def test_time_to_wait(kfd: Kfd) -> None:
    """A wait takes the time that it was given, in milliseconds, or none."""
    event = kfd.event().id
    for timeout, least in ((0, 0), (30, 0.03)):
        began = time.monotonic()
        assert k.TIMEOUT == kfd.wait(event, timeout=timeout)[0]
        assert least <= time.monotonic() - began < least + 5


@inside()
def test_waiting_without_end(kfd: Kfd) -> None:
    """A wait of the longest time ends with the event."""
    event = kfd.event().id
    waiting = Waiting(kfd, event, timeout=k.FOREVER)
    kfd.set_event(event)
    assert k.COMPLETE == waiting.end()


@inside()
def test_an_event_that_goes_during_a_wait(kfd: Kfd) -> None:
    """Who waits for an event that is destroyed is told so, and others go on."""
    event, other = kfd.event().id, kfd.event().id
    waiting = Waiting(kfd, event, other, timeout=k.FOREVER)
    kfd.destroy_event(event)
    waiting.end()
    assert 5 == waiting.refused  # EIO
    assert k.TIMEOUT == kfd.wait(other)[0]


@inside()
def test_a_new_event_with_an_old_number(kfd: Kfd) -> None:
    """A wait that failed has nothing to do with the event that got the number next."""
    event = kfd.event().id
    waiting = Waiting(kfd, event)
    kfd.destroy_event(event)
    assert event == kfd.event().id
    waiting.end()
    assert 5 == waiting.refused
    kfd.set_event(event)
    assert k.COMPLETE == kfd.wait(event)[0]


@inside()
def test_a_bad_event_among_others_takes_nothing(kfd: Kfd) -> None:
    """A wait that is refused says that it failed, and leaves the others signalled."""
    event = kfd.event().id
    kfd.set_event(event)
    assert "EINVAL" == refusal(kfd.wait, event, 99)
    assert k.COMPLETE == kfd.wait(event)[0]


@inside()
def test_ages(kfd: Kfd) -> None:
    """An event is of age 1, and a year older with each signal, which a wait tells."""
    event = kfd.event().id
    assert k.TIMEOUT == kfd.wait(event, ages=[1])[0]
    kfd.set_event(event)
    kfd.set_event(event)
    result, data = kfd.wait(event, ages=[1])
    assert (k.COMPLETE, 3) == (result, data[0].last_age)


@inside()
def test_who_knows_an_older_age_does_not_wait(kfd: Kfd) -> None:
    """An event that somebody else has taken still wakes who does not know its age."""
    event = kfd.event().id
    kfd.set_event(event)
    kfd.wait(event)
    assert k.COMPLETE == kfd.wait(event, ages=[1])[0]
    assert k.TIMEOUT == kfd.wait(event, ages=[2])[0]
    result, data = kfd.wait(event)
    assert (k.TIMEOUT, 0) == (result, data[0].last_age)


@inside()
def test_data_of_a_memory_fault(kfd: Kfd) -> None:
    """All events of memory faults tell the page that a GPU could not reach, and why."""
    events = [kfd.event(k.EVENT_MEMORY).id for _ in range(2)]
    reader = SdmaQueue(kfd)
    reader.copy(reader.state.address, 0x1234_5678, 4)
    for event in events:
        result, data = kfd.wait(event, timeout=20000)
        fault = data[0].fault
        assert (k.COMPLETE, 0x1234_5000) == (result, fault.address)
        assert (1, 0, 51001) == (fault.not_present, fault.read_only, fault.gpu_id)


@inside()
def test_data_of_a_write_to_what_is_read_only(kfd: Kfd) -> None:
    """A write to memory that the GPU may only read is a fault of another kind."""
    event = kfd.event(k.EVENT_MEMORY).id
    guarded = kfd.buffer(PAGE, k.GTT)
    writer = SdmaQueue(kfd)
    writer.fence(guarded.address, 1)
    fault = kfd.wait(event, timeout=20000)[1][0].fault
    assert (0, 1, guarded.address) == (fault.not_present, fault.read_only, fault.address)
    assert bytes(4) == guarded.read(0, 4)


@inside()
def test_a_device_sets_the_events_that_it_wrote_to(kfd: Kfd) -> None:
    """An interrupt sets the event whose slot was written, and makes the slot empty again."""
    page, first = kfd.event_page()
    second = kfd.event()
    queue = SdmaQueue(kfd)
    slot = page.address + 8 * second.slot
    queue.fence(slot, 1)
    queue.trap(first.id)
    assert k.COMPLETE == kfd.wait(second.id, timeout=20000)[0]
    assert k.TIMEOUT == kfd.wait(first.id)[0]
    assert UNSIGNALED == word(slot)


@inside()
def test_a_slot_of_no_event(kfd: Kfd) -> None:
    """A slot that was written for an event that is gone sets nothing."""
    page, event = kfd.event_page()
    gone = kfd.event()
    kfd.destroy_event(gone.id)
    set_word(page.address + 8 * gone.slot, 1)
    queue = SdmaQueue(kfd)
    queue.trap(gone.id)
    assert queue.done()
    assert k.TIMEOUT == kfd.wait(event.id)[0]
    assert k.TIMEOUT == kfd.wait(kfd.event().id)[0]


@inside("slow")
def test_late_events(kfd: Kfd) -> None:
    """On a slow machine, events of devices come late, and come."""
    page, event = kfd.event_page()
    queue = SdmaQueue(kfd)
    queue.fence(page.address + 8 * event.slot, 1)
    queue.trap(event.id)
    assert k.COMPLETE == kfd.wait(event.id, timeout=20000)[0]


@inside()
def test_events_are_of_their_process(kfd: Kfd) -> None:
    """Another process begins with no events, while ours is waiting."""
    event = kfd.event().id
    waiting = Waiting(kfd, event)

    def use() -> tuple[str | None, int]:
        other = Kfd()
        return refusal(other.set_event, event), other.event().id

    assert ("EINVAL", 1) == OtherProcess(use).result()
    kfd.set_event(event)
    assert k.COMPLETE == waiting.end()


@inside()
def test_a_signal_ends_an_endless_wait(kfd: Kfd) -> None:
    """A handler without SA_RESTART ends a wait without an end, and no event is lost by that."""
    event = kfd.event().id
    waiting = Waiting(kfd, event, timeout=k.FOREVER)
    interrupt(1, 0, restart=False)
    assert waiting.end() is None
    assert errno.EINTR == waiting.refused
    kfd.set_event(event)
    assert k.COMPLETE == kfd.wait(event)[0]


@inside()
def test_an_interrupted_wait_for_all_loses_no_event(kfd: Kfd) -> None:
    """An event that came before a signal ended the wait is there for the wait that follows."""
    first, second = kfd.event().id, kfd.event().id
    waiting = Waiting(kfd, first, second, every=True, timeout=k.FOREVER)
    kfd.set_event(first)
    interrupt(1, 0, restart=False)
    assert waiting.end() is None
    assert errno.EINTR == waiting.refused
    kfd.set_event(second)
    assert k.COMPLETE == kfd.wait(first, second, every=True)[0]


@inside()
def test_a_wait_goes_on_after_a_handler_that_restarts(kfd: Kfd) -> None:
    """A handler with SA_RESTART ends no wait: that is the event's to do."""
    event = kfd.event().id
    waiting = Waiting(kfd, event, timeout=k.FOREVER)
    interrupt(3, 0.001, restart=True)
    kfd.set_event(event)
    assert k.COMPLETE == waiting.end()


@inside()
def test_a_wait_with_an_end_goes_on_after_a_signal(kfd: Kfd) -> None:
    """A wait with an end comes to it whatever is interrupted meanwhile."""
    waiting = Waiting(kfd, kfd.event().id, timeout=100)
    interrupt(3, 0.001, restart=False)
    assert k.TIMEOUT == waiting.end()
