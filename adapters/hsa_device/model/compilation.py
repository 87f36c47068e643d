"""Instructions that are ready to be executed, and what makes them so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hsa_device.decoding import Instruction
from hsa_device.errors import NotExecutedError
from hsa_device.model.waves import Waves
from hsa_device.wire import NOT_IMITATED

#: Executes an instruction for the chosen waves.
Run = Callable[[Waves], None]
#: The same for one that decides where they go on: it is told where the next instruction lies, and
#: sets their PC.
End = Callable[[Waves, int], None]
Compile = Callable[[Instruction], Run]
CompileEnd = Callable[[Instruction], End]


@dataclass(frozen=True)
class Section:
    """A section of the ISA manual.

    Args:
        name: its title.
        instructions: what makes its instructions ready, by mnemonic.
        ends: the same for those after which waves may go on elsewhere.
        approximate: those whose results hardware may round in another way.

    """

    name: str
    instructions: Mapping[str, Compile]
    ends: Mapping[str, CompileEnd]
    approximate: frozenset[str] = frozenset()


def nothing(_: Instruction) -> Run:
    """Make an instruction ready that changes nothing here."""
    return lambda _: None


def lacking(instruction: Instruction, what: str) -> NotExecutedError:
    """Return the error for a setting of an instruction that the device lacks."""
    text = f"{instruction.text}: the device does not execute {what}"
    return NotExecutedError(text, instruction.name)


def not_imitated(instruction: Instruction, why: str) -> NotExecutedError:
    """Return the error for a setting of an instruction that the device lacks by design."""
    return NotExecutedError(f"{instruction.text}: {why}{NOT_IMITATED}", instruction.name)


def require_known(instruction: Instruction, *modifiers: str) -> None:
    """Raise where an instruction has modifiers that are not these.

    Raises:
        NotExecutedError: it has one.

    """
    for name in instruction.modifiers:
        if name not in modifiers:
            raise lacking(instruction, f"the modifier {name!r} here")
