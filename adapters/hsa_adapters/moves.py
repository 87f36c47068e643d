"""The moves of litmus tests: what a thread does to eight bytes of memory, or calls."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_adapters.calls import Call, plain


@dataclass(frozen=True)
class Cell:
    """Eight bytes that a move of a litmus test reads or writes.

    Args:
        address: where they are.
        each: whether each iteration has its own: the n-th those at `address + 8 * n`, from 0.

    """

    address: int
    each: bool = False


@dataclass(frozen=True)
class Copy:
    """A move of a litmus test: a plain load and a plain store of eight bytes."""

    source: Cell
    target: Cell


@dataclass(frozen=True)
class Fence:
    """A move of a litmus test: no access of memory moves across, in either direction."""


@dataclass(frozen=True)
class Delay:
    """A move of a litmus test: the thread counts down, with no access of memory.

    Args:
        count: from what; each step takes about a cycle of the processor.

    """

    count: int


@dataclass(frozen=True)
class CallMove:
    """A move of a litmus test: a call.

    Args:
        call: it has no callback; nothing is read after it.
        takes: the places of arguments, from 0, that are taken from cells.
        result: where its result goes; None for nowhere.

    """

    call: Call
    takes: tuple[tuple[int, Cell], ...] = ()
    result: Cell | None = None


Move = Copy | Fence | Delay | CallMove


def plain_move(move: Move) -> tuple[object, ...]:
    """Return a move of a litmus test as the worker reads it."""
    match move:
        case Copy(source, target):
            return "copy", _plain_cell(source), _plain_cell(target)
        case Fence():
            return ("fence",)
        case Delay(count):
            return "delay", count
        case CallMove(call, takes, result):
            cells = [(place, _plain_cell(cell)) for place, cell in takes]
            return "call", plain(call), cells, result and _plain_cell(result)


def _plain_cell(cell: Cell) -> tuple[int, bool]:
    return cell.address, cell.each
