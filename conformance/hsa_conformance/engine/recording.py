"""Writes numbers down as what they are in their process, so that a program can be made of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hsa_adapters.protocol import Callback
from hsa_conformance.engine.symbols import Symbol
from hsa_reports import actions

#: How far from a known address a plain number is still taken for that address and an offset.
_NEAR = 1 << 24
#: No address is below this one; a smaller number is a plain one.
_LEAST = 1 << 16


def placed(value: int, addresses: Sequence[Symbol]) -> int:
    """Return a plain number that lies near a known address as that address and an offset.

    Args:
        value: the number.
        addresses: what it may have been computed from.

    """
    if value < _LEAST or not addresses or isinstance(value, Symbol):
        return value
    nearest = min(addresses, key=lambda address: abs(int(address) - value))
    distance = value - int(nearest)
    return nearest + distance if abs(distance) < _NEAR else value


def recorded(value: int, addresses: Sequence[Symbol] = ()) -> actions.Number | actions.Origin:
    """Return what a number stands for.

    Args:
        value: the number.
        addresses: for a pointer, what it may have been computed from.

    """
    known = placed(value, addresses)
    if isinstance(known, Symbol) and known.origin is not None:
        return replace(known.origin, offset=known.offset)
    return actions.Number(int(value))


def callback(value: Callback) -> actions.Callback:
    """Return a callback as an event has it."""
    return actions.Callback(value.type, tuple(value.returns), value.allocate)


def memory(block: int, content: bytes, numbers: Mapping[int, int]) -> actions.Memory:
    """Return memory as an event has it.

    Args:
        block: its number in its process.
        content: all of its bytes.
        numbers: what stands in it as eight bytes each and may mean nothing elsewhere, by place.

    """
    if not numbers:
        return actions.Memory(block, len(content), content.rstrip(b"\0"), ())
    known = {place: recorded(number) for place, number in numbers.items()}
    own = {p: n for p, n in known.items() if not isinstance(n, actions.Number)}
    kept = bytearray(content)
    for place in own:
        kept[place : place + 8] = bytes(8)
    return actions.Memory(
        block, len(content), bytes(kept).rstrip(b"\0"), tuple(sorted(own.items()))
    )
