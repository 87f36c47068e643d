"""What makes vector instructions ready."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hsa_device.decoding import Instruction, Kind, Operand
from hsa_device.isa.vector import parts
from hsa_device.isa.vector.modes import clamped, with_modes
from hsa_device.isa.vector.operands import Read, Write, keep_high, read, words_of, write
from hsa_device.isa.vector.parts import Permutation, ReadWords
from hsa_device.model.compilation import Compile, Run, lacking, require_known
from hsa_device.model.operations import Operation
from hsa_device.model.types import IMPLIED, Type
from hsa_device.model.waves import Values, Waves

Change = Callable[[ReadWords], ReadWords]
Compute = Callable[[Waves, Sequence[Values]], Any]


@dataclass(frozen=True)
class LaneOperation:
    """What an instruction does for each lane.

    Args:
        reads: what reads its sources.
        compute: what makes its results of them.
        writes: what writes these.
        permutation: of the lanes that it reads, None for none.

    """

    reads: Sequence[Read]
    compute: Compute
    writes: Sequence[Write]
    permutation: Permutation | None

    def computed(self, waves: Waves) -> Any:  # noqa: ANN401 - see Function
        """Return its results."""
        return self.compute(waves, [each(waves) for each in self.reads])


def prepare(operation: Operation, instruction: Instruction) -> LaneOperation:
    """Return what an instruction does that computes this."""
    require_known(instruction, "clamp", "op_sel", *parts.SDWA, *parts.DPP)
    permutation = Permutation(instruction) if instruction.encoding.endswith("dpp") else None
    left = list(instruction.operands)
    results = [None if t.name in IMPLIED else left.pop(0) for t in operation.results]
    reads = _reads(instruction, operation, left, permutation)
    writes = [
        _write(instruction, operation, operand, type_of)
        for operand, type_of in zip(results, operation.results, strict=True)
    ]
    return LaneOperation(reads, _compute(instruction, operation), writes, permutation)


def vector(operation: Operation) -> Compile:
    """Return what makes an instruction ready that computes this for each lane."""
    return lambda instruction: _run(prepare(operation, instruction))


def vectors(operations: Mapping[str, Operation]) -> Mapping[str, Compile]:
    """Return what makes the instructions of a table ready."""
    return {name: vector(operation) for name, operation in operations.items()}


def _reads(
    instruction: Instruction,
    operation: Operation,
    left: list[Operand],
    permutation: Permutation | None,
) -> list[Read]:
    sources = list(operation.sources)
    if operation.accumulates:
        left.append(instruction.operands[0])
    found = []
    for number, type_of in enumerate(sources):
        if type_of.name in IMPLIED:
            found.append(read(instruction, instruction.operands[0], type_of))
            continue
        if not left:
            raise lacking(instruction, "so few operands")
        operand = left.pop(0)
        change = None
        accumulated = operation.accumulates and not left
        if type_of.name != "mask" and (operand.upper or not accumulated):
            change = _change(instruction, operation, number, operand, permutation)
        found.append(read(instruction, operand, type_of, change))
    return found


def _change(
    instruction: Instruction,
    operation: Operation,
    number: int,
    operand: Operand,
    permutation: Permutation | None,
) -> Change | None:
    """Return what is done to the registers of a source before they are used."""
    if operand.upper:
        if operation.sources[number].width != 16 or permutation is not None:
            raise lacking(instruction, f"the half {operand.text!r} here")
        return lambda words: lambda w: parts.upper_half(words(w))
    if permutation is not None and number == 0:
        return lambda words: parts.permuted(words, permutation)
    part = instruction.modifiers.get(f"src{number}_sel")
    if part is not None and (part != "DWORD" or operand.extended):
        return lambda words: parts.selected(words, part, signed=operand.extended)
    halves = instruction.numbers("op_sel", ())
    if number < len(halves) and halves[number]:
        if not operation.selects or operation.sources[number].width != 16:
            raise lacking(instruction, "op_sel")
        if operand.kind in (Kind.INTEGER, Kind.FLOAT):
            raise lacking(instruction, "op_sel of a constant")
        return lambda words: lambda w: parts.upper_half(words(w))
    return None


def _compute(instruction: Instruction, operation: Operation) -> Compute:
    function = operation.function
    clamps = instruction.has("clamp")
    if clamps and not operation.results[0].floating:
        if operation.saturated is None:
            raise lacking(instruction, "the modifier clamp")
        function = operation.saturated
    if not (operation.rounds or clamps):
        return lambda _, values: function(*values)
    computed = with_modes(instruction, operation, function)
    if not (clamps and operation.results[0].floating):
        return computed
    if len(operation.results) > 1:
        raise lacking(instruction, "the modifier clamp")
    return lambda waves, values: clamped(waves, computed(waves, values))


def _write(
    instruction: Instruction, operation: Operation, operand: Operand | None, type_of: Type
) -> Write:
    """Return what writes a result, or a part of it."""
    part = instruction.modifiers.get("dst_sel", "DWORD")
    halves = instruction.numbers("op_sel", ())
    upper = len(halves) > len(operation.sources) and bool(halves[-1])
    upper = upper or (operand is not None and operand.upper)
    if type_of.name == "mask" or operand is None or operand.kind is not Kind.VECTOR:
        return write(instruction, operand, type_of)
    number = operand.number
    if part != "DWORD":
        placed = parts.place(part, instruction.modifiers.get("dst_unused", ""))
        return lambda w, v: w.put(number, placed(words_of(v, type_of), w.row(number)))
    if type_of.width == 16 and (upper or operation.keeps_high):
        return lambda w, v: w.put(
            number, keep_high(w.row(number), words_of(v, type_of), upper=upper)
        )
    return write(instruction, operand, type_of)


def _run(prepared: LaneOperation) -> Run:
    reads, writes, compute = prepared.reads, prepared.writes, prepared.compute
    if prepared.permutation is not None:
        return _permuted(prepared, prepared.permutation)
    if len(writes) == 1:
        only = writes[0]

        def run_one(waves: Waves) -> None:
            only(waves, compute(waves, [each(waves) for each in reads]))

        return run_one

    def run(waves: Waves) -> None:
        found = compute(waves, [each(waves) for each in reads])
        for each, value in zip(writes, found, strict=True):
            each(waves, value)

    return run


def _permuted(prepared: LaneOperation, permutation: Permutation) -> Run:
    """Return what reads the lanes that are active, and writes fewer."""
    writes = prepared.writes

    def run(waves: Waves) -> None:
        values = [each(waves) for each in prepared.reads]
        before = waves.active, waves.whole
        waves.active, waves.whole = permutation.written(waves.active), False
        found = prepared.compute(waves, values)
        for each, value in zip(writes, found if len(writes) > 1 else (found,), strict=True):
            each(waves, value)
        waves.active, waves.whole = before

    return run
