"""How long the driver holds what it was asked for, and that it counts all of it."""

from __future__ import annotations

import ctypes
import mmap
import os

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, GPU2, PAGE, Kfd, libc, map_memory, unmap_memory
from tests.library.virtual_kfd.kfd_drm import Device
from tests.library.virtual_kfd.kfd_process import OtherProcess, inside
from tests.library.virtual_kfd.kfd_queue import SdmaQueue

MIB = 1 << 20
VA = 0x100000000


def ledger() -> dict[str, int]:
    text = ctypes.create_string_buffer(4096)
    libc.hsa_conformance_ledger(text, len(text))
    lines = (line.partition(" ") for line in text.value.decode().splitlines())
    return {name: int(count) for count, _, name in lines}


def gained(before: dict[str, int]) -> dict[str, int]:
    """Return what there is more or less of, but for what Python takes from the heap."""
    now = ledger()
    names = now.keys() - {"bytes of host memory"}
    return {name: now[name] - before[name] for name in names if now[name] != before[name]}


@inside("nearly-full")
def test_a_descriptor_keeps_memory_in_use(kfd: Kfd) -> None:
    """Memory that is freed is available once the last dma-buf of it is closed."""
    full = kfd.available()
    buffer = kfd.allocate(8 * MIB)
    one = kfd.export(buffer.handle)
    other = os.dup(one)
    kfd.free(buffer.handle)
    assert full - 8 * MIB == kfd.available()
    os.close(one)
    assert full - 8 * MIB == kfd.available()
    os.close(other)
    assert full == kfd.available()


@inside("nearly-full")
def test_a_mapping_keeps_memory_in_use(kfd: Kfd) -> None:
    """Memory that is freed is available once the program has unmapped the last page of it."""
    full = kfd.available()
    buffer = kfd.allocate(8 * MIB, k.VRAM | k.PUBLIC | k.WRITABLE)
    address = map_memory(8 * MIB, descriptor=kfd.render[GPU], offset=buffer.offset)
    kfd.free(buffer.handle)
    assert full - 8 * MIB == kfd.available()
    unmap_memory(address, 8 * MIB - PAGE)
    assert full - 8 * MIB == kfd.available()
    unmap_memory(address + 8 * MIB - PAGE, PAGE)
    assert full == kfd.available()


@inside("nearly-full")
def test_an_import_keeps_memory_in_use(kfd: Kfd) -> None:
    """Memory that its maker freed is available once the last import of it is freed, too."""
    full = kfd.available()
    buffer = kfd.allocate(8 * MIB)
    descriptor = kfd.export(buffer.handle)
    imported = kfd.import_dmabuf(descriptor)
    os.close(descriptor)
    kfd.free(buffer.handle)
    assert full - 8 * MIB == kfd.available()
    kfd.free(imported)
    assert full == kfd.available()


@inside("nearly-full")
def test_another_process_keeps_memory_in_use(kfd: Kfd) -> None:
    """Memory that its maker freed is available once the process that imported it has ended."""
    full = kfd.available()
    buffer = kfd.allocate(8 * MIB)
    key = kfd.ipc_export(buffer.handle)
    to_child, from_parent = os.pipe()
    to_parent, from_child = os.pipe()

    def hold() -> None:
        Kfd().ipc_import(key)
        os.write(from_child, b"!")
        os.read(to_child, 1)

    holder = OtherProcess(hold)
    os.read(to_parent, 1)
    kfd.free(buffer.handle)
    assert full - 8 * MIB == kfd.available()
    os.write(from_parent, b"!")
    holder.result()
    assert full == kfd.available()


@inside("nearly-full")
def test_libdrm_keeps_memory_in_use_for_as_long_as_it_has_it(kfd: Kfd) -> None:
    """Each import by libdrm has to be freed before the memory is available again."""
    full = kfd.available()
    buffer = kfd.allocate(8 * MIB)
    descriptor = kfd.export(buffer.handle)
    device = Device(kfd)
    imports = [device.load(descriptor) for _ in range(2)]
    os.close(descriptor)
    kfd.free(buffer.handle)
    for one in imports:
        assert full - 8 * MIB == kfd.available()
        one.free()
    assert full == kfd.available()


@inside()
def test_an_import_after_an_import_is_the_same_buffer_of_libdrm(kfd: Kfd) -> None:
    """What an ioctl imported meanwhile does not give libdrm another buffer of the same bytes."""
    buffer = kfd.allocate(PAGE)
    descriptor = kfd.export(buffer.handle)
    device = Device(kfd)
    first = device.load(descriptor)
    kfd.import_dmabuf(descriptor)
    assert first.pointer == device.load(descriptor).pointer


@inside("gfx90a-2")
def test_buffers_and_their_places_are_counted(kfd: Kfd) -> None:
    """A buffer counts until it is freed, and each GPU that it is mapped to until it is not."""
    before = ledger()
    buffer = kfd.allocate(3 * PAGE, address=VA)
    held = {"buffer object": 1, "bytes of buffer objects": 3 * PAGE}
    assert held == gained(before)
    kfd.map(buffer.handle, GPU, GPU2)
    assert {**held, "mapping of a GPU": 2} == gained(before)
    kfd.unmap(buffer.handle, GPU, GPU2)
    kfd.free(buffer.handle)
    assert {} == gained(before)


@inside()
def test_what_libdrm_maps_is_counted(kfd: Kfd) -> None:
    """A place of a GPU that libdrm gave a buffer counts until the buffer is freed."""
    buffer = kfd.allocate(PAGE)
    descriptor = kfd.export(buffer.handle)
    imported = Device(kfd).load(descriptor)
    before = ledger()
    imported.map(VA, PAGE)
    assert {"mapping of a GPU": 1} == gained(before)
    imported.free()
    assert {} == gained(before)


@inside()
def test_events_are_counted(kfd: Kfd) -> None:
    """An event counts until it is destroyed."""
    kfd.event()
    before = ledger()
    made = kfd.event()
    assert {"event of the driver": 1} == gained(before)
    kfd.ioctl(k.DESTROY_EVENT, k.Id(made.id))
    assert {} == gained(before)


@inside()
def test_queues_are_counted(kfd: Kfd) -> None:
    """A queue counts until it is destroyed."""
    before = ledger()["queue of the driver"]
    queue = SdmaQueue(kfd)
    assert before + 1 == ledger()["queue of the driver"]
    queue.destroy()
    assert before == ledger()["queue of the driver"]


@inside()
def test_blocks_of_the_heap_are_counted() -> None:
    """Whichever function gives a block of the heap, it counts until it is freed, to the byte."""
    for name, arguments in {
        "malloc": (5000,),
        "calloc": (5, 1000),
        "realloc": (None, 5000),
        "memalign": (256, 5000),
        "aligned_alloc": (64, 5120),
        "valloc": (5000,),
        "strdup": (b"x" * 5000,),
    }.items():
        take = getattr(libc, name)
        take.restype = ctypes.c_void_p
        grow, give = libc.realloc, libc.free
        grow.restype, grow.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t]
        give.argtypes = [ctypes.c_void_p]
        before = heap()
        block = take(*arguments)
        taken = heap()
        assert 5000 <= taken - before < 5000 + PAGE, name
        block = grow(block, 3 * MIB)
        assert 3 * MIB <= heap() - before < 4 * MIB, name
        give(block)
        assert abs(heap() - before) < 1000, name


def heap() -> int:
    return ledger()["bytes of host memory"]


@inside()
def test_what_the_driver_takes_for_itself_is_not_the_programs(kfd: Kfd) -> None:
    """A thousand buffers and their places in the driver take nothing from the program's heap."""
    before = heap()
    handles = [kfd.allocate(PAGE).handle for _ in range(1000)]
    assert heap() - before < 100 * 1000
    assert len(handles) * mmap.PAGESIZE <= ledger()["bytes of buffer objects"]
