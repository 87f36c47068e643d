"""Instructions, as LLVM writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hsa_device.decoding.operands import Operand, read_operand

#: What LLVM appends to a mnemonic to tell encodings apart.
_ENCODING = re.compile(r"_(e32|e64|sdwa|dpp|e64_dpp)$")
#: How LLVM 19 writes the upper half of a register, whose number is 128 more (RDNA3 ISA, "16-bit
#: math and VGPRs").
_UPPER = re.compile(r"v(\d+)/\*Invalid register, operand has '\w+_Lo128' register class\*/")
_MODIFIER = re.compile(r"([a-z_0-9]+):(\[[^]]*\]|[a-z]+\([^)]*\)|\S+)")
# Words that stand after the operands, without a value.
_FLAGS = frozenset(
    (
        *("glc", "slc", "dlc", "scc", "sc0", "sc1", "nt", "gds", "lds", "tfe", "offen", "idxen"),
        *("addr64", "clamp", "high", "row_mirror", "row_half_mirror"),
        *("unorm", "da", "lwe", "r128", "a16", "d16"),
    )
)


@dataclass(frozen=True)
class Instruction:
    """An instruction.

    Args:
        name: its mnemonic, without the encoding.
        encoding: "e32", "e64", "sdwa", "dpp", or "" where LLVM does not say it.
        operands: results first.
        modifiers: what follows the operands; those without a value have "".
        size: in bytes.
        text: as LLVM wrote it.
        second: that is executed at the same time, where there are two in one.

    """

    name: str
    encoding: str
    operands: Sequence[Operand]
    modifiers: Mapping[str, str]
    size: int
    text: str
    second: Instruction | None = None

    @property
    def parts(self) -> Sequence[Instruction]:
        """Return the instructions that it is made of: itself, and the second one."""
        return (self,) if self.second is None else (self, self.second)

    def has(self, modifier: str) -> bool:
        """Return whether a modifier stands there."""
        return modifier in self.modifiers

    def number(self, modifier: str, otherwise: int = 0) -> int:
        """Return the value of a modifier that is a number."""
        found = self.modifiers.get(modifier)
        return otherwise if found is None else int(found, 0)

    def numbers(self, modifier: str, otherwise: Sequence[int]) -> Sequence[int]:
        """Return the values of a modifier that is a list of numbers."""
        found = self.modifiers.get(modifier)
        return otherwise if found is None else [int(n, 0) for n in found.strip("[]").split(",")]


def read_instruction(text: str, size: int) -> Instruction:
    """Return an instruction that LLVM wrote.

    Args:
        text: such as "v_add_u32_e32 v0, s1, v2".
        size: in bytes.

    """
    text = _UPPER.sub(lambda match: f"v{int(match[1]) - 128}.h", text)
    first, _, other = text.partition(" :: ")
    second = read_instruction(other, size) if other else None
    mnemonic, _, rest = first.partition(" ")
    encoding = _ENCODING.search(mnemonic)
    name = mnemonic[: encoding.start()] if encoding else mnemonic
    words, modifiers = _parts(rest.split("//")[0].strip())
    operands = tuple(read_operand(word) for word in words)
    kind = encoding[1] if encoding else ""
    return Instruction(name, kind, operands, modifiers, size, text, second)


def _parts(text: str) -> tuple[list[str], dict[str, str]]:
    """Return operands, and what follows them after spaces without a comma."""
    modifiers: dict[str, str] = {}
    operands: list[str] = []
    for part in _at_commas(text):
        first, *rest = _at_spaces(part)
        # Where an operand may stand, "a16" is a register.
        if _MODIFIER.fullmatch(first) or first in _FLAGS - {"a16"}:
            rest.insert(0, first)
        elif rest and not _is_modifier(rest[0]):
            operands.append(part)  # such as "vmcnt(0) lgkmcnt(0)", one operand of s_waitcnt
            continue
        else:
            operands.append(first)
        for word in rest:
            name, _, value = word.partition(":")
            modifiers[name] = value
    return operands, modifiers


def _is_modifier(word: str) -> bool:
    return word in _FLAGS or _MODIFIER.fullmatch(word) is not None


def _at_commas(text: str) -> Iterator[str]:
    yield from (part for part in _split(text, ",") if part)


def _at_spaces(text: str) -> list[str]:
    return [part for part in _split(text, " ") if part]


def _split(text: str, separator: str) -> Iterator[str]:
    """Yield what lies between separators that are in no brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == separator and depth == 0:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()
