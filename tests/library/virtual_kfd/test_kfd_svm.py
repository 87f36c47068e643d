"""Attributes of shared virtual memory."""

from __future__ import annotations

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import (
    GPU,
    GPU2,
    NOTHING,
    PAGE,
    Kfd,
    map_memory,
    refusal,
    unmap_memory,
)
from tests.library.virtual_kfd.kfd_process import inside
from tests.library.virtual_kfd.kfd_queue import SdmaQueue

HOST_ACCESS, COHERENT, READ_ONLY, EXECUTABLE = 1, 2, 8, 16
ALL = (k.PREFERRED, k.PREFETCH, k.SET_FLAGS, k.GRANULARITY)


@inside()
def test_defaults(kfd: Kfd) -> None:
    """Memory of which nothing was said is at no place, coherent, and for no GPU."""
    start = map_memory(PAGE)
    expected = (k.UNDEFINED, k.UNDEFINED, HOST_ACCESS | COHERENT, 9)
    assert expected == kfd.svm_get(start, PAGE, *ALL)
    assert (~3 & 0xFFFFFFFF,) == kfd.svm_get(start, PAGE, k.CLEAR_FLAGS)
    assert k.NO_ACCESS == kfd.svm_access(start, PAGE)


@inside("gfx942-4")
def test_defaults_where_page_faults_are_retried(kfd: Kfd) -> None:
    """Where faults are retried, every GPU has access, until that is switched off."""
    start = map_memory(PAGE)
    assert k.ACCESS == kfd.svm_access(start, PAGE, GPU2)
    kfd.ioctl(k.SET_XNACK_MODE, k.Xnack(0))
    assert k.NO_ACCESS == kfd.svm_access(start, PAGE, GPU2)


@inside("gfx90a-2")
def test_attributes_are_told_as_they_were_set(kfd: Kfd) -> None:
    """Places, access, flags and granularity are stored, each without the others."""
    start = map_memory(PAGE)
    kfd.svm_set(start, PAGE, (k.PREFERRED, GPU2), (k.PREFETCH, 0), (k.GRANULARITY, 12))
    kfd.svm_set(start, PAGE, (k.ACCESS, GPU), (k.IN_PLACE, GPU2))
    kfd.svm_set(start, PAGE, (k.SET_FLAGS, READ_ONLY), (k.CLEAR_FLAGS, COHERENT))
    assert (GPU2, 0, HOST_ACCESS | READ_ONLY, 12) == kfd.svm_get(start, PAGE, *ALL)
    assert (k.ACCESS, k.IN_PLACE) == (
        kfd.svm_access(start, PAGE),
        kfd.svm_access(start, PAGE, GPU2),
    )
    kfd.svm_set(start, PAGE, (k.NO_ACCESS, GPU))
    assert k.NO_ACCESS == kfd.svm_access(start, PAGE)


@inside()
def test_later_attributes_of_one_call_count(kfd: Kfd) -> None:
    """Of two that contradict each other in one call, the later one counts."""
    start = map_memory(PAGE)
    kfd.svm_set(start, PAGE, (k.ACCESS, GPU), (k.NO_ACCESS, GPU), (k.IN_PLACE, GPU))
    assert k.IN_PLACE == kfd.svm_access(start, PAGE)


@inside()
def test_granularity_has_a_limit(kfd: Kfd) -> None:
    """A granularity beyond the largest is the largest."""
    start = map_memory(PAGE)
    kfd.svm_set(start, PAGE, (k.GRANULARITY, 200))
    assert (63,) == kfd.svm_get(start, PAGE, k.GRANULARITY)


@inside()
def test_a_part_of_a_range(kfd: Kfd) -> None:
    """Setting attributes of the middle of a range leaves both ends as they were."""
    start = map_memory(5 * PAGE)
    kfd.svm_set(start, 5 * PAGE, (k.PREFERRED, 0))
    kfd.svm_set(start + 2 * PAGE, PAGE, (k.PREFERRED, GPU))
    places = [kfd.svm_get(start + n * PAGE, PAGE, k.PREFERRED)[0] for n in range(5)]
    assert [0, 0, GPU, 0, 0] == places


@inside()
def test_a_range_across_others(kfd: Kfd) -> None:
    """Attributes go to all parts of a range, those that had some and those that had none."""
    start = map_memory(6 * PAGE)
    kfd.svm_set(start + PAGE, PAGE, (k.GRANULARITY, 5))
    kfd.svm_set(start + 3 * PAGE, PAGE, (k.GRANULARITY, 6))
    kfd.svm_set(start, 6 * PAGE, (k.ACCESS, GPU))
    parts = [kfd.svm_get(start + n * PAGE, PAGE, k.GRANULARITY)[0] for n in range(6)]
    assert [9, 5, 9, 6, 9, 9] == parts
    assert k.ACCESS == kfd.svm_access(start, 6 * PAGE)


@inside("gfx90a-2")
def test_what_parts_have_in_common(kfd: Kfd) -> None:
    """Of parts that differ, there is no place; flags of all, the least granularity, no access."""
    start = map_memory(2 * PAGE)
    first, second = (start, PAGE), (start + PAGE, PAGE)
    kfd.svm_set(*first, (k.PREFERRED, 0), (k.SET_FLAGS, READ_ONLY), (k.GRANULARITY, 3))
    kfd.svm_set(*second, (k.PREFERRED, GPU), (k.SET_FLAGS, EXECUTABLE), (k.GRANULARITY, 4))
    kfd.svm_set(*first, (k.ACCESS, GPU), (k.ACCESS, GPU2))
    kfd.svm_set(*second, (k.IN_PLACE, GPU), (k.ACCESS, GPU2))
    expected = (k.UNDEFINED, k.UNDEFINED, HOST_ACCESS | COHERENT, 3)
    assert expected == kfd.svm_get(start, 2 * PAGE, *ALL)
    neither = ~(HOST_ACCESS | COHERENT | READ_ONLY | EXECUTABLE) & 0xFFFFFFFF
    assert (neither,) == kfd.svm_get(start, 2 * PAGE, k.CLEAR_FLAGS)
    assert k.NO_ACCESS == kfd.svm_access(start, 2 * PAGE, GPU)
    assert k.ACCESS == kfd.svm_access(start, 2 * PAGE, GPU2)


@inside()
def test_parts_without_attributes_do_not_count(kfd: Kfd) -> None:
    """Where a part has attributes, what nobody said anything of is passed over."""
    start = map_memory(2 * PAGE)
    kfd.svm_set(start, PAGE, (k.PREFERRED, GPU), (k.ACCESS, GPU))
    assert (GPU,) == kfd.svm_get(start, 2 * PAGE, k.PREFERRED)
    assert k.ACCESS == kfd.svm_access(start, 2 * PAGE)


@inside()
def test_bad_values(kfd: Kfd) -> None:
    """Unknown kinds of attributes and GPUs are refused, and nothing is set."""
    start = map_memory(PAGE)
    wrong = [
        (8, 0),
        (k.PREFERRED, 7),
        (k.PREFETCH, 7),
        (k.PREFETCH, k.UNDEFINED),
        (k.ACCESS, 7),
        (k.NO_ACCESS, 0),
    ]
    for attribute in wrong:
        both = ((k.GRANULARITY, 3), attribute)
        assert "EINVAL" == refusal(kfd.svm_set, start, PAGE, *both), attribute
    assert (9,) == kfd.svm_get(start, PAGE, k.GRANULARITY)


@inside()
def test_bad_questions(kfd: Kfd) -> None:
    """Access is asked for by one kind alone, and of a GPU that there is."""
    start = map_memory(PAGE)
    for attribute in ((k.IN_PLACE, GPU), (k.NO_ACCESS, GPU), (k.ACCESS, 7), (8, 0)):
        assert "EINVAL" == refusal(kfd.svm, k.SVM_GET, start, PAGE, attribute), attribute
    assert "EINVAL" == refusal(kfd.svm, 2, start, PAGE)


@inside()
def test_bad_ranges(kfd: Kfd) -> None:
    """A range is of whole pages, not empty, and of memory that the program has."""
    start = map_memory(2 * PAGE)
    for wrong in ((start + 8, PAGE), (start, 8), (start, 0), (0, PAGE)):
        assert "EINVAL" == refusal(kfd.svm_get, *wrong, k.PREFERRED), wrong
    unmap_memory(start + PAGE, PAGE)
    for call in (kfd.svm_set, kfd.svm_get):
        attribute = (k.PREFERRED, 0) if call == kfd.svm_set else k.PREFERRED
        assert "EFAULT" == refusal(call, start, 2 * PAGE, attribute)
        assert "EFAULT" == refusal(call, start, 2**64 - PAGE, attribute)


@inside()
def test_memory_of_the_driver_has_no_attributes(kfd: Kfd) -> None:
    """Where the driver has mapped a buffer, there are no attributes."""
    buffer = kfd.buffer(PAGE)
    assert "EADDRINUSE" == refusal(kfd.svm_set, buffer.address, PAGE, (k.ACCESS, GPU))
    assert "EADDRINUSE" == refusal(kfd.svm_get, buffer.address, PAGE, k.PREFERRED)


@inside("older")
def test_a_driver_without_shared_virtual_memory(kfd: Kfd) -> None:
    """A driver that was built without it refuses."""
    assert "EPERM" == refusal(kfd.svm_get, map_memory(PAGE), PAGE, k.PREFERRED)


@inside()
def test_attributes_go_with_the_memory(kfd: Kfd) -> None:
    """Memory that is unmapped takes its attributes along, and leaves those of the rest."""
    start = map_memory(3 * PAGE)
    kfd.svm_set(start, 3 * PAGE, (k.GRANULARITY, 4))
    unmap_memory(start + PAGE, PAGE)
    map_memory(PAGE, address=start + PAGE)
    parts = [kfd.svm_get(start + n * PAGE, PAGE, k.GRANULARITY)[0] for n in range(3)]
    assert [4, 9, 4] == parts


@inside()
def test_a_gpu_reaches_what_it_was_given(kfd: Kfd) -> None:
    """With access a GPU writes to the program's memory; without it there is a fault."""
    event = kfd.event(k.EVENT_MEMORY).id
    start = map_memory(PAGE)
    kfd.svm_set(start, PAGE, (k.IN_PLACE, GPU))
    queue = SdmaQueue(kfd)
    queue.fence(start, 77)
    assert queue.done()
    assert 77 == k.u32.from_address(start).value
    kfd.svm_set(start, PAGE, (k.NO_ACCESS, GPU))
    queue.fence(start, 78)
    assert start == kfd.wait(event, timeout=20000)[1][0].fault.address
    assert 77 == k.u32.from_address(start).value


@inside("gfx942-4")
def test_a_retried_fault_is_one_where_there_is_nothing(kfd: Kfd) -> None:
    """Where faults are retried a GPU reaches all that the program can, and faults elsewhere."""
    event = kfd.event(k.EVENT_MEMORY).id
    start, hidden = map_memory(PAGE), map_memory(PAGE, protection=NOTHING)
    queue = SdmaQueue(kfd)
    queue.fence(start, 77)
    queue.fence(hidden, 1)
    assert hidden == kfd.wait(event, timeout=20000)[1][0].fault.address
    assert 77 == k.u32.from_address(start).value
