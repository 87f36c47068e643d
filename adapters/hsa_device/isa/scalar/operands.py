"""Operands of scalar instructions, and what makes these ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.model.compilation import Compile, Run, lacking, require_known
from hsa_device.model.constants import constant
from hsa_device.model.operations import Operation
from hsa_device.model.types import IMPLIED, Type
from hsa_device.model.waves import EXEC, M0, SCALARS, VCC, Values, Waves

Read = Callable[[Waves], Values]
Write = Callable[[Waves, Values], None]


def read(instruction: Instruction, operand: Operand, type_of: Type) -> Read:
    """Return what reads an operand: a value for each of the chosen waves.

    Raises:
        NotExecutedError: the device lacks such operands.

    """
    dtype, number = type_of.dtype, operand.number
    if operand.kind in (Kind.INTEGER, Kind.FLOAT, Kind.NULL):
        value = constant(operand, type_of).reshape(1)
        return lambda _: value
    if operand.kind is Kind.APERTURE:
        name = operand.text
        shift = 0 if type_of.width == 64 else 32
        unsigned = np.uint64 if type_of.width == 64 else np.uint32
        return lambda w: np.full(1, w.apertures[name] >> shift, unsigned).view(dtype)
    if operand.kind is not Kind.SCALAR:
        raise lacking(instruction, f"the operand {operand.text!r} here")
    if number >= SCALARS:  # values that nobody writes
        made = _FIXED.get(number)
        if made is None:
            raise lacking(instruction, f"the operand {operand.text!r}")
        return made
    if type_of.width == 64:
        return lambda w: w.words(number).view(dtype)
    if type_of.width == 32:
        return lambda w: w.word(number).view(dtype)
    narrow = np.dtype(f"u{type_of.width // 8}")
    return lambda w: w.word(number).astype(narrow).view(dtype)


def write(instruction: Instruction, operand: Operand, type_of: Type) -> Write:
    """Return what writes an operand.

    Raises:
        NotExecutedError: the device lacks such operands.

    """
    number, dtype = operand.number, type_of.dtype
    if operand.kind is Kind.NULL:
        return lambda _w, _v: None
    if operand.kind is not Kind.SCALAR or number >= SCALARS:
        raise lacking(instruction, f"the result {operand.text!r} here")
    unsigned = np.dtype(f"u{type_of.width // 8}")
    if type_of.width == 64:
        return lambda w, v: w.put_words(number, v.astype(dtype, copy=False).view(unsigned))
    return lambda w, v: w.put_word(number, v.astype(dtype, copy=False).view(unsigned))


def read_implied(type_of: Type) -> Read:
    """Return what reads an operand that is not written."""
    return {
        "scc": lambda w: w.scc[w.chosen],
        "exec": lambda w: w.words(EXEC),
        "exec_lo": lambda w: w.word(EXEC),
        "m0": lambda w: w.word(M0),
    }[type_of.name]


def write_implied(type_of: Type) -> Write:
    """Return what writes an operand that is not written."""
    return {
        "scc": _put_scc,
        "exec": lambda w, v: w.put_words(EXEC, v),
        "exec_lo": lambda w, v: w.put_word(EXEC, v),
    }[type_of.name]


def _put_scc(waves: Waves, values: Values) -> None:
    waves.scc[waves.chosen] = values


_FIXED: Mapping[int, Read] = {
    251: lambda w: (w.mask(VCC) == 0).astype(np.uint32),
    252: lambda w: (w.mask(EXEC) == 0).astype(np.uint32),
    253: lambda w: w.scc[w.chosen].astype(np.uint32),
}


def scalar(operation: Operation) -> Compile:
    """Return what makes an instruction ready that computes this."""

    def make(instruction: Instruction) -> Run:
        require_known(instruction)
        left = iter(instruction.operands)
        writes = [
            write_implied(t) if t.name in IMPLIED else write(instruction, next(left), t)
            for t in operation.results
        ]
        sources = list(operation.sources)
        accumulated = [sources.pop()] if operation.accumulates else []
        reads = [
            read_implied(t) if t.name in IMPLIED else read(instruction, next(left), t)
            for t in sources
        ]
        reads += [read(instruction, instruction.operands[0], t) for t in accumulated]
        return _run(operation, reads, writes)

    return make


def _run(operation: Operation, reads: list[Read], writes: list[Write]) -> Run:
    function = operation.function
    if len(writes) == 1:
        only = writes[0]

        def run_one(waves: Waves) -> None:
            only(waves, function(*[each(waves) for each in reads]))

        return run_one

    def run(waves: Waves) -> None:
        for each, value in zip(writes, function(*[r(waves) for r in reads]), strict=True):
            each(waves, value)

    return run


def scalars(operations: Mapping[str, Operation]) -> Mapping[str, Compile]:
    """Return what makes the instructions of a table ready."""
    return {name: scalar(operation) for name, operation in operations.items()}
