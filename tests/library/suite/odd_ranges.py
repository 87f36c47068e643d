"""Mistakes in parts of memory alone: far inside of it, at its end, in a later row or slice."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

from hsa_reference import memory
from tests.library.suite.odd_sizes import GIB_4, KIB_64, MIB_2
from tests.wrong.functions import PAGE, SUCCESS, Function, Functions, Mistake, handle_at

COPY, BOX = "hsa_amd_memory_async_copy", "hsa_amd_memory_async_copy_rect"
LOCK, UNLOCK = "hsa_amd_memory_lock", "hsa_amd_memory_unlock"
IMPORT, EXPORT, CLEAR = (f"hsa_ext_image_{verb}" for verb in ("import", "export", "clear"))


def with_number(name: str, place: int, changed: Callable[[int], int]) -> Mistake:
    """Return the mistake that a function takes one of its parameters for another number."""

    def mistake(f: Functions) -> dict[str, Function]:
        def call(*args: int) -> int:
            return f[name](*args[:place], changed(args[place]), *args[place + 1 :])

        return {name: call}

    return mistake


def at_most_64_kib(size: int) -> int:
    """Return as much of a size as is 64 KiB."""
    return min(size, KIB_64)


def whole_pages(size: int) -> int:
    """Return the whole pages of a size of more than 64 KiB."""
    return size // PAGE * PAGE if size > KIB_64 else size


def zeros_after(name: str, place: int, first: int) -> Mistake:
    """Return the mistake that GPUs read zeros after the first bytes of memory that is mapped.

    Args:
        name: of the function that maps it, whose second parameter is the size.
        place: the parameter where its address is written.
        first: how many bytes are right.

    """

    def mistake(f: Functions) -> dict[str, Function]:
        mapped: dict[int, int] = {}
        zeros = ctypes.create_string_buffer(PAGE)

        def make(*args: int) -> int:
            status = f[name](*args)
            if status == SUCCESS:
                mapped[handle_at(args[place])] = args[1]
            return status

        def copy(dst: int, to: int, src: int, *rest: int) -> int:
            wrong = any(a + first <= src < a + size for a, size in mapped.items())
            return f[COPY](dst, to, ctypes.addressof(zeros) if wrong else src, *rest)

        return {name: make, COPY: copy}

    return mistake


def clears_the_last_byte(f: Functions) -> dict[str, Function]:
    """Clear the last byte of a range of more than 64 KiB as it is unlocked."""
    held: dict[int, int] = {}

    def lock(host: int, size: int, *rest: int) -> int:
        held[host] = size
        return f[LOCK](host, size, *rest)

    def unlock(host: int) -> int:
        if held.get(host, 0) > KIB_64:
            memory.store(host + held[host] - 1, 0, 1)
        return f[UNLOCK](host)

    return {LOCK: lock, UNLOCK: unlock}


def fetches_and_drops(f: Functions) -> dict[str, Function]:
    """Clear the last byte of a range of more than 64 KiB that is fetched."""
    name = "hsa_amd_svm_prefetch_async"

    def fetch(ptr: int, size: int, *rest: int) -> int:
        if size > KIB_64:
            memory.store(ptr + size - 1, 0, 1)
        return f[name](ptr, size, *rest)

    return {name: fetch}


def narrow_offsets(bound: int) -> Mistake:
    """Return the mistake that the offset of an export is kept in a field that is too narrow."""
    name = "hsa_amd_portable_export_dmabuf"

    def mistake(f: Functions) -> dict[str, Function]:
        def export(ptr: int, size: int, dmabuf: int, offset: int) -> int:
            status = f[name](ptr, size, dmabuf, offset)
            if status == SUCCESS:
                memory.store(offset, handle_at(offset) % bound, 8)
            return status

        return {name: export}

    return mistake


def counts_what_was_asked(f: Functions) -> dict[str, Function]:
    """Read 64 KiB of a file at most, and count what was asked for."""
    name = "hsa_amd_ais_file_read"

    def read(handle: int, ptr: int, size: int, at: int, copied: int, status: int) -> int:
        answer = f[name](handle, ptr, at_most_64_kib(size), at, copied, status)
        memory.store(copied, size, 8)
        return answer

    return {name: read}


def forgets_access(f: Functions) -> dict[str, Function]:
    """Say that nobody has access to what lies more than 2 MiB into a mapping."""
    mapping, asking = "hsa_amd_vmem_map", "hsa_amd_vmem_get_access"
    mapped: dict[int, int] = {}

    def map_(va: int, size: int, *rest: int) -> int:
        mapped[va] = size
        return f[mapping](va, size, *rest)

    def access(va: int, perms: int, agent: int) -> int:
        status = f[asking](va, perms, agent)
        if status == SUCCESS and any(a + MIB_2 <= va < a + size for a, size in mapped.items()):
            memory.store(perms, 0, 4)
        return status

    return {mapping: map_, asking: access}


def _with_numbers(
    name: str, form: str, places: tuple[int, ...], changed: Callable[[list[list[int]]], None]
) -> Mistake:
    """Return the mistake that a function takes the numbers in its structures for others."""

    def mistake(f: Functions) -> dict[str, Function]:
        def call(*args: int) -> int:
            if not all(args[place] for place in places):
                return f[name](*args)
            layouts = [struct.Struct(part) for part in form.split()]
            numbers = [
                list(layout.unpack(ctypes.string_at(args[place], layout.size)))
                for layout, place in zip(layouts, places, strict=True)
            ]
            changed(numbers)
            taken = [*args]
            rooms = [
                ctypes.create_string_buffer(layout.pack(*part))
                for layout, part in zip(layouts, numbers, strict=True)
            ]
            for place, room in zip(places, rooms, strict=True):
                taken[place] = ctypes.addressof(room)
            return f[name](*taken)

        return {name: call}

    return mistake


def box(changed: Callable[[list[list[int]]], None]) -> Mistake:
    """Return the mistake that a copy of a box takes its numbers for others.

    They are base, row and slice of the destination and the box's place there, likewise of the
    source, and the box's extent.
    """
    return _with_numbers(BOX, "<3Q <3I <3Q <3I <3I", (0, 1, 2, 3, 4), changed)


def shorter_box(direction: int, most: int) -> Mistake:
    """Return the mistake that a box is copied as far only as a field holds."""

    def changed(numbers: list[list[int]]) -> None:
        numbers[4][direction] = min(numbers[4][direction], most)

    return box(changed)


def near_source(numbers: list[list[int]]) -> None:
    """Keep where a row begins in the source in 12 bits."""
    numbers[3][0] %= PAGE


def slices_of_whole_rows(numbers: list[list[int]]) -> None:
    """Take no slice pitch that is not a multiple of the row pitch."""
    _, row, slice_ = numbers[0]
    numbers[0][2] = slice_ // row * row


def whole_words(numbers: list[list[int]]) -> None:
    """Copy whole words of rows that are longer than 16 KiB."""
    if numbers[4][0] > 1 << 14:
        numbers[4][0] += -numbers[4][0] % 4


def region(name: str, place: int, member: int, changed: Callable[[int], int]) -> Mistake:
    """Return the mistake that a function takes a number of an image's region for another."""

    def change(numbers: list[list[int]]) -> None:
        numbers[0][member] = changed(numbers[0][member])

    return _with_numbers(name, "<6I", (place,), change)


def in_8_bits(number: int) -> int:
    """Return what 8 bits hold of a number."""
    return number % 256


def in_32_bits(number: int) -> int:
    """Return what 32 bits hold of a number; all of it where they would hold 0."""
    return number % GIB_4 or number


def at_most_256(number: int) -> int:
    """Return as much of a number as is 256."""
    return min(number, 256)
