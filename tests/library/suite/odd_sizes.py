"""Mistakes that show at one size alone, or at an address far inside of memory."""

from __future__ import annotations

import ctypes

from hsa_reference import memory
from tests.wrong.functions import Function, Functions

KIB_64, MIB_2, GIB_4 = 1 << 16, 1 << 21, 1 << 32


def copies_64_kib(f: Functions) -> dict[str, Function]:
    """Copy no more than 64 KiB."""

    def copy(dst: int, src: int, size: int) -> int:
        return f["hsa_memory_copy"](dst, src, min(size, KIB_64))

    return {"hsa_memory_copy": copy}


def splits_at_2_mib(f: Functions) -> dict[str, Function]:
    """Leave out the rest of an asynchronous copy after 2 MiB."""

    def copy(dst: int, to: int, src: int, of: int, size: int, *rest: int) -> int:
        return f["hsa_amd_memory_async_copy"](dst, to, src, of, min(size, MIB_2), *rest)

    return {"hsa_amd_memory_async_copy": copy}


def drops_the_tail(f: Functions) -> dict[str, Function]:
    """Copy whole words alone where there is more than a page."""

    def copy(dst: int, src: int, size: int) -> int:
        return f["hsa_memory_copy"](dst, src, size & ~7 if size > KIB_64 else size)

    return {"hsa_memory_copy": copy}


def counts_in_16_bits(f: Functions) -> dict[str, Function]:
    """Keep the number of words in a field of 16 bits."""

    def fill(ptr: int, value: int, count: int) -> int:
        return f["hsa_amd_memory_fill"](ptr, value, (count & 0xFFFF) or count)

    return {"hsa_amd_memory_fill": fill}


def fills_by_four(f: Functions) -> dict[str, Function]:
    """Leave what is left of the words of a large fill of which bytes are equal."""

    def fill(ptr: int, value: int, count: int) -> int:
        large = count > KIB_64 // 4 and len({*value.to_bytes(4, "little")}) == 1
        return f["hsa_amd_memory_fill"](ptr, value, count & ~3 if large else count)

    return {"hsa_amd_memory_fill": fill}


def describes_64_kib(f: Functions) -> dict[str, Function]:
    """Know the block of an address only in its first 64 KiB."""
    blocks: dict[int, int] = {}

    def allocate(pool: int, size: int, flags: int, ptr: int) -> int:
        status = f["hsa_amd_memory_pool_allocate"](pool, size, flags, ptr)
        if status == 0:
            blocks[memory.load(ptr, 8)] = size
        return status

    def describe(ptr: int, info: int, alloc: int, count: int, accessible: int) -> int:
        far = any(a + KIB_64 <= ptr < a + size for a, size in blocks.items())
        if far:
            ctypes.memset(info + 4, 0, memory.load(info, 4) - 4)
            return 0
        return f["hsa_amd_pointer_info"](ptr, info, alloc, count, accessible)

    return {"hsa_amd_memory_pool_allocate": allocate, "hsa_amd_pointer_info": describe}


def describes_32_bits(f: Functions) -> dict[str, Function]:
    """Keep the size of a reservation in a field of 32 bits."""
    far: list[int] = []

    def reserve(va: int, size: int, address: int, flags: int) -> int:
        status = f["hsa_amd_vmem_address_reserve"](va, size, address, flags)
        if status == 0 and size > GIB_4:
            far.append(memory.load(va, 8))
        return status

    def describe(ptr: int, info: int, alloc: int, count: int, accessible: int) -> int:
        status = f["hsa_amd_pointer_info"](ptr, info, alloc, count, accessible)
        if status == 0 and ptr in far:
            memory.store(info + 24, memory.load(info + 24, 4), 8)
        return status

    return {"hsa_amd_vmem_address_reserve": reserve, "hsa_amd_pointer_info": describe}
