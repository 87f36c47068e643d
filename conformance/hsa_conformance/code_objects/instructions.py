"""What the suite's own kernels are made of."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

#: What a kernel does; see `programs`.
Does = Literal["nothing", "store", "copy", "wait", "trap", "illegal", "private"]


class Instruction:
    """An instruction.

    Args:
        text: how LLVM writes it.
        words: of 32 bits.

    """

    def __init__(self, text: str, *words: int) -> None:
        self.text = text
        self.words = words


@dataclass(frozen=True)
class Program:
    """The instructions of a kernel.

    Args:
        instructions: in their order.
        arguments: the bytes of arguments that it reads.
        private: the bytes of private memory that a work-item uses.

    """

    instructions: tuple[Instruction, ...]
    arguments: int = 0
    private: int = 0

    @property
    def content(self) -> bytes:
        """What they are in memory."""
        words = [word for each in self.instructions for word in each.words]
        return struct.pack(f"<{len(words)}I", *words)
