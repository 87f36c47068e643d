"""Real memory through the C library: ranges of addresses, shared memory, and the caller's bytes.

Every function that asks the kernel for something raises OSError when the kernel refuses.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hsa_reference.descriptors import with_room
from hsa_reference.requests import ACCESS, ADDRESSES, FILE, FROM_PROCESS, ask
from hsa_reference.undoing import undoing

PAGE = mmap.PAGESIZE
#: The hsa_access_permission_t of both kinds of access.
READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE

# Numbers of <sys/mman.h> and <fcntl.h>.
_MAP_FIXED = 0x10  # these two are the same on every architecture that HSA runs on
_MAP_NORESERVE = 0x4000
_PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
_NONE = 0
_ASYNC = 1  # of msync, which only looks then
_PUNCH_HOLE = 0x3  # of fallocate, and the size stays
_FAILED = 2**64 - 1
# ctypes would silently drop the upper bits of a size that no address space holds.
_LARGEST = 2**63

_HELD = Counter[str]()

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.argtypes = [
    ctypes.c_uint64,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
]
_libc.mmap.restype = ctypes.c_uint64
_libc.munmap.argtypes = [ctypes.c_uint64, ctypes.c_size_t]
_libc.mprotect.argtypes = [ctypes.c_uint64, ctypes.c_size_t, ctypes.c_int]
_libc.msync.argtypes = [ctypes.c_uint64, ctypes.c_size_t, ctypes.c_int]
_libc.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64]


def reserve(size: int, hint: int = 0, alignment: int = PAGE) -> int:
    """Reserve a range of addresses that no access is allowed to, and return its start.

    Args:
        size: bytes, a multiple of the page size.
        hint: the address wanted; another one is chosen where it is taken or not aligned.
        alignment: of the start, in bytes: a power of two, at least the page size.

    Raises:
        OSError: there is no such range.

    """
    ask(ADDRESSES)
    address = _take(hint, size)
    if address % alignment == 0:
        return address
    unmap(address, size)
    # A range that is larger by the alignment holds an aligned one; the rest is given back.
    wide = _take(0, size + alignment)
    address = -(-wide // alignment) * alignment
    if address > wide:
        unmap(wide, address - wide)
    unmap(address + size, wide + alignment - address)
    return address


def allocate(size: int, alignment: int = PAGE) -> int:
    """Map zeroed memory of this process alone that can be read and written; return its address.

    Args:
        size: bytes, a multiple of the page size.
        alignment: of the address, in bytes: a power of two, at least the page size.

    Raises:
        OSError: there is no room; nothing is mapped.

    """
    address = reserve(size, alignment=alignment)
    with undoing(lambda: unmap(address, size)):
        _allow(address, size, READ_WRITE)
    return address


def clear(address: int, size: int) -> None:
    """Turn a range back into addresses that no access is allowed to; its contents are gone."""
    _map(address, size, _NONE, _PRIVATE | _MAP_FIXED)


def attach(address: int, size: int, descriptor: int) -> None:
    """Put shared memory at an address inside a reserved range; no access is allowed yet."""
    ask(ADDRESSES)
    _map(address, size, _NONE, mmap.MAP_SHARED | _MAP_FIXED, descriptor)


def map_shared(size: int, descriptor: int, permission: int, alignment: int = PAGE) -> int:
    """Map shared memory from its start on, and return the address.

    Args:
        size: bytes, a multiple of the page size.
        descriptor: of the memory.
        permission: of the process, a hsa_access_permission_t.
        alignment: of the address, in bytes: a power of two, at least the page size.

    Raises:
        OSError: there is no room; nothing is mapped.

    """
    address = reserve(size, alignment=alignment)
    with undoing(lambda: unmap(address, size)):
        _map(address, size, _NONE, mmap.MAP_SHARED | _MAP_FIXED, descriptor)
        protect(address, size, permission)
    return address


def protect(address: int, size: int, permission: int) -> None:
    """Allow the process these accesses to a range, for whoever gets access.

    Args:
        address: start of the range, on a page.
        size: bytes.
        permission: a hsa_access_permission_t, whose bits are those of mprotect.

    """
    ask(ACCESS)
    _allow(address, size, permission)


def restore(address: int, size: int, permission: int) -> None:
    """Allow the process these accesses to a range again; unlike `protect`, nobody can refuse it."""
    _allow(address, size, permission)


def _allow(address: int, size: int, permission: int) -> None:
    if _libc.mprotect(address, size, permission) != 0:
        _raise()


def unmap(address: int, size: int) -> None:
    """Give a range of addresses back to the system."""
    if _libc.munmap(address, size) != 0:
        _raise()
    _HELD[ADDRESSES] -= size


def require_mapped(address: int, size: int) -> None:
    """Raise OSError where something of a range is not mapped."""
    if size >= _LARGEST:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    if _libc.msync(address, size, _ASYNC) != 0:
        _raise()


def held() -> int:
    """Return how many bytes of addresses the runtimes of this process hold."""
    return _HELD[ADDRESSES]


def _take(hint: int, size: int) -> int:
    address = _map(hint, size, _NONE, _PRIVATE)
    _HELD[ADDRESSES] += size
    return address


def _map(address: int, size: int, protection: int, flags: int, descriptor: int = -1) -> int:
    if size >= _LARGEST:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    result: int = _libc.mmap(address, size, protection, flags, descriptor, 0)
    if result == _FAILED:
        _raise()
    return result


def _raise() -> None:
    code = ctypes.get_errno()
    raise OSError(code, os.strerror(code))


# Shared memory. What another process must know about it is in its name, which travels with every
# descriptor of it and can be read back through /proc.

_NAME = re.compile(r"/memfd:hsa-reference pool=(\d+) type=(\d+) \(deleted\)")


@dataclass(frozen=True)
class SharedMemoryInfo:
    """What a descriptor says about the shared memory behind it.

    Args:
        identity: the same for every descriptor of the same memory, in all processes.
        size: bytes.
        pool: position of the memory's pool in the machine.
        type: a hsa_amd_memory_type_t.

    """

    identity: tuple[int, int]
    size: int
    pool: int
    type: int


def create(size: int, pool: int, memory_type: int) -> tuple[int, SharedMemoryInfo]:
    """Make shared memory of this size in bytes; return a close-on-exec descriptor of it as well.

    Args:
        size: bytes.
        pool: position of the memory's pool in the machine.
        memory_type: a hsa_amd_memory_type_t.

    """
    if size >= _LARGEST:
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    name = f"hsa-reference pool={pool} type={memory_type}"
    ask(FILE)
    descriptor = with_room(lambda: os.memfd_create(name, os.MFD_CLOEXEC))
    with undoing(lambda: os.close(descriptor)):
        os.ftruncate(descriptor, size)
    return descriptor, SharedMemoryInfo(_identity(os.fstat(descriptor)), size, pool, memory_type)


def discard(descriptor: int, offset: int, size: int) -> None:
    """Give the pages of a part of shared memory back to the system; the bytes become zero."""
    if _libc.fallocate(descriptor, _PUNCH_HOLE, offset, size) != 0:
        _raise()


def describe(descriptor: int, process: int | str = "self") -> SharedMemoryInfo | None:
    """Return what a descriptor refers to, or None where that is no shared memory of ours.

    Args:
        descriptor: one of the process.
        process: its id; by default it is this one.

    """
    path = _path(descriptor, process)
    try:
        name = _NAME.fullmatch(os.readlink(path))  # noqa: PTH115 - no file
        found = os.stat(path)  # noqa: PTH116 - no file
    except OSError:
        return None
    if name is None:
        return None
    return SharedMemoryInfo(_identity(found), found.st_size, int(name[1]), int(name[2]))


def duplicate(descriptor: int, kind: str) -> int:
    """Return another close-on-exec descriptor of the same.

    Args:
        descriptor: one of the process.
        kind: of the request.

    """
    ask(kind)
    return with_room(lambda: os.dup(descriptor))


def take(descriptor: int, process: int) -> int:
    """Return a close-on-exec descriptor of what one of another process refers to."""
    path = _path(descriptor, process)
    ask(FROM_PROCESS)
    return with_room(lambda: os.open(path, os.O_RDWR | os.O_CLOEXEC))


def _path(descriptor: int, process: int | str) -> str:
    return f"/proc/{process}/fd/{descriptor}"


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def is_open(descriptor: int) -> bool:
    """Return whether the process has this descriptor open."""
    try:
        os.fstat(descriptor)
    except (OSError, OverflowError):
        return False
    return True


# The caller's bytes. As in C, a wrong address ends the process.


def store(address: int, value: int, size: int, *, signed: bool = False) -> None:
    """Write a number of `size` bytes."""
    ctypes.memmove(address, value.to_bytes(size, "little", signed=signed), size)


def load(address: int, size: int) -> int:
    """Read an unsigned number of `size` bytes."""
    return int.from_bytes(ctypes.string_at(address, size), "little")


def text(address: int) -> bytes:
    """Read the bytes before the first NUL byte."""
    return ctypes.string_at(address)


def peek(address: int, size: int) -> bytes | None:
    """Read bytes, or return None where there is no memory for all of them."""
    with Path("/proc/self/mem").open("rb", buffering=0) as process:
        try:
            found = os.pread(process.fileno(), size, address)
        except (OSError, OverflowError, MemoryError):
            return None
    return found if len(found) == size else None


def words(address: int, count: int) -> tuple[int, ...]:
    """Read 64-bit words."""
    return tuple((ctypes.c_uint64 * count).from_address(address)) if count else ()


def numbers(address: int, count: int) -> tuple[int, ...]:
    """Read unsigned numbers of 32 bits."""
    return tuple((ctypes.c_uint32 * count).from_address(address)) if count else ()


def copy(address: int, size: int) -> bytes:
    """Read bytes."""
    return bytes((ctypes.c_char * size).from_address(address))
