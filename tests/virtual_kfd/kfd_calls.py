"""The driver as a program sees it: descriptors, ioctls and memory. For a preloaded process."""

import ctypes
import errno
import mmap
import os
import re
import time
from pathlib import Path

from tests.virtual_kfd import kfd_structures as k

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


def _fail():
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))


def refusal(call, *arguments, **options):
    """Return the name of the errno that a call fails with, or None."""
    try:
        call(*arguments, **options)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
    return None


def until(condition, seconds=20.0):
    """Wait until a condition holds; False when it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.0002)
    return True


def map_memory(size, *, address=None, protection=_READ_WRITE, descriptor=-1, offset=0):
    """Map memory, or what is behind an offset of a descriptor, and return its address."""
    flags = _ANYWHERE if descriptor < 0 else mmap.MAP_SHARED
    offset = ctypes.c_int64(offset & (1 << 64) - 1).value
    flags |= _MAP_FIXED if address else 0
    mapped = libc.mmap(address, size, protection, flags, descriptor, offset)
    return _fail() if mapped == _MAP_FAILED else mapped


def unmap_memory(address, size):
    """Take memory away."""
    if libc.munmap(address, size):
        _fail()


def read_bytes(address, size):
    """Read memory of the process."""
    return ctypes.string_at(address, size)


def write_bytes(address, data):
    """Write memory of the process."""
    ctypes.memmove(address, bytes(data), len(data))


def word(address):
    """Read 64 bits."""
    return k.u64.from_address(address).value


def set_word(address, value):
    """Write 64 bits."""
    k.u64.from_address(address).value = value & (1 << 64) - 1


class Buffer:
    """Memory that the driver made: its handle, and where CPU and GPU see it."""

    def __init__(self, handle, address, size, offset=0):
        self.handle = handle
        self.address = address
        self.size = size
        self.offset = offset

    def read(self, offset, size):
        """Read bytes with the CPU."""
        return read_bytes(self.address + offset, size)

    def write(self, offset, data):
        """Write bytes with the CPU."""
        write_bytes(self.address + offset, data)


class Kfd:
    """One opening of the driver, with the render nodes of all GPUs."""

    def __init__(self, *, acquire=True):
        self.descriptor = os.open("/dev/kfd", os.O_RDWR | os.O_CLOEXEC)
        self.render = {}
        minors = sorted(int(name[7:]) for name in os.listdir("/dev/dri"))  # noqa: PTH208
        for index, minor in enumerate(minors):
            opened = os.open(f"/dev/dri/renderD{minor}", os.O_RDWR | os.O_CLOEXEC)
            self.render[GPU + index] = opened
            if acquire:
                self.acquire(GPU + index, opened)

    def ioctl(self, number, arguments):
        """Make an ioctl and return its arguments.

        Raises:
            OSError: it failed.

        """
        request = 3 << 30 | ctypes.sizeof(arguments) << 16 | ord("K") << 8 | number
        if libc.ioctl(self.descriptor, request, ctypes.addressof(arguments)):
            _fail()
        return arguments

    def acquire(self, gpu, render):
        """Give the driver the render node whose memory it manages."""
        self.ioctl(k.ACQUIRE_VM, k.AcquireVm(render, gpu))

    # Memory.

    def allocate(self, size, flags=k.VRAM | k.WRITABLE, *, gpu=GPU, address=0, user=0):
        """Make a buffer object that nothing maps."""
        asked = k.Allocate(address=address, size=size, mmap_offset=user, gpu_id=gpu, flags=flags)
        made = self.ioctl(k.ALLOC_MEMORY_OF_GPU, asked)
        return Buffer(made.handle, address, size, made.mmap_offset)

    def free(self, handle):
        """Free a buffer object."""
        self.ioctl(k.FREE_MEMORY_OF_GPU, k.Free(handle))

    def available(self, gpu=GPU):
        """Return how much of a GPU's memory can be had."""
        return self.ioctl(k.AVAILABLE_MEMORY, k.Available(gpu_id=gpu)).available

    def _map(self, number, handle, gpus):
        ids = (k.u32 * len(gpus))(*gpus)
        arguments = k.Map(handle=handle, gpu_ids=ctypes.addressof(ids), count=len(gpus))
        try:
            self.ioctl(number, arguments)
        finally:
            self.mapped = arguments.done

    def map(self, handle, *gpus):
        """Let GPUs reach a buffer object."""
        self._map(k.MAP_MEMORY_TO_GPU, handle, gpus or (GPU,))

    def unmap(self, handle, *gpus):
        """Let GPUs reach it no more."""
        self._map(k.UNMAP_MEMORY_FROM_GPU, handle, gpus or (GPU,))

    def buffer(self, size, flags=k.GTT | k.WRITABLE, *, gpus=(GPU,), gpu=GPU):
        """Make memory that the CPU and GPUs see at one address, as libhsakmt does."""
        address = map_memory(size, protection=NOTHING)
        made = self.allocate(size, flags, gpu=gpu, address=address)
        map_memory(size, address=address, descriptor=self.render[gpu], offset=made.offset)
        if gpus:
            self.map(made.handle, *gpus)
        return made

    # Sharing.

    def export(self, handle, flags=os.O_CLOEXEC | os.O_RDWR):
        """Return a dma-buf of a buffer object."""
        return self.ioctl(k.EXPORT_DMABUF, k.ExportDmabuf(handle, flags)).descriptor

    def import_dmabuf(self, descriptor, *, address=0, gpu=GPU):
        """Return a handle of what a dma-buf is of."""
        asked = k.ImportDmabuf(address=address, gpu_id=gpu, descriptor=descriptor)
        return self.ioctl(k.IMPORT_DMABUF, asked).handle

    def dmabuf_info(self, descriptor, room=0):
        """Return what a dma-buf is of, and the metadata, of at most `room` bytes."""
        metadata = ctypes.create_string_buffer(room or 1)
        where = ctypes.addressof(metadata) if room else 0
        asked = k.DmabufInfo(metadata=where, metadata_size=room, descriptor=descriptor)
        info = self.ioctl(k.GET_DMABUF_INFO, asked)
        return info, metadata.raw[: info.metadata_size if room else 0]

    def ipc_export(self, handle, *, flags=0, gpu=GPU):
        """Return a key that other processes find a buffer object by."""
        asked = k.IpcExport(handle=handle, gpu_id=gpu, flags=flags)
        return tuple(self.ioctl(k.IPC_EXPORT_HANDLE, asked).share)

    def ipc_import(self, key, *, address=0, gpu=GPU):
        """Return the arguments of the import of a key."""
        asked = k.IpcImport(address=address, share=(k.u32 * 4)(*key), gpu_id=gpu)
        return self.ioctl(k.IPC_IMPORT_HANDLE, asked)

    # Events.

    def event(self, kind=k.EVENT_SIGNAL, *, auto_reset=True, page=0):
        """Make an event."""
        asked = k.CreateEvent(type=kind, auto_reset=auto_reset, page_offset=page)
        return self.ioctl(k.CREATE_EVENT, asked)

    def event_page(self):
        """Make the page of slots and its first event; as libhsakmt, one time in a process."""
        page = self.buffer(4096 * 8)
        return page, self.event(page=page.handle)

    def set_event(self, event):
        """Set an event as a program does."""
        self.ioctl(k.SET_EVENT, k.Id(event))

    def reset_event(self, event):
        """Reset an event."""
        self.ioctl(k.RESET_EVENT, k.Id(event))

    def destroy_event(self, event):
        """Destroy an event."""
        self.ioctl(k.DESTROY_EVENT, k.Id(event))

    def wait(self, *events, every=False, timeout=0, ages=()):
        """Wait for events and return the result and the data of each."""
        data = (k.EventData * len(events))()
        for index, event in enumerate(events):
            data[index].id = event
            if ages:
                data[index].last_age = ages[index]
        asked = k.Wait(ctypes.addressof(data), len(events), every, timeout)
        return self.ioctl(k.WAIT_EVENTS, asked).result, data

    # Shared virtual memory.

    def svm(self, operation, start, size, *attributes):
        """Set or get attributes; returns them as pairs of type and value."""
        head = k.SvmHead(start, size, operation, len(attributes))
        pairs = (k.u32 * (2 * len(attributes)))(*[part for pair in attributes for part in pair])
        raw = (ctypes.c_char * (ctypes.sizeof(head) + ctypes.sizeof(pairs))).from_buffer_copy(
            bytes(head) + bytes(pairs)
        )
        self.ioctl(k.SVM, raw)
        words = (k.u32 * len(pairs)).from_buffer_copy(raw.raw[ctypes.sizeof(head) :])
        return list(zip(words[::2], words[1::2], strict=True))

    def svm_set(self, start, size, *attributes):
        """Set attributes of a range."""
        self.svm(k.SVM_SET, start, size, *attributes)

    def svm_get(self, start, size, *kinds):
        """Return the values of attributes of a range."""
        asked = [(kind, 0) for kind in kinds]
        return tuple(value for _, value in self.svm(k.SVM_GET, start, size, *asked))

    def svm_access(self, start, size, gpu=GPU):
        """Return the kind of access that a GPU has to a range."""
        return self.svm(k.SVM_GET, start, size, (k.ACCESS, gpu))[0][0]


def properties(path):
    """Return a file of the topology as a dictionary."""
    return {name: int(value) for name, value in re.findall(r"(?m)^(\w+) (\d+)$", path.read_text())}
