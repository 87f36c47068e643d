"""The driver as a program sees it: descriptors, ioctls and memory. For a preloaded process."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from tests.library.virtual_kfd import kfd_structures as k

PAGE = 4096
GPU, GPU2 = 51001, 51002
NOTHING = 0  # a protection: no access
TOPOLOGY = Path("/sys/devices/virtual/kfd/kfd/topology")

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_int64]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p]

_READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
_ANYWHERE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
_MAP_FIXED = 0x10
_MAP_FAILED = ctypes.c_void_p(-1).value


def _fail() -> NoReturn:
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))


def refusal(call: Callable[..., object], *arguments: Any, **options: Any) -> str | None:
    """Return the name of the errno that a call fails with, or None."""
    try:
        call(*arguments, **options)
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return None


def until(condition: Callable[[], object], seconds: float = 20.0) -> bool:
    """Wait until a condition holds; False when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.0002)
    return True


def map_memory(
    size: int,
    *,
    address: int | None = None,
    protection: int = _READ_WRITE,
    descriptor: int = -1,
    offset: int = 0,
) -> int:
    """Map memory, or what is behind an offset of a descriptor, and return its address."""
    flags = _ANYWHERE if descriptor < 0 else mmap.MAP_SHARED
    offset = ctypes.c_int64(offset & (1 << 64) - 1).value
    flags |= _MAP_FIXED if address else 0
    mapped = libc.mmap(address, size, protection, flags, descriptor, offset)
    if mapped == _MAP_FAILED:
        _fail()
    return int(mapped)


def unmap_memory(address: int, size: int) -> None:
    """Take memory away."""
    if libc.munmap(address, size):
        _fail()


def read_bytes(address: int, size: int) -> bytes:
    """Read memory of the process."""
    return ctypes.string_at(address, size)


def write_bytes(address: int, data: bytes) -> None:
    """Write memory of the process."""
    ctypes.memmove(address, bytes(data), len(data))


def word(address: int) -> int:
    """Read 64 bits."""
    return k.u64.from_address(address).value


def set_word(address: int, value: int) -> None:
    """Write 64 bits."""
    k.u64.from_address(address).value = value & (1 << 64) - 1


class Buffer:
    """Memory that the driver made: its handle, and where CPU and GPU see it."""

    def __init__(self, handle: int, address: int, size: int, offset: int = 0) -> None:
        self.handle = handle
        self.address = address
        self.size = size
        self.offset = offset

    def read(self, offset: int, size: int) -> bytes:
        """Read bytes with the CPU."""
        return read_bytes(self.address + offset, size)

    def write(self, offset: int, data: bytes) -> None:
        """Write bytes with the CPU."""
        write_bytes(self.address + offset, data)


class Kfd:
    """One opening of the driver, with the render nodes of all GPUs."""

    def __init__(self, *, acquire: bool = True) -> None:
        self.descriptor = os.open("/dev/kfd", os.O_RDWR | os.O_CLOEXEC)
        self.render: dict[int, int] = {}
        minors = sorted(int(name[7:]) for name in os.listdir("/dev/dri"))  # noqa: PTH208
        for index, minor in enumerate(minors):
            opened = os.open(f"/dev/dri/renderD{minor}", os.O_RDWR | os.O_CLOEXEC)
            self.render[GPU + index] = opened
            if acquire:
                self.acquire(GPU + index, opened)

    def ioctl(self, number: int, arguments: Any) -> Any:
        """Make an ioctl and return its arguments.

        Raises:
            OSError: it failed.

        """
        request = 3 << 30 | ctypes.sizeof(arguments) << 16 | ord("K") << 8 | number
        if libc.ioctl(self.descriptor, request, ctypes.addressof(arguments)):
            _fail()
        return arguments

    def acquire(self, gpu: int, render: int) -> None:
        """Give the driver the render node whose memory it manages."""
        self.ioctl(k.ACQUIRE_VM, k.AcquireVm(render, gpu))

    # Memory.

    def allocate(
        self,
        size: int,
        flags: int = k.VRAM | k.WRITABLE,
        *,
        gpu: int = GPU,
        address: int = 0,
        user: int = 0,
    ) -> Buffer:
        """Make a buffer object that nothing maps."""
        asked = k.Allocate(address=address, size=size, mmap_offset=user, gpu_id=gpu, flags=flags)
        made = self.ioctl(k.ALLOC_MEMORY_OF_GPU, asked)
        return Buffer(made.handle, address, size, made.mmap_offset)

    def free(self, handle: int) -> None:
        """Free a buffer object."""
        self.ioctl(k.FREE_MEMORY_OF_GPU, k.Free(handle))

    def available(self, gpu: int = GPU) -> int:
        """Return how much of a GPU's memory can be had."""
        return self.ioctl(k.AVAILABLE_MEMORY, k.Available(gpu_id=gpu)).available

    def _map(self, number: int, handle: int, gpus: tuple[int, ...]) -> None:
        ids = (k.u32 * len(gpus))(*gpus)
        arguments = k.Map(handle=handle, gpu_ids=ctypes.addressof(ids), count=len(gpus))
        try:
            self.ioctl(number, arguments)
        finally:
            self.mapped = arguments.done

    def map(self, handle: int, *gpus: int) -> None:
        """Let GPUs reach a buffer object."""
        self._map(k.MAP_MEMORY_TO_GPU, handle, gpus or (GPU,))

    def unmap(self, handle: int, *gpus: int) -> None:
        """Let GPUs reach it no more."""
        self._map(k.UNMAP_MEMORY_FROM_GPU, handle, gpus or (GPU,))

    def buffer(
        self,
        size: int,
        flags: int = k.GTT | k.WRITABLE,
        *,
        gpus: tuple[int, ...] = (GPU,),
        gpu: int = GPU,
    ) -> Buffer:
        """Make memory that the CPU and GPUs see at one address, as libhsakmt does."""
        address = map_memory(size, protection=NOTHING)
        made = self.allocate(size, flags, gpu=gpu, address=address)
        map_memory(size, address=address, descriptor=self.render[gpu], offset=made.offset)
        if gpus:
            self.map(made.handle, *gpus)
        return made

    # Sharing.

    def export(self, handle: int, flags: int = os.O_CLOEXEC | os.O_RDWR) -> int:
        """Return a dma-buf of a buffer object."""
        return self.ioctl(k.EXPORT_DMABUF, k.ExportDmabuf(handle, flags)).descriptor

    def import_dmabuf(self, descriptor: int, *, address: int = 0, gpu: int = GPU) -> int:
        """Return a handle of what a dma-buf is of."""
        asked = k.ImportDmabuf(address=address, gpu_id=gpu, descriptor=descriptor)
        return self.ioctl(k.IMPORT_DMABUF, asked).handle

    def dmabuf_info(self, descriptor: int, room: int = 0) -> tuple[Any, bytes]:
        """Return what a dma-buf is of, and the metadata, of at most `room` bytes."""
        metadata = ctypes.create_string_buffer(room or 1)
        where = ctypes.addressof(metadata) if room else 0
        asked = k.DmabufInfo(metadata=where, metadata_size=room, descriptor=descriptor)
        info = self.ioctl(k.GET_DMABUF_INFO, asked)
        return info, metadata.raw[: info.metadata_size if room else 0]

    def ipc_export(self, handle: int, *, flags: int = 0, gpu: int = GPU) -> tuple[int, ...]:
        """Return a key that other processes find a buffer object by."""
        asked = k.IpcExport(handle=handle, gpu_id=gpu, flags=flags)
        return tuple(self.ioctl(k.IPC_EXPORT_HANDLE, asked).share)

    def ipc_import(self, key: tuple[int, ...], *, address: int = 0, gpu: int = GPU) -> Any:
        """Return the arguments of the import of a key."""
        asked = k.IpcImport(address=address, share=(k.u32 * 4)(*key), gpu_id=gpu)
        return self.ioctl(k.IPC_IMPORT_HANDLE, asked)

    # Events.

    def event(self, kind: int = k.EVENT_SIGNAL, *, auto_reset: bool = True, page: int = 0) -> Any:
        """Make an event."""
        asked = k.CreateEvent(type=kind, auto_reset=auto_reset, page_offset=page)
        return self.ioctl(k.CREATE_EVENT, asked)

    def event_page(self) -> tuple[Buffer, Any]:
        """Make the page of slots and its first event; as libhsakmt, one time in a process."""
        page = self.buffer(4096 * 8)
        return page, self.event(page=page.handle)

    def set_event(self, event: int) -> None:
        """Set an event as a program does."""
        self.ioctl(k.SET_EVENT, k.Id(event))

    def reset_event(self, event: int) -> None:
        """Reset an event."""
        self.ioctl(k.RESET_EVENT, k.Id(event))

    def destroy_event(self, event: int) -> None:
        """Destroy an event."""
        self.ioctl(k.DESTROY_EVENT, k.Id(event))

    def wait(
        self,
        *events: int,
        every: bool = False,
        timeout: int = 0,
        ages: Sequence[int] = (),
    ) -> tuple[int, Any]:
        """Wait for events and return the result and the data of each."""
        data = (k.EventData * len(events))()
        for index, event in enumerate(events):
            data[index].id = event
            if ages:
                data[index].last_age = ages[index]
        asked = k.Wait(ctypes.addressof(data), len(events), every, timeout)
        return self.ioctl(k.WAIT_EVENTS, asked).result, data

    # Shared virtual memory.

    def svm(
        self, operation: int, start: int, size: int, *attributes: tuple[int, int]
    ) -> list[tuple[int, int]]:
        """Set or get attributes; returns them as pairs of type and value."""
        head = k.SvmHead(start, size, operation, len(attributes))
        pairs = (k.u32 * (2 * len(attributes)))(*[part for pair in attributes for part in pair])
        raw = (ctypes.c_char * (ctypes.sizeof(head) + ctypes.sizeof(pairs))).from_buffer_copy(
            bytes(head) + bytes(pairs)
        )
        self.ioctl(k.SVM, raw)
        words = (k.u32 * len(pairs)).from_buffer_copy(raw.raw[ctypes.sizeof(head) :])
        return list(zip(words[::2], words[1::2], strict=True))

    def svm_set(self, start: int, size: int, *attributes: tuple[int, int]) -> None:
        """Set attributes of a range."""
        self.svm(k.SVM_SET, start, size, *attributes)

    def svm_get(self, start: int, size: int, *kinds: int) -> tuple[int, ...]:
        """Return the values of attributes of a range."""
        asked = [(kind, 0) for kind in kinds]
        return tuple(value for _, value in self.svm(k.SVM_GET, start, size, *asked))

    def svm_access(self, start: int, size: int, gpu: int = GPU) -> int:
        """Return the kind of access that a GPU has to a range."""
        return self.svm(k.SVM_GET, start, size, (k.ACCESS, gpu))[0][0]


def properties(path: Path) -> dict[str, int]:
    """Return a file of the topology as a dictionary."""
    return {name: int(value) for name, value in re.findall(r"(?m)^(\w+) (\d+)$", path.read_text())}
