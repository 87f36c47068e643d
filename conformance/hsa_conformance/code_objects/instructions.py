"""What the suite's own kernels are made of."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, Literal

#: What a kernel does; see `programs`.
Does = Literal["nothing", "store", "copy", "wait", "hold", "trap", "illegal", "private"]


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


# What all generations from 9 on encode alike. Two arguments are in s[8:9] and s[10:11] when they
# are read, what is stored is in v[2:3], and the address in v[0:1].
FIRST_TO_ADDRESS: Final = (
    Instruction("v_mov_b32_e32 v0, s8", 0x7E000208),
    Instruction("v_mov_b32_e32 v1, s9", 0x7E020209),
)
SECOND_TO_ADDRESS: Final = (
    Instruction("v_mov_b32_e32 v0, s10", 0x7E00020A),
    Instruction("v_mov_b32_e32 v1, s11", 0x7E02020B),
)
FIRST_TO_VALUE: Final = (
    Instruction("v_mov_b32_e32 v2, s8", 0x7E040208),
    Instruction("v_mov_b32_e32 v3, s9", 0x7E060209),
)
SECOND_TO_VALUE: Final = (
    Instruction("v_mov_b32_e32 v2, s10", 0x7E04020A),
    Instruction("v_mov_b32_e32 v3, s11", 0x7E06020B),
)
#: Set SCC while v2 is 0.
WHILE_ZERO: Final = (
    Instruction("v_readfirstlane_b32 s7, v2", 0x7E0E0502),
    Instruction("s_cmp_eq_u32 s7, 0", 0xBF068007),
)
#: No instruction begins with this word: there is no such operation of one scalar operand.
ILLEGAL: Final = Instruction("", 0xBE80FF00)
