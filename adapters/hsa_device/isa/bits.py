"""What several sections compute with bits, lane by lane or wave by wave."""

from __future__ import annotations

from typing import Any

import numpy as np

from hsa_device.model.waves import Values

Pair = tuple[Values, Values]


def shift_left(value: Values, count: Values) -> Values:
    """Shift by as many bits as the lowest bits of a count say: 5 of 32, 6 of 64."""
    return value << _within(value, count)


def shift_right(value: Values, count: Values) -> Values:
    """Shift in the same way; of signed numbers the sign comes after."""
    return value >> _within(value, count)


def _within(value: Values, count: Values) -> Values:
    most = value.dtype.itemsize * 8 - 1
    return (count & count.dtype.type(most)).astype(value.dtype)


def multiply_high(a: Values, b: Values) -> Values:
    """Return the upper half of a product of numbers of 32 bits."""
    wide: Any = np.int64 if a.dtype.kind == "i" else np.uint64
    return ((a.astype(wide) * b.astype(wide)) >> wide(32)).astype(a.dtype)


def extract(value: Values, offset: Values, width: Values) -> Values:
    """Return a field of bits: extended by the sign where the value is signed.

    Args:
        value: that the field is in.
        offset: of its lowest bit, less than the bits of the value.
        width: of the field; what lies beyond the value is its sign, or 0.

    """
    bits = value.dtype.itemsize * 8
    kind: Any = value.dtype.type
    offset, width = offset.astype(np.int64), width.astype(np.int64)
    moved = value >> offset.astype(value.dtype)
    room = np.clip(bits - width, 0, bits - 1).astype(value.dtype)
    found = (moved << room) >> room
    return np.where(width == 0, kind(0), np.where(width + offset >= bits, moved, found))


def count_ones(value: Values) -> Values:
    """Return how many bits are set."""
    return np.bitwise_count(value) if hasattr(np, "bitwise_count") else _count(value)


def _count(value: Values) -> Values:
    octets = np.ascontiguousarray(value)[..., None].view(np.uint8)
    return np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.uint8)


def first_one(value: Values) -> Values:
    """Return the number of the lowest bit that is set, -1 for none."""
    zero = value.dtype.type(0)
    lowest = value & (zero - value)
    place = count_ones(lowest - value.dtype.type(1)).astype(np.int32)
    return np.where(value == zero, np.int32(-1), place)


def leading_zeros(value: Values) -> Values:
    """Return how many zeros stand before the highest bit that is set, -1 where none is."""
    bits = value.dtype.itemsize * 8
    spread = value.copy()
    step = 1
    while step < bits:
        spread |= spread >> value.dtype.type(step)
        step *= 2
    place = bits - count_ones(spread).astype(np.int32)
    return np.where(value == 0, np.int32(-1), place)


def leading_signs(value: Values) -> Values:
    """Return the place, from the highest bit on, of the first that differs from it; -1 for none."""
    unsigned = value.view(f"u{value.dtype.itemsize}")
    return leading_zeros(np.where(value < 0, ~unsigned, unsigned))


def reverse(value: Values) -> Values:
    """Return the bits in the opposite order."""
    size = value.dtype.itemsize
    octets = np.ascontiguousarray(value)[..., None].view(np.uint8)
    turned = np.packbits(
        np.unpackbits(octets, axis=-1, bitorder="little")[..., ::-1], axis=-1, bitorder="little"
    )
    return np.ascontiguousarray(turned).view(f"u{size}")[..., 0]


def add_carry(a: Values, b: Values, carry: Values | None = None) -> Pair:
    """Return a sum of unsigned numbers, and whether it overflowed."""
    total = a + b
    over = total < a
    if carry is not None:
        further = total + carry.astype(a.dtype)
        over = over | (further < total)
        total = further
    return total, over


def subtract_borrow(a: Values, b: Values, borrow: Values | None = None) -> Pair:
    """Return a difference of unsigned numbers, and whether it is below 0."""
    below = a < b
    left = a - b
    if borrow is not None:
        less = borrow.astype(a.dtype)
        below = below | (left < less)
        left = left - less
    return left, below


def add_overflow(a: Values, b: Values) -> Pair:
    """Return a sum of signed numbers, and whether it overflowed."""
    total = a + b
    return total, ((a ^ total) & (b ^ total)) < 0


def subtract_overflow(a: Values, b: Values) -> Pair:
    """Return a difference of signed numbers, and whether it overflowed."""
    left = a - b
    return left, ((a ^ b) & (a ^ left)) < 0
