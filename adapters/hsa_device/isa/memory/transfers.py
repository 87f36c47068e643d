"""Loads, stores and atomic operations, once the address of each lane is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.isa.memory.formats import Format
from hsa_device.isa.vector.modes import denormals
from hsa_device.model.compilation import Run, lacking
from hsa_device.model.waves import Doubles, Values, Waves

#: Returns addresses of numbers of a lane that lies so many bytes further: active lanes, as a list.
Address = Callable[[int], Doubles]
#: Prepares an access of the active lanes.
Addressing = Callable[[Waves], Address]


def register(waves: Waves, operand: Operand, place: int = 0) -> int:
    """Return the number of a vector register, accumulation registers after the others."""
    first = waves.accumulators if operand.kind is Kind.ACCUMULATOR else 0
    return first + operand.number + place


def require_register(instruction: Instruction, operand: Operand) -> Operand:
    """Return an operand that is a vector register.

    Raises:
        NotExecutedError: it is none.

    """
    if operand.kind not in (Kind.VECTOR, Kind.ACCUMULATOR):
        raise lacking(instruction, f"the operand {operand.text!r} here")
    return operand


def load(result: Operand, form: Format, addressing: Addressing) -> Run:
    """Return what loads; a fault leaves all registers as they were."""

    def run(waves: Waves) -> None:
        address = addressing(waves)
        values = [
            waves.memory.load(address(place * form.size), form.size) for place in range(form.count)
        ]
        put(waves, result, form, values)

    return run


def put(waves: Waves, result: Operand, form: Format, values: list[Values]) -> None:
    """Write what was loaded to the registers of the active lanes."""
    for place, value in enumerate(values):
        number = register(waves, result, place)
        before = None if form.half is None else waves.packed(number)
        waves.put_packed(number, form.loaded(value, before))


def store(source: Operand, form: Format, addressing: Addressing) -> Run:
    """Return what stores."""

    def run(waves: Waves) -> None:
        address = addressing(waves)
        for place in range(form.count):
            words = waves.packed(register(waves, source, place))
            waves.memory.store(address(place * form.size), form.stored(words), form.size)

    return run


def wide(waves: Waves, operand: Operand, place: int, size: int) -> Doubles:
    """Return numbers of a size in registers, as 64 bits: active lanes, as a list."""
    low = waves.packed(register(waves, operand, place)).astype(np.uint64)
    if size == 4:
        return low
    high = waves.packed(register(waves, operand, place + 1)).astype(np.uint64)
    return low | high << np.uint64(32)


def put_wide(waves: Waves, result: Operand, values: Doubles, size: int) -> None:
    """Write numbers of a size to registers of the active lanes."""
    waves.put_packed(register(waves, result), values.astype(np.uint32))
    if size == 8:
        high = (values >> np.uint64(32)).astype(np.uint32)
        waves.put_packed(register(waves, result, 1), high)


def by_mode(
    instruction: Instruction, operation: str, size: int, flushed: Mapping[int, str] | None
) -> Callable[[Waves], str]:
    """Return what names an atomic operation.

    Args:
        instruction: whose it is.
        operation: a name of `native.OPERATIONS`.
        size: of the number in bytes.
        flushed: the operation by what MODE says of denormal numbers, None where it says nothing.

    """
    if flushed is None:
        return lambda _: operation
    return lambda w: operation if w.plain else flushed[denormals(instruction, w, 8 * size)]


def atomic(
    result: Operand | None,
    source: Operand,
    named: Callable[[Waves], str],
    size: int,
    addressing: Addressing,
) -> Run:
    """Return what changes memory by an atomic operation.

    Args:
        result: where the number goes that was there before, None for nowhere.
        source: the first register of the value, after which that to compare with follows.
        named: names the operation, see `by_mode`.
        size: of the number in bytes.
        addressing: of the lanes.

    """
    words = size // 4

    def run(waves: Waves) -> None:
        addresses = addressing(waves)(0)
        operation = named(waves)
        values = wide(waves, source, 0, size)
        compares = wide(waves, source, words, size) if operation == "cmpswap" else None
        old = waves.memory.modify(operation, size, addresses, values, compares)
        if result is not None:
            put_wide(waves, result, old, size)

    return run
