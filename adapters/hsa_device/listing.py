"""A code object as text: its kernels, and each instruction with how the device executes it."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_device.code import CodeObject
from hsa_device.decoding import LONGEST, decoder
from hsa_device.isa import Executed, executed

_MARKS = {Executed.EXACTLY: " ", Executed.APPROXIMATELY: "~", Executed.NOT: "!"}


def lines(code: CodeObject) -> Iterator[str]:
    """Yield the lines of a listing; the last ones say how true an execution is.

    Args:
        code: the code object.

    Raises:
        DecoderError: no LLVM here decodes its instructions.

    """
    found = decoder(code.processor)
    met: dict[Executed, set[str]] = {each: set() for each in Executed}
    yield f"{code.processor}, decoded by {found.library}"
    for name, (address, size) in sorted(code.functions.items(), key=lambda each: each[1]):
        yield ""
        yield f"{name}:{' (kernel)' if name in code.kernels else ''}"
        at = address
        while at < address + size:
            instruction = found.decode(code.read(at, min(LONGEST, address + size - at)))
            if instruction is None:
                yield f"! {at:#8x}  no instruction"
                at += 4
                continue
            how = executed(instruction.name)
            met[how].add(instruction.name)
            yield f"{_MARKS[how]} {at:#8x}  {instruction.text.replace(chr(9), ' ')}"
            at += instruction.size
    yield ""
    yield (
        f"{len(met[Executed.EXACTLY])} kinds of instructions are executed exactly, "
        f"{len(met[Executed.APPROXIMATELY])} approximately (~), {len(met[Executed.NOT])} not (!)"
        + "".join(f" {name}" for name in sorted(met[Executed.NOT]))
    )
