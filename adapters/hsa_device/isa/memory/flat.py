"""MI200 ISA, 12.18 FLAT, SCRATCH and GLOBAL: memory at an address of each lane."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.errors import MemoryFaultError
from hsa_device.isa.memory import transfers
from hsa_device.isa.memory.formats import ATOMICS, LOADS, STORES, Format
from hsa_device.isa.memory.scratch import lane_numbers, swizzled
from hsa_device.isa.memory.transfers import Address, Addressing
from hsa_device.model.compilation import Compile, Run, Section, lacking, require_known
from hsa_device.model.waves import FLAT_SCRATCH, Doubles, Waves

# The last ones say how caches are used, which nothing here has.
_MODIFIERS = ("offset", "glc", "slc", "dlc", "sc0", "sc1", "nt", "scc")
_RETURNS = ("glc", "sc0")

#: Makes the addressing of an instruction from its operands of address.
Maker = Callable[[Instruction, Operand, Operand | None], Addressing]


def _global(instruction: Instruction, address: Operand, base: Operand | None) -> Addressing:
    """Addresses of 64 bits, or offsets of 32 bits from a scalar base."""
    offset = instruction.number("offset")
    number = transfers.require_register(instruction, address).number
    if base is None or base.kind is Kind.OFF:

        def whole(waves: Waves) -> Address:
            start = waves.pack(waves.pair(number))
            return lambda further: start + np.uint64(offset + further & 2**64 - 1)

        return whole
    if base.kind is not Kind.SCALAR:
        raise lacking(instruction, f"the base {base.text!r}")
    first = base.number

    def based(waves: Waves) -> Address:
        start = waves.pack(waves.words(first)[:, None] + waves.row(number))
        return lambda further: start + np.uint64(offset + further & 2**64 - 1)

    return based


def _flat(instruction: Instruction, address: Operand, _: Operand | None) -> Addressing:
    """Addresses that may be those of LDS or scratch: their upper halves say so."""
    plain = _global(instruction, address, None)

    def addressing(waves: Waves) -> Address:
        found = plain(waves)
        start = found(0)
        upper = start >> np.uint64(32)
        shared = upper == np.uint64(waves.apertures["src_shared_base"] >> 32)
        private = upper == np.uint64(waves.apertures["src_private_base"] >> 32)
        if not (shared.any() or private.any()):
            return found
        return _in_apertures(waves, start, shared, private)

    return addressing


def _in_apertures(waves: Waves, start: Doubles, shared: Doubles, private: Doubles) -> Address:
    lanes = lane_numbers(waves)
    scratch = waves.pack(waves.words(FLAT_SCRATCH)[:, None])
    local = waves.pack(waves.local_starts()[:, None]) + np.uint64(waves.local_address)

    def address(further: int) -> Doubles:
        offset = start + np.uint64(further) & np.uint64(0xFFFFFFFF)
        if (shared & (offset >= np.uint64(waves.group_size))).any():
            raise MemoryFaultError("a flat address beyond the LDS of the work-group")
        found = np.where(shared, local + offset, start + np.uint64(further))
        return np.where(private, swizzled(scratch, lanes, offset, waves.width), found)

    return address


def _scratch(instruction: Instruction, address: Operand, base: Operand | None) -> Addressing:
    """Offsets of 32 bits in the scratch of a lane: a register, a scalar one, or neither."""
    offset = instruction.number("offset")
    vector = None if address.kind is Kind.OFF else transfers.require_register(instruction, address)
    scalar = base if base is not None and base.kind is Kind.SCALAR else None

    def addressing(waves: Waves) -> Address:
        lanes = lane_numbers(waves)
        start = waves.pack(waves.words(FLAT_SCRATCH)[:, None])
        total = np.zeros(len(lanes), np.uint64)
        if vector is not None:
            total = total + waves.packed(vector.number)
        if scalar is not None:
            total = total + waves.pack(waves.word(scalar.number)[:, None])

        def place(further: int) -> Doubles:
            offsets = total + np.uint64(offset + further & 2**64 - 1) & np.uint64(0xFFFFFFFF)
            return swizzled(start, lanes, offsets, waves.width)

        return place

    return addressing


def _loads(make: Maker) -> Callable[[Format], Compile]:
    def of(form: Format) -> Compile:
        def compiled(instruction: Instruction) -> Run:
            require_known(instruction, *_MODIFIERS)
            result, address, *base = instruction.operands
            addressing = make(instruction, address, base[0] if base else None)
            return transfers.load(transfers.require_register(instruction, result), form, addressing)

        return compiled

    return of


def _stores(make: Maker) -> Callable[[Format], Compile]:
    def of(form: Format) -> Compile:
        def compiled(instruction: Instruction) -> Run:
            require_known(instruction, *_MODIFIERS)
            address, source, *base = instruction.operands
            addressing = make(instruction, address, base[0] if base else None)
            return transfers.store(
                transfers.require_register(instruction, source), form, addressing
            )

        return compiled

    return of


def _atomics(
    make: Maker, flushed: Mapping[int, str] | None = None
) -> Callable[[tuple[str, int]], Compile]:
    def of(what: tuple[str, int]) -> Compile:
        operation, size = what

        def compiled(instruction: Instruction) -> Run:
            require_known(instruction, *_MODIFIERS)
            left = list(instruction.operands)
            returns = any(map(instruction.has, _RETURNS))
            result = transfers.require_register(instruction, left.pop(0)) if returns else None
            address, source, *base = left
            addressing = make(instruction, address, base[0] if base else None)
            return transfers.atomic(
                result,
                transfers.require_register(instruction, source),
                transfers.by_mode(instruction, operation, size, flushed),
                size,
                addressing,
            )

        return compiled

    return of


def atomic(prefix: str, what: tuple[str, int], flushed: Mapping[int, str] | None = None) -> Compile:
    """Return an atomic operation.

    Args:
        prefix: of the instruction, "flat" or "global".
        what: the name of the operation, of `native.OPERATIONS`, and its size in bytes.
        flushed: see `transfers.by_mode`.

    """
    return _atomics({"flat": _flat, "global": _global}[prefix], flushed)(what)


def _all(prefix: str, make: Maker) -> dict[str, Compile]:
    load, store, atomic = _loads(make), _stores(make), _atomics(make)
    return {
        **{f"{prefix}_load_{name}": load(form) for name, form in LOADS.items()},
        **{f"{prefix}_store_{name}": store(form) for name, form in STORES.items()},
        **{f"{prefix}_atomic_{name}": atomic(each) for name, each in ATOMICS.items()},
    }


_INSTRUCTIONS: Mapping[str, Compile] = {
    **_all("flat", _flat),
    **_all("global", _global),
    **{n: each for n, each in _all("scratch", _scratch).items() if "atomic" not in n},
}

SECTION = Section("FLAT", _INSTRUCTIONS, {})
