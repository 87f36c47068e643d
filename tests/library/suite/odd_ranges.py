"""Mistakes in parts of memory alone: in a later row or slice, at its end."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

from tests.wrong.functions import PAGE, Function, Functions, Mistake

BOX = "hsa_amd_memory_async_copy_rect"


def with_number(name: str, place: int, changed: Callable[[int], int]) -> Mistake:
    """Return the mistake that a function takes one of its parameters for another number."""

    def mistake(f: Functions) -> dict[str, Function]:
        def call(*args: int) -> int:
            return f[name](*args[:place], changed(args[place]), *args[place + 1 :])

        return {name: call}

    return mistake


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


def at_most_256(number: int) -> int:
    """Return as much of a number as is 256."""
    return min(number, 256)
