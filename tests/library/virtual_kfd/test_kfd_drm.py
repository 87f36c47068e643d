"""What libdrm_amdgpu does with buffers of the virtual GPUs."""

from __future__ import annotations

import ctypes
import os

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, GPU2, PAGE, Buffer, Kfd, map_memory, refusal
from tests.library.virtual_kfd.kfd_drm import (
    CLEAR,
    DMABUF,
    FLINK,
    KMS,
    KMS_NO_IMPORT,
    READABLE,
    REPLACE,
    Device,
    DrmBuffer,
    GemMmap,
    Metadata,
    call,
)
from tests.library.virtual_kfd.kfd_process import elsewhere, inside
from tests.library.virtual_kfd.kfd_queue import SdmaQueue

VA = 0x7F00_0000_0000 - (1 << 40)
GEM_MMAP = 1


def loaded(kfd: Kfd, size: int = 4 * PAGE, gpu: int = GPU) -> tuple[Buffer, DrmBuffer]:
    """Return a buffer of the driver, and what libdrm imports of it."""
    made = kfd.allocate(size)
    descriptor = kfd.export(made.handle)
    buffer = Device(kfd, gpu).load(descriptor)
    os.close(descriptor)
    return made, buffer


@inside("gfx90a-2")
def test_a_device(kfd: Kfd) -> None:
    """A device is known by its render node; a name and a descriptor of its own come with it."""
    device = Device(kfd, GPU2)
    assert 3 == device.version[0].value
    assert device.pointer.value == Device(kfd, GPU2).pointer.value
    assert device.pointer.value != Device(kfd, GPU).pointer.value
    assert device.descriptor() not in kfd.render.values()
    assert os.path.samestat(os.fstat(device.descriptor()), os.fstat(kfd.render[GPU2]))
    assert "gfx90a (virtual, number 2)" == device.name()


INTEGRATED = 1


@inside("apu")
def test_a_gpu_that_is_a_part_of_the_processor_says_so(kfd: Kfd) -> None:
    """That is a flag of the device, from which a runtime knows whose memory it uses."""
    assert INTEGRATED == Device(kfd).info().flags & INTEGRATED


@inside("gfx90a")
def test_a_gpu_on_a_card_is_no_part_of_the_processor(kfd: Kfd) -> None:
    """The flag is not set of a device with memory of its own."""
    assert 0 == Device(kfd).info().flags & INTEGRATED


@inside()
def test_a_device_ends_when_all_have_let_go(kfd: Kfd) -> None:
    """The descriptor of a device stays open until as many let go as took it."""
    first, second = Device(kfd), Device(kfd)
    descriptor = first.descriptor()
    call("amdgpu_device_deinitialize", first.pointer)
    assert refusal(os.fstat, descriptor) is None
    call("amdgpu_device_deinitialize", second.pointer)
    assert "EBADF" == refusal(os.fstat, descriptor)


@inside()
def test_what_is_no_render_node(kfd: Kfd) -> None:
    """A device is made of a render node alone."""
    kfd.render[GPU] = kfd.descriptor
    assert "EINVAL" == refusal(Device, kfd)


@inside()
def test_an_import_is_of_the_dmabufs_size(kfd: Kfd) -> None:
    """An import tells its size; what is no dma-buf cannot be imported."""
    assert 4 * PAGE == loaded(kfd)[1].size
    device = Device(kfd)
    assert "EBADF" == refusal(device.load, 999)
    assert "EPERM" == refusal(device.load, 1, KMS)
    assert "EINVAL" == refusal(device.load, 1, FLINK)


@inside()
def test_importing_again_gives_the_same_buffer(kfd: Kfd) -> None:
    """A buffer is the same one each time it is imported, and is freed as often."""
    made, buffer = loaded(kfd)
    again = Device(kfd).load(kfd.export(made.handle))
    assert buffer.pointer == again.pointer
    buffer.map(VA, PAGE)
    buffer.free()
    assert "EINVAL" == refusal(again.map, VA, PAGE)
    again.unmap(VA)


@inside()
def test_kinds_of_export(kfd: Kfd) -> None:
    """An export as a dma-buf is the same file; as a number it is one that mmap is asked with."""
    made, buffer = loaded(kfd)
    assert os.path.sameopenfile(kfd.export(made.handle), buffer.export(DMABUF))
    assert buffer.export(KMS) == buffer.export(KMS_NO_IMPORT)
    assert "EINVAL" == refusal(buffer.export, FLINK)


@inside()
def test_an_offset_for_mmap(kfd: Kfd) -> None:
    """The number of a buffer gives the offset to map it at; a number of none is refused."""
    _, buffer = loaded(kfd)
    device = Device(kfd)
    ctypes.memmove(buffer.cpu_map(), b"here", 4)
    asked = GemMmap(handle=buffer.export(KMS))
    arguments = (ctypes.byref(asked), ctypes.sizeof(asked))
    call("drmCommandWriteRead", device.descriptor(), GEM_MMAP, *arguments)
    offset = int.from_bytes(bytes(asked)[:8], "little")
    address = map_memory(PAGE, descriptor=device.descriptor(), offset=offset)
    assert b"here" == ctypes.string_at(address, 4)
    asked.handle = 999
    asked.pad = 0
    command = ("drmCommandWriteRead", device.descriptor(), GEM_MMAP, *arguments)
    assert "ENOENT" == refusal(call, *command)


@inside()
def test_mappings_do_not_overlap(kfd: Kfd) -> None:
    """An address is mapped once; beside it and after unmapping there is room."""
    _, buffer = loaded(kfd)
    buffer.map(VA, 2 * PAGE)
    assert "EINVAL" == refusal(buffer.map, VA, 2 * PAGE)
    assert "EINVAL" == refusal(buffer.map, VA + PAGE, 2 * PAGE)
    assert "EINVAL" == refusal(buffer.map, VA - PAGE, 4 * PAGE)
    assert refusal(buffer.map, VA + 2 * PAGE, PAGE) is None
    buffer.unmap(VA)
    assert refusal(buffer.map, VA, PAGE) is None


@inside()
def test_mappings_share_addresses_with_the_driver(kfd: Kfd) -> None:
    """What the driver has mapped cannot be mapped over, nor unmapped, through libdrm."""
    mine = kfd.buffer(PAGE)
    _, buffer = loaded(kfd)
    same = Device(kfd).load(kfd.export(mine.handle))
    assert "EINVAL" == refusal(buffer.map, mine.address, PAGE)
    assert "ENOENT" == refusal(same.unmap, mine.address)


@inside()
def test_mappings_begin_and_end_within_the_buffer(kfd: Kfd) -> None:
    """Offset and size stay within the buffer and are of whole pages, as is the address."""
    _, buffer = loaded(kfd)
    wrong = [
        {"size": 5 * PAGE},
        {"size": PAGE, "offset": 4 * PAGE},
        {"size": 2 * PAGE, "offset": 3 * PAGE},
        {"size": PAGE, "offset": 2**64 - PAGE},
        {"size": PAGE, "offset": 8},
        {"size": 0},
        {"size": PAGE, "address": VA + 8},
        {"size": PAGE, "address": 0},
        {"size": PAGE, "address": 1 << 47},
    ]
    for arguments in wrong:
        assert "EINVAL" == refusal(buffer.map, **{"address": VA, **arguments}), arguments
    assert refusal(buffer.map, VA, PAGE - 8, 3 * PAGE) is None


@inside()
def test_only_what_is_mapped_is_unmapped(kfd: Kfd) -> None:
    """Unmapping is of the address where a mapping of that buffer begins."""
    _, buffer = loaded(kfd)
    _, other = loaded(kfd)
    buffer.map(VA, 2 * PAGE)
    assert "ENOENT" == refusal(buffer.unmap, VA + PAGE)
    assert "ENOENT" == refusal(other.unmap, VA)
    assert refusal(buffer.unmap, VA) is None
    assert "ENOENT" == refusal(buffer.unmap, VA)


@inside()
def test_operations_that_are_not_imitated(kfd: Kfd) -> None:
    """Of other operations, those that libdrm has are noted; all are refused."""
    _, buffer = loaded(kfd)
    for operation in (0, CLEAR, REPLACE, 5):
        assert "EINVAL" == refusal(buffer.operate, operation, VA, PAGE)


@inside()
def test_freeing_ends_mappings(kfd: Kfd) -> None:
    """The mappings of a buffer end with its last reference; the driver's own stay."""
    made = kfd.buffer(4 * PAGE)
    buffer = Device(kfd).load(kfd.export(made.handle))
    buffer.map(VA, PAGE)
    buffer.free()
    _, other = loaded(kfd)
    assert refusal(other.map, VA, PAGE) is None
    assert "EINVAL" == refusal(other.map, made.address, PAGE)


@inside()
def test_freeing_in_the_driver_leaves_libdrms_buffer(kfd: Kfd) -> None:
    """What libdrm imported stays, mapped, when the driver's handle is freed, and only once."""
    made, buffer = loaded(kfd)
    buffer.map(VA, PAGE)
    kfd.free(made.handle)
    assert "EINVAL" == refusal(kfd.free, made.handle)
    assert "EINVAL" == refusal(kfd.export, made.handle)
    assert "EINVAL" == refusal(buffer.map, VA, PAGE)
    assert refusal(buffer.unmap, VA) is None


@inside("nearly-full")
def test_memory_is_used_until_libdrm_lets_go(kfd: Kfd) -> None:
    """Memory comes back when the driver's handle and libdrm's buffer are gone."""
    full = kfd.available()
    made, buffer = loaded(kfd)
    kfd.free(made.handle)
    assert kfd.available() < full
    buffer.free()
    assert full == kfd.available()


@inside()
def test_the_cpu_sees_a_buffer(kfd: Kfd) -> None:
    """The CPU's view of a buffer is its memory."""
    made, buffer = loaded(kfd)
    ctypes.memmove(buffer.cpu_map(), b"seen", 4)
    address = map_memory(PAGE, descriptor=kfd.render[GPU], offset=made.offset)
    assert b"seen" == ctypes.string_at(address, 4)


@inside()
def test_read_only_mappings_can_be_written(kfd: Kfd) -> None:
    """As libdrm does it, every mapping can be written, whatever was asked for."""
    _, buffer = loaded(kfd)
    buffer.map(VA, PAGE, flags=READABLE)
    queue = SdmaQueue(kfd)
    queue.fill(VA, 7, 1)
    assert queue.done()
    assert 7 == k.u32.from_address(buffer.cpu_map()).value


@inside("gfx90a-2")
def test_metadata_goes_with_the_buffer(kfd: Kfd) -> None:
    """Metadata is read back by who set it, on another GPU, through the driver and elsewhere."""
    made, buffer = loaded(kfd)
    metadata = Metadata(flags=3, tiling=4, size=8)
    metadata.words[:2] = [5, 6]
    buffer.describe(metadata)
    descriptor = kfd.export(made.handle)

    def read(gpu: int) -> tuple[int, ...]:
        found = Device(Kfd(), gpu).load(descriptor).info().metadata
        return found.flags, found.tiling, found.size, found.words[1]

    assert (3, 4, 8, 6) == read(GPU) == read(GPU2) == elsewhere(read, GPU)
    assert (5, 6) == tuple(memoryview(kfd.dmabuf_info(descriptor, 64)[1]).cast("I"))
    assert "EINVAL" == refusal(kfd.dmabuf_info, descriptor, 4)


@inside()
def test_metadata_has_a_size(kfd: Kfd) -> None:
    """There is none at first, and more than 256 bytes are refused."""
    _, buffer = loaded(kfd)
    assert (0, 4 * PAGE) == (buffer.info().metadata.size, buffer.info().size)
    assert "EINVAL" == refusal(buffer.describe, Metadata(size=257))


@inside()
def test_a_child_has_no_buffers(kfd: Kfd) -> None:
    """In a child, a buffer of its parent can be freed and nothing else."""
    _, buffer = loaded(kfd)

    def use() -> list[str | None]:
        refused = [refusal(buffer.map, VA, PAGE), refusal(buffer.export, DMABUF)]
        buffer.free()
        return refused

    assert ["EINVAL", "EINVAL"] == elsewhere(use)
    assert refusal(buffer.map, VA, PAGE) is None
