"""The instructions that a family of processors has, and what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from hsa_device.model.compilation import Section


class ExecutionMode(Enum):
    """How an instruction is executed."""

    EXACTLY = "exactly"
    APPROXIMATELY = "approximately"  # where hardware itself rounds in a way that no text states
    NOT = "not"


class InstructionSet:
    """The instructions of a family.

    Args:
        sections: that have them; of two that have one, the later one describes it.

    """

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        self._by_name = {name: s for s in sections for name in (*s.instructions, *s.ends)}

    def section_of(self, name: str) -> Section | None:
        """Return the section that has an instruction, None for none."""
        return self._by_name.get(name)

    def executed(self, name: str) -> ExecutionMode:
        """Return how an instruction is executed, by its mnemonic without the encoding."""
        section = self.section_of(name)
        if section is None:
            return ExecutionMode.NOT
        return ExecutionMode.APPROXIMATELY if name in section.approximate else ExecutionMode.EXACTLY
