"""Writes numbers down as what they are in their process, so that a program can be made of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_reports import operands

#: How far from a known address a plain number is still taken for that address and an offset.
_NEAR = 1 << 24
#: No address is below this one; a smaller number is a plain one.
_LEAST = 1 << 16
#: How many bytes, none of them zero, memory has at least in common with what it is a copy of.
_LEAST_SAME = 4


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


def recorded(value: int, addresses: Sequence[Symbol] = ()) -> operands.Number | operands.Origin:
    """Return what a number stands for.

    Args:
        value: the number.
        addresses: for a pointer, what it may have been computed from.

    """
    known = placed(value, addresses)
    if isinstance(known, Symbol) and known.origin is not None:
        return replace(known.origin, offset=known.offset)
    return operands.Number(int(value))


def callback(value: Callback) -> operands.Callback:
    """Return a callback as an event has it."""
    until = recorded(value.until) if value.until else None
    given = tuple(value.returns), value.allocate, until, value.writes
    return operands.Callback(value.type, *given)


def memory(
    block: int,
    content: bytes,
    numbers: Mapping[int, int],
    outputs: Mapping[str, bytes] | None = None,
) -> operands.Memory:
    """Return memory as an event has it.

    Args:
        block: its number in its process.
        content: all of its bytes.
        numbers: what stands in it as eight bytes each and may mean nothing elsewhere, by place.
        outputs: what calls have left that it may be a copy of, by name.

    """
    if not numbers:
        source = _source(content, outputs or {})
        if source is not None:
            name, left = source
            changed = bytes(a ^ b for a, b in zip(content, left, strict=True))
            return operands.Memory(block, len(content), changed.rstrip(b"\0"), copied=name)
        return operands.Memory(block, len(content), content.rstrip(b"\0"), ())
    known = {place: recorded(number) for place, number in numbers.items()}
    own = {p: n for p, n in known.items() if not isinstance(n, operands.Number)}
    kept = bytearray(content)
    for place in own:
        kept[place : place + 8] = bytes(8)
    return operands.Memory(
        block, len(content), bytes(kept).rstrip(b"\0"), tuple(sorted(own.items()))
    )


def _source(content: bytes, outputs: Mapping[str, bytes]) -> tuple[str, bytes] | None:
    """Return the output that most bytes of memory are copied from, if half of what it says are.

    A byte whose bits are all turned over comes from there, too.
    """
    best, most = None, 0
    for name, left in outputs.items():
        if len(left) == len(content):
            said = [a ^ b for a, b in zip(left, content, strict=True) if a]
            same = sum(difference in (0, 0xFF) for difference in said)
            if same > most and same >= _LEAST_SAME and 2 * same >= len(said):
                best, most = (name, left), same
    return best
