"""A code object as text: its kernels, and each instruction with how the device executes it."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_device.code import CodeObject, read_descriptor
from hsa_device.code.descriptor import SIZE
from hsa_device.decoding import LONGEST, decoder
from hsa_device.isa import ExecutionMode, instruction_set

_MARKS = {ExecutionMode.EXACTLY: " ", ExecutionMode.APPROXIMATELY: "~", ExecutionMode.NOT: "!"}


def lines(code: CodeObject) -> Iterator[str]:
    """Yield the lines of a listing; the last ones say how true an execution is.

    Args:
        code: the code object.

    Raises:
        DecoderError: no LLVM here decodes its instructions.

    """
    instructions = instruction_set(code.target.family)
    met: dict[ExecutionMode, set[str]] = {each: set() for each in ExecutionMode}
    yield f"{code.processor}, decoded by {decoder(code.processor).library}"
    for name, (address, size) in sorted(code.functions.items(), key=lambda each: each[1]):
        yield ""
        yield f"{name}:{' (kernel)' if name in code.kernels else ''}"
        found = decoder(code.processor, wave_of(code, name))
        at = address
        while at < address + size:
            instruction = found.decode(code.read(at, min(LONGEST, address + size - at)))
            if instruction is None:
                yield f"! {at:#8x}  no instruction"
                at += 4
                continue
            for part in instruction.parts:
                met[instructions.executed(part.name)].add(part.name)
            how = instructions.executed(instruction.name)
            yield f"{_MARKS[how]} {at:#8x}  {instruction.text.replace(chr(9), ' ')}"
            at += instruction.size
    yield ""
    yield (
        f"{len(met[ExecutionMode.EXACTLY])} kinds of instructions are executed exactly, "
        f"{len(met[ExecutionMode.APPROXIMATELY])} approximately (~), "
        f"{len(met[ExecutionMode.NOT])} not (!)"
        + "".join(f" {name}" for name in sorted(met[ExecutionMode.NOT]))
    )


def wave_of(code: CodeObject, name: str) -> int:
    """Return how many work-items a wave has that executes a function.

    What is no kernel is called by one, and those of a code object are usually alike.
    """
    place = code.kernels.get(name) or next(iter(code.kernels.values()), None)
    if place is None:
        return code.target.waves[0]
    return read_descriptor(code.read(place, SIZE), code.target).wave
