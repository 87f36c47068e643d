"""Decoding by LLVM, each instruction once."""

from __future__ import annotations

from functools import cache

from hsa_device.decoding.instructions import Instruction, read_instruction
from hsa_device.llvm import Disassembler, Library, decoder_library

#: No instruction is longer, in bytes.
LONGEST = 20


class Decoder:
    """Decodes instructions of a processor.

    What was decoded is kept by the bytes of the instruction, never by its address: other code may
    lie there tomorrow.

    Args:
        processor: such as "gfx90a".
        wave: work-items of a wave: 32, or 64.

    Attributes:
        library: the LLVM that decodes.

    Raises:
        DecoderError: there is no LLVM here that knows the processor.

    """

    def __init__(self, processor: str, wave: int) -> None:
        self.library: Library = decoder_library(processor)
        self._disassembler = Disassembler(self.library.path, processor, wave)
        self._known: dict[bytes, Instruction] = {}

    def decode(self, content: bytes) -> Instruction | None:
        """Return the instruction that these bytes begin with, None where there is none.

        Args:
            content: LONGEST bytes, fewer at the end of the memory.

        """
        # No instruction is the beginning of another one.
        for size in range(4, len(content) + 1, 4):
            known = self._known.get(content[:size])
            if known is not None:
                return known
        size, text = self._disassembler.decode(content)
        if not size:
            return None
        made = read_instruction(text.replace("\t", " "), size)
        self._known[content[:size]] = made
        return made


@cache
def decoder(processor: str, wave: int = 64) -> Decoder:
    """Return the one decoder of this process for waves of a processor; see `Decoder`."""
    return Decoder(processor, wave)
