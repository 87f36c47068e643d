"""Memory of GPUs and of the host: made, counted, mapped, freed."""

from __future__ import annotations

import ctypes
import os
import signal
import time

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
from tests.library.virtual_kfd.kfd_process import OtherProcess, elsewhere, inside

MIB = 1 << 20
FULL = 64 * MIB  # the memory of the machine nearly-full


@inside()
def test_memory_is_seen_by_the_cpu(kfd: Kfd) -> None:
    """What is written through one mapping of a buffer is read through another."""
    buffer = kfd.allocate(2 * PAGE, k.VRAM | k.PUBLIC | k.WRITABLE)
    first = map_memory(2 * PAGE, descriptor=kfd.render[GPU], offset=buffer.offset)
    second = map_memory(2 * PAGE, descriptor=kfd.render[GPU], offset=buffer.offset)
    assert bytes(2 * PAGE) == ctypes.string_at(first, 2 * PAGE)
    ctypes.memmove(first + PAGE, b"told", 4)
    assert b"told" == ctypes.string_at(second + PAGE, 4)


@inside()
def test_mmap_takes_what_a_buffer_has(kfd: Kfd) -> None:
    """A mapping begins where the buffer does and is no larger; of a freed buffer there is none."""
    buffer = kfd.allocate(2 * PAGE)
    render = kfd.render[GPU]

    def mapping(size: int, offset: int) -> str | None:
        return refusal(map_memory, size, descriptor=render, offset=offset)

    assert mapping(PAGE, buffer.offset) is None
    assert "EINVAL" == mapping(3 * PAGE, buffer.offset)
    assert "EINVAL" == mapping(PAGE, buffer.offset + PAGE)
    kfd.free(buffer.handle)
    assert "EINVAL" == mapping(PAGE, buffer.offset)


@inside()
def test_a_mapping_outlives_its_buffer(kfd: Kfd) -> None:
    """Memory that is mapped stays readable when its buffer is freed."""
    buffer = kfd.buffer(PAGE, gpus=())
    buffer.write(0, b"here")
    kfd.free(buffer.handle)
    assert b"here" == buffer.read(0, 4)


@inside("nearly-full")
def test_available_memory_goes_down_and_comes_back(kfd: Kfd) -> None:
    """What is allocated is not available, in steps of 2 MiB, until it is freed."""
    assert FULL == kfd.available()
    large = kfd.allocate(8 * MIB)
    small = kfd.allocate(PAGE)
    assert FULL - 10 * MIB == kfd.available()
    kfd.free(large.handle)
    assert FULL - 2 * MIB == kfd.available()
    kfd.free(small.handle)
    assert FULL == kfd.available()


@inside("nearly-full")
def test_memory_can_be_used_to_the_last_page(kfd: Kfd) -> None:
    """Although less seems to be available, small buffers fit to the last page, and no more."""
    kfd.allocate(FULL - 2 * PAGE)
    assert 0 == kfd.available()
    kfd.allocate(PAGE)
    last = kfd.allocate(PAGE)
    assert "ENOMEM" == refusal(kfd.allocate, PAGE)
    kfd.free(last.handle)
    assert refusal(kfd.allocate, PAGE) is None


@inside("nearly-full")
def test_host_memory_does_not_use_that_of_the_gpu(kfd: Kfd) -> None:
    """Memory of the host is counted elsewhere, and there is an end to it, too."""
    kfd.allocate(32 * MIB, k.GTT | k.WRITABLE)
    assert FULL == kfd.available()
    assert "ENOMEM" == refusal(kfd.allocate, 16 << 30, k.GTT | k.WRITABLE)


@inside("nearly-full")
def test_memory_of_another_process_counts(kfd: Kfd) -> None:
    """What one process has is not available to another, and is again when that ends."""

    def use() -> int:
        Kfd().allocate(16 * MIB)
        return Kfd().available()

    assert FULL - 16 * MIB == elsewhere(use)
    assert FULL == kfd.available()


@inside("nearly-full")
def test_memory_of_a_killed_process_comes_back(kfd: Kfd) -> None:
    """Memory comes back as soon as its process is dead, though nobody has waited for it."""
    reading, writing = os.pipe()

    def hold() -> None:
        Kfd().allocate(16 * MIB)
        os.write(writing, b"!")
        time.sleep(60)

    other = OtherProcess(hold)
    os.read(reading, 1)
    assert FULL - 16 * MIB == kfd.available()
    os.kill(other.pid, signal.SIGKILL)
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert FULL == kfd.available()


@inside("nearly-full")
def test_memory_of_a_process_that_runs_something_else_comes_back(kfd: Kfd) -> None:
    """A program that a process becomes does not have its memory."""
    reading, writing = os.pipe()

    def become() -> None:
        Kfd().allocate(16 * MIB)
        os.dup2(writing, 1)
        os.execv("/bin/sh", ["sh", "-c", "echo; sleep 60"])

    other = OtherProcess(become)
    os.read(reading, 1)
    assert FULL == kfd.available()
    os.kill(other.pid, signal.SIGKILL)


@inside()
def test_more_memory_than_there_is(kfd: Kfd) -> None:
    """A buffer that no memory could hold is refused, whatever its size."""
    for size in (65 << 30, 1 << 63, 2**64 - 1):
        assert "ENOMEM" == refusal(kfd.allocate, size)


@inside()
def test_bad_allocations(kfd: Kfd) -> None:
    """No size, no such GPU and no kind of memory are refused."""
    assert "EINVAL" == refusal(kfd.allocate, 0)
    assert "EINVAL" == refusal(kfd.allocate, PAGE, gpu=1)
    assert "EINVAL" == refusal(kfd.allocate, PAGE, k.WRITABLE)
    assert "EINVAL" == refusal(kfd.allocate, PAGE, k.DOORBELL)
    assert "EINVAL" == refusal(kfd.allocate, 2 * PAGE, k.MMIO)


@inside()
def test_sizes_are_rounded_up_to_pages(kfd: Kfd) -> None:
    """A buffer has whole pages, as many as its size needs."""
    buffer = kfd.allocate(PAGE + 1, k.GTT | k.WRITABLE)
    info, _ = kfd.dmabuf_info(kfd.export(buffer.handle))
    assert 2 * PAGE == info.size


@inside("gfx1100")
def test_a_small_bar_hides_memory(kfd: Kfd) -> None:
    """Where CPUs reach a part of the memory, none is made for them to reach."""
    assert "EINVAL" == refusal(kfd.allocate, PAGE, k.VRAM | k.PUBLIC | k.WRITABLE)
    assert refusal(kfd.allocate, PAGE, k.VRAM | k.WRITABLE) is None


@inside()
def test_registers_are_mapped_through_the_driver(kfd: Kfd) -> None:
    """The page of registers is one that the driver maps, and not a render node."""
    page = kfd.allocate(PAGE, k.MMIO | k.WRITABLE)
    kfd_maps = refusal(map_memory, PAGE, descriptor=kfd.descriptor, offset=page.offset)
    render_maps = refusal(map_memory, PAGE, descriptor=kfd.render[GPU], offset=page.offset)
    assert (None, "EINVAL") == (kfd_maps, render_maps)


@inside()
def test_user_memory_has_to_be_there(kfd: Kfd) -> None:
    """Memory of the program can be given to the driver where the program has some."""
    address = map_memory(PAGE)
    asked = {"address": address, "user": address}
    assert refusal(kfd.allocate, PAGE, k.USERPTR | k.WRITABLE, **asked) is None
    assert "EINVAL" == refusal(kfd.allocate, PAGE, k.USERPTR | k.WRITABLE)
    unmap_memory(address, PAGE)
    assert "EFAULT" == refusal(kfd.allocate, PAGE, k.USERPTR | k.WRITABLE, **asked)


@inside()
def test_unknown_handles(kfd: Kfd) -> None:
    """Handles that were never given, or were freed, are refused."""
    buffer = kfd.allocate(PAGE)
    kfd.free(buffer.handle)
    assert "EINVAL" == refusal(kfd.free, buffer.handle)
    assert "EINVAL" == refusal(kfd.free, 0)
    assert "ENOMEM" == refusal(kfd.map, buffer.handle)
    assert "ENOMEM" == refusal(kfd.unmap, buffer.handle)
    assert "EINVAL" == refusal(kfd.map, 1)
    assert "EINVAL" == refusal(kfd.export, buffer.handle)


@inside("gfx90a-2")
def test_handles_are_of_a_gpu(kfd: Kfd) -> None:
    """A handle names the GPU that has the memory; with another's name it is no handle."""
    buffer = kfd.allocate(PAGE, gpu=GPU2)
    assert GPU2 == buffer.handle >> 32
    wrong = buffer.handle - (GPU2 << 32) + (GPU << 32)
    assert "EINVAL" == refusal(kfd.free, wrong)


@inside()
def test_mapped_memory_is_not_freed(kfd: Kfd) -> None:
    """Memory that a GPU reaches is busy until it is unmapped."""
    buffer = kfd.buffer(PAGE)
    assert "EBUSY" == refusal(kfd.free, buffer.handle)
    kfd.unmap(buffer.handle)
    assert refusal(kfd.free, buffer.handle) is None


@inside()
def test_mapping_twice_and_unmapping_twice(kfd: Kfd) -> None:
    """Mapping again changes nothing; unmapping what is not mapped is refused."""
    buffer = kfd.buffer(PAGE)
    assert refusal(kfd.map, buffer.handle) is None
    kfd.unmap(buffer.handle)
    assert "EINVAL" == refusal(kfd.unmap, buffer.handle)


@inside("gfx90a-2")
def test_mapping_to_several_gpus_tells_how_far_it_came(kfd: Kfd) -> None:
    """Of a list with a bad GPU, those before it are mapped, and their number is told."""
    buffer = kfd.buffer(PAGE, gpus=())
    assert "EINVAL" == refusal(kfd.map, buffer.handle, GPU, 7, GPU2)
    assert 1 == kfd.mapped
    kfd.map(buffer.handle, GPU, GPU2)
    assert 2 == kfd.mapped
    kfd.unmap(buffer.handle, GPU, GPU2)
    assert refusal(kfd.free, buffer.handle) is None


@inside()
def test_bad_lists_of_gpus(kfd: Kfd) -> None:
    """A list has at least one GPU, and no more are done than there are."""
    buffer = kfd.buffer(PAGE, gpus=())
    assert "EINVAL" == refusal(kfd.ioctl, k.MAP_MEMORY_TO_GPU, k.Map(handle=buffer.handle))
    too_far = k.Map(handle=buffer.handle, gpu_ids=1, count=1, done=2)
    assert "EINVAL" == refusal(kfd.ioctl, k.MAP_MEMORY_TO_GPU, too_far)
    nowhere = k.Map(handle=buffer.handle, count=1)
    assert "EFAULT" == refusal(kfd.ioctl, k.MAP_MEMORY_TO_GPU, nowhere)


@inside()
def test_addresses_of_a_gpu_are_used_once(kfd: Kfd) -> None:
    """Two buffers cannot be at one address, nor any at none or between pages."""
    address = map_memory(4 * PAGE, protection=NOTHING)
    kfd.map(kfd.allocate(2 * PAGE, address=address).handle)
    overlapping = kfd.allocate(2 * PAGE, address=address + PAGE)
    assert "EINVAL" == refusal(kfd.map, overlapping.handle)
    beside = kfd.allocate(2 * PAGE, address=address + 2 * PAGE)
    assert refusal(kfd.map, beside.handle) is None
    assert "EINVAL" == refusal(kfd.map, kfd.allocate(PAGE).handle)
    assert "EINVAL" == refusal(kfd.map, kfd.allocate(PAGE, address=address + 9).handle)


@inside("apart")
def test_gpus_without_links_do_not_reach_each_other(kfd: Kfd) -> None:
    """Memory of one GPU is not another's where nothing links them; the host's is."""
    local = kfd.buffer(PAGE, k.VRAM | k.PUBLIC | k.WRITABLE, gpus=())
    host = kfd.buffer(PAGE, gpus=())
    assert "EINVAL" == refusal(kfd.map, local.handle, GPU2)
    assert refusal(kfd.map, host.handle, GPU2) is None


@inside()
def test_many_objects_cost_little(kfd: Kfd) -> None:
    """Ten thousand objects are made, mapped, unmapped and freed at a cost that stays low."""
    count, base = 10_000, 0x10_0000_0000
    began = time.process_time()
    handles = [kfd.allocate(PAGE, address=base + n * PAGE).handle for n in range(count)]
    for handle in handles:
        kfd.map(handle)
    for handle in handles:
        kfd.unmap(handle)
        kfd.free(handle)
    assert time.process_time() - began < 6
