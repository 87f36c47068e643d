"""Memory that is passed on: dma-bufs, and keys for other processes."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
from pathlib import Path

from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, GPU2, PAGE, Kfd, map_memory, refusal
from tests.library.virtual_kfd.kfd_process import elsewhere, inside


def mapped(kfd: Kfd, offset: int, size: int = PAGE) -> int:
    return map_memory(size, descriptor=kfd.render[GPU], offset=offset)


@inside()
def test_a_dmabuf_is_the_memory_itself(kfd: Kfd) -> None:
    """What is written to a buffer is read through its dma-buf, and the other way round."""
    buffer = kfd.buffer(PAGE)
    descriptor = kfd.export(buffer.handle)
    address = map_memory(PAGE, descriptor=descriptor)
    buffer.write(8, b"there")
    assert b"there" == ctypes.string_at(address + 8, 5)
    ctypes.memmove(address + 8, b"back!", 5)
    assert b"back!" == buffer.read(8, 5)


@inside()
def test_dmabufs_of_one_buffer_are_the_same_file(kfd: Kfd) -> None:
    """Each export is a new descriptor of the same file; another buffer is another file."""
    one, other = kfd.allocate(PAGE), kfd.allocate(PAGE)
    first, second = kfd.export(one.handle), kfd.export(one.handle)
    assert first != second
    assert os.path.sameopenfile(first, second)
    assert not os.path.sameopenfile(first, kfd.export(other.handle))


@inside()
def test_closing_on_exec_is_asked_for(kfd: Kfd) -> None:
    """A dma-buf is closed on exec where that is asked for."""
    buffer = kfd.allocate(PAGE)
    for flags, expected in ((os.O_CLOEXEC, fcntl.FD_CLOEXEC), (0, 0)):
        assert expected == fcntl.fcntl(kfd.export(buffer.handle, flags), fcntl.F_GETFD)


@inside()
def test_an_import_is_another_handle_of_the_same_memory(kfd: Kfd) -> None:
    """An import has a handle and an offset of its own, and the same bytes."""
    buffer = kfd.buffer(PAGE)
    imported = kfd.import_dmabuf(kfd.export(buffer.handle))
    assert imported != buffer.handle
    buffer.write(0, b"same")
    again = map_memory(PAGE, descriptor=kfd.export(imported))
    assert b"same" == ctypes.string_at(again, 4)


@inside()
def test_an_import_outlives_the_buffer_and_the_descriptor(kfd: Kfd) -> None:
    """Memory is there for as long as somebody has it."""
    buffer = kfd.allocate(PAGE)
    descriptor = kfd.export(buffer.handle)
    ctypes.memmove(mapped(kfd, buffer.offset), b"kept", 4)
    imported = kfd.import_dmabuf(descriptor)
    os.close(descriptor)
    kfd.free(buffer.handle)
    assert b"kept" == ctypes.string_at(map_memory(PAGE, descriptor=kfd.export(imported)), 4)


@inside()
def test_a_dmabuf_in_another_process(kfd: Kfd) -> None:
    """A dma-buf that was sent through a socket is the same memory and the same file there."""
    buffer = kfd.buffer(PAGE)
    descriptor = kfd.export(buffer.handle)
    ours, theirs = socket.socketpair()
    socket.send_fds(ours, [b"!"], [descriptor])
    buffer.write(0, b"from here")

    def look() -> tuple[bytes, int]:
        other = Kfd()
        received = socket.recv_fds(theirs, 1, 1)[1][0]
        handle = other.import_dmabuf(received)
        again = other.export(handle)
        address = map_memory(PAGE, descriptor=again)
        found = ctypes.string_at(address, 9)
        ctypes.memmove(address, b"from there", 10)
        return found, os.fstat(again).st_ino

    assert (b"from here", os.fstat(descriptor).st_ino) == elsewhere(look)
    assert b"from there" == buffer.read(0, 10)


@inside("gfx90a-2")
def test_information_about_a_dmabuf(kfd: Kfd) -> None:
    """A dma-buf tells its size, kind of memory and GPU, also in another process."""
    local = kfd.export(kfd.allocate(3 * PAGE, k.VRAM | k.PUBLIC | k.WRITABLE, gpu=GPU2).handle)
    host = kfd.export(kfd.allocate(PAGE, k.GTT | k.WRITABLE).handle)

    def described(descriptor: int) -> tuple[int, int, int]:
        info, _ = Kfd().dmabuf_info(descriptor)
        return info.size, info.gpu_id, info.flags

    assert (3 * PAGE, GPU2, k.VRAM | k.PUBLIC) == described(local) == elsewhere(described, local)
    assert (PAGE, GPU, k.GTT) == described(host) == elsewhere(described, host)


@inside()
def test_what_is_no_dmabuf(kfd: Kfd) -> None:
    """An ordinary file is no dma-buf, and a closed descriptor nothing at all."""
    with Path("/dev/null").open() as file:
        assert "EINVAL" == refusal(kfd.import_dmabuf, file.fileno())
        assert "EINVAL" == refusal(kfd.dmabuf_info, file.fileno())
    assert "EBADF" == refusal(kfd.import_dmabuf, 999)
    assert "EBADF" == refusal(kfd.dmabuf_info, 999)
    descriptor = kfd.export(kfd.allocate(PAGE).handle)
    assert "EINVAL" == refusal(kfd.import_dmabuf, descriptor, gpu=1)


@inside()
def test_a_memory_file_of_the_program_is_no_dmabuf(kfd: Kfd) -> None:
    """A file in memory that the program made is not taken for one of the driver's."""
    assert "EINVAL" == refusal(kfd.import_dmabuf, os.memfd_create("virtual-kfd"))


@inside()
def test_user_memory_is_not_exported(kfd: Kfd) -> None:
    """Memory of the program can neither be a dma-buf nor have a key."""
    address = map_memory(PAGE)
    user = kfd.allocate(PAGE, k.USERPTR | k.WRITABLE, address=address, user=address)
    assert "EPERM" == refusal(kfd.export, user.handle)
    assert "EPERM" == refusal(kfd.ipc_export, user.handle)


@inside()
def test_a_key_finds_memory_in_another_process(kfd: Kfd) -> None:
    """By its key, another process has the same bytes, to map by the offset that it gets."""
    buffer = kfd.buffer(PAGE)
    key = kfd.ipc_export(buffer.handle, flags=0x55)
    buffer.write(0, b"from here")

    def look() -> tuple[bytes, int]:
        other = Kfd()
        found = other.ipc_import(key)
        address = mapped(other, found.mmap_offset)
        read = ctypes.string_at(address, 9)
        ctypes.memmove(address, b"from there", 10)
        return read, found.flags

    assert (b"from here", 0x55) == elsewhere(look)
    assert b"from there" == buffer.read(0, 10)


@inside()
def test_a_key_is_given_once_for_a_buffer(kfd: Kfd) -> None:
    """Exporting again gives the same key, and another buffer has another one."""
    one, other = kfd.allocate(PAGE), kfd.allocate(PAGE)
    key = kfd.ipc_export(one.handle)
    assert key == kfd.ipc_export(one.handle)
    assert key != kfd.ipc_export(other.handle)


@inside()
def test_a_key_ends_with_the_buffer(kfd: Kfd) -> None:
    """When nobody has the buffer any more, its key finds nothing, though others were made."""
    buffer = kfd.allocate(PAGE)
    key = kfd.ipc_export(buffer.handle)
    kfd.free(buffer.handle)
    later = [kfd.allocate(PAGE) for _ in range(4)]
    assert 4 == len(later)
    assert "EINVAL" == refusal(kfd.ipc_import, key)
    assert "EINVAL" == elsewhere(lambda: refusal(Kfd().ipc_import, key))


@inside()
def test_a_key_ends_with_the_process() -> None:
    """What a process exported cannot be found when it has ended."""
    key = elsewhere(lambda: export(Kfd()))
    assert "EINVAL" == elsewhere(lambda: refusal(Kfd().ipc_import, key))


def export(kfd: Kfd) -> tuple[int, ...]:
    return kfd.ipc_export(kfd.allocate(PAGE).handle)


@inside()
def test_who_imported_keeps_a_key_alive(kfd: Kfd) -> None:
    """A key finds the memory for as long as anybody has it, and who imported it exports it."""
    buffer = kfd.allocate(PAGE)
    key = kfd.ipc_export(buffer.handle)
    to_child, from_parent = os.pipe()
    to_parent, from_child = os.pipe()

    def hold() -> tuple[int, ...]:
        other = Kfd()
        imported = other.ipc_import(key)
        os.write(from_child, b"!")
        os.read(to_child, 1)
        return other.ipc_export(imported.handle)

    from tests.library.virtual_kfd.kfd_process import OtherProcess

    holder = OtherProcess(hold)
    os.read(to_parent, 1)
    kfd.free(buffer.handle)
    assert refusal(kfd.ipc_import, key) is None
    os.write(from_parent, b"!")
    assert key == holder.result()


@inside()
def test_unknown_keys(kfd: Kfd) -> None:
    """A key that nobody gave, and an unknown GPU, find nothing."""
    key = export(kfd)
    assert "EINVAL" == refusal(kfd.ipc_import, (0, 0, 0, 0))
    assert "EINVAL" == refusal(kfd.ipc_import, (key[0] ^ 1, *key[1:]))
    assert "EINVAL" == refusal(kfd.ipc_import, key, gpu=1)
    assert "EINVAL" == refusal(kfd.ipc_export, 1)
