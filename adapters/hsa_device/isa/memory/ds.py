"""MI200 ISA, 12.13 LDS: memory that a work-group shares.

Reads beyond the LDS of the work-group are 0, and writes there do nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa.memory import transfers
from hsa_device.isa.memory.formats import Format
from hsa_device.memory import load_from, store_to
from hsa_device.model.compilation import Compile, Run, Section, nothing, require_known
from hsa_device.model.waves import Doubles, Values, Waves
from hsa_device.native import modify

LOADS: Mapping[str, Format] = {
    "b32": Format(4),
    "b64": Format(4, 2),
    "b96": Format(4, 3),
    "b128": Format(4, 4),
    "u8": Format(1),
    "i8": Format(1, signed=True),
    "u16": Format(2),
    "i16": Format(2, signed=True),
    "u8_d16": Format(1, half=0),
    "u8_d16_hi": Format(1, half=1),
    "i8_d16": Format(1, signed=True, half=0),
    "i8_d16_hi": Format(1, signed=True, half=1),
    "u16_d16": Format(2, half=0),
    "u16_d16_hi": Format(2, half=1),
}
_STORES: Mapping[str, Format] = {
    "b8": Format(1),
    "b16": Format(2),
    "b8_d16_hi": Format(1, half=1),
    "b16_d16_hi": Format(2, half=1),
    "b32": Format(4),
    "b64": Format(4, 2),
    "b96": Format(4, 3),
    "b128": Format(4, 4),
}
#: Atomic operations: what follows "ds_", and the operation and size in bytes.
_ATOMICS: Mapping[str, tuple[str, int]] = {
    **{
        f"{name}_{kind}{size * 8}": (operation, size)
        for name, kind, operation in (
            *(("add", "u", "add"), ("sub", "u", "sub"), ("inc", "u", "inc"), ("dec", "u", "dec")),
            *(("min", "i", "smin"), ("max", "i", "smax"), ("min", "u", "umin")),
            *(("max", "u", "umax"), ("and", "b", "and"), ("or", "b", "or"), ("xor", "b", "xor")),
            *(("add", "f", "fadd"), ("min", "f", "fmin"), ("max", "f", "fmax")),
            *(("wrxchg", "b", "swap"), ("cmpst", "b", "cmpswap")),
        )
        for size in (4, 8)
    },
}


class _Places:
    """Where the active lanes access LDS."""

    def __init__(self, waves: Waves, register: int) -> None:
        self._waves = waves
        self._offsets = waves.packed(register).astype(np.uint64)
        self._starts = waves.pack(waves.local_starts()[:, None])

    def load(self, offset: int, size: int) -> Values:
        offsets, inside = self._at(offset, size)
        if inside.all():
            return load_from(self._waves.local, self._starts + offsets, size)
        found = np.zeros(len(offsets), f"u{size}")
        found[inside] = load_from(self._waves.local, (self._starts + offsets)[inside], size)
        return found

    def inside(self, offset: int, size: int) -> Values:
        """Return which lanes reach so many bytes."""
        return self._at(offset, size)[1]

    def store(self, offset: int, values: Values, size: int) -> None:
        offsets, inside = self._at(offset, size)
        store_to(self._waves.local, (self._starts + offsets)[inside], values[inside], size)

    def modify(
        self, offset: int, operation: str, size: int, values: Doubles, compares: Doubles | None
    ) -> Doubles:
        offsets, inside = self._at(offset, size)
        base = self._starts + offsets + np.uint64(self._waves.local.ctypes.data)
        # What is not aligned is aligned downwards.
        addresses = base & np.uint64(2**64 - size)
        old = np.zeros(len(offsets), np.uint64)
        compared = None if compares is None else compares[inside]
        old[inside] = modify(operation, size, addresses[inside], values[inside], compared)
        return old

    def _at(self, offset: int, size: int) -> tuple[Doubles, Values]:
        offsets = self._offsets + np.uint64(offset) & np.uint64(0xFFFFFFFF)
        return offsets, offsets + np.uint64(size) <= np.uint64(self._waves.group_size)


def read(form: Format, *, whole: bool = False) -> Compile:
    """Return a load.

    Args:
        form: what a lane loads.
        whole: whether all its words are 0 where one of them lies beyond LDS.

    """

    def make(instruction: Instruction) -> Run:
        require_known(instruction, "offset")
        result, address = instruction.operands
        offset = instruction.number("offset")

        def run(waves: Waves) -> None:
            places = _Places(waves, transfers.register(waves, address))
            values = [places.load(offset + form.size * n, form.size) for n in range(form.count)]
            if whole:
                inside = places.inside(offset, form.size * form.count)
                values = [np.where(inside, each, 0) for each in values]
            transfers.put(waves, result, form, values)

        return run

    return make


def _write(form: Format) -> Compile:
    def make(instruction: Instruction) -> Run:
        require_known(instruction, "offset")
        address, source = instruction.operands
        offset = instruction.number("offset")

        def run(waves: Waves) -> None:
            places = _Places(waves, transfers.register(waves, address))
            for n in range(form.count):
                words = form.stored(waves.packed(transfers.register(waves, source, n)))
                places.store(offset + form.size * n, words, form.size)

        return run

    return make


def _read_two(words: int, unit: int) -> Compile:
    """Read at two offsets, each in units."""

    def make(instruction: Instruction) -> Run:
        require_known(instruction, "offset0", "offset1")
        result, address = instruction.operands
        offsets = [unit * instruction.number(name) for name in ("offset0", "offset1")]

        def run(waves: Waves) -> None:
            places = _Places(waves, transfers.register(waves, address))
            values = [places.load(o + 4 * n, 4) for o in offsets for n in range(words)]
            transfers.put(waves, result, Format(4, 2 * words), values)

        return run

    return make


def _write_two(words: int, unit: int) -> Compile:
    def make(instruction: Instruction) -> Run:
        require_known(instruction, "offset0", "offset1")
        address, *sources = instruction.operands
        offsets = [unit * instruction.number(name) for name in ("offset0", "offset1")]

        def run(waves: Waves) -> None:
            places = _Places(waves, transfers.register(waves, address))
            for offset, source in zip(offsets, sources, strict=True):
                for n in range(words):
                    register = transfers.register(waves, source, n)
                    places.store(offset + 4 * n, waves.packed(register), 4)

        return run

    return make


def atomic(
    operation: str,
    size: int,
    *,
    returns: bool,
    compare_last: bool = False,
    flushed: Mapping[int, str] | None = None,
) -> Compile:
    """Return an atomic operation.

    Args:
        operation: a name of `native.OPERATIONS`.
        size: of the number in bytes.
        returns: whether the first operand is what was there before.
        compare_last: whether what is compared with is the last operand, and not the one before.
        flushed: see `transfers.by_mode`.

    """

    def make(instruction: Instruction) -> Run:
        require_known(instruction, "offset")
        left = list(instruction.operands)
        result = left.pop(0) if returns else None
        address, *sources = left
        offset = instruction.number("offset")
        named = transfers.by_mode(instruction, operation, size, flushed)

        def run(waves: Waves) -> None:
            places = _Places(waves, transfers.register(waves, address))
            given = [transfers.wide(waves, each, 0, size) for each in sources]
            if compare_last:
                given.reverse()
            values, compares = given[-1], given[0] if len(given) > 1 else None
            old = places.modify(offset, named(waves), size, values, compares)
            if result is not None:
                transfers.put_wide(waves, result, old, size)

        return run

    return make


_TWO: tuple[tuple[str, Callable[[int, int], Compile]], ...] = (
    ("read2", _read_two),
    ("write2", _write_two),
)

_INSTRUCTIONS: Mapping[str, Compile] = {
    **{f"ds_read_{name}": read(form) for name, form in LOADS.items()},
    **{f"ds_write_{name}": _write(form) for name, form in _STORES.items()},
    **{
        f"ds_{name}{apart}_b{32 * words}": make(words, 4 * words * (64 if apart else 1))
        for name, make in _TWO
        for apart in ("", "st64")
        for words in (1, 2)
    },
    **{
        f"ds_{name}": atomic(operation, size, returns=False)
        for name, (operation, size) in _ATOMICS.items()
        if operation != "swap"
    },
    **{
        f"ds_{name}_rtn_{rest}": atomic(operation, size, returns=True)
        for full, (operation, size) in _ATOMICS.items()
        for name, rest in (full.split("_"),)
    },
    "ds_nop": nothing,
}

SECTION = Section("LDS", _INSTRUCTIONS, {})
