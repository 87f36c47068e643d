"""A program: blocks of instructions, made ready when waves first come to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from hsa_device.decoding import LONGEST, Decoder, Instruction, Kind
from hsa_device.errors import IllegalInstructionError, NotExecutedError
from hsa_device.isa import InstructionSet
from hsa_device.memory import Memory
from hsa_device.model.compilation import End, Run, Section

_LENGTH = 64  # instructions of a block at most, so that waiting waves get their turn


@dataclass(frozen=True)
class Block:
    """Instructions that are executed one after the other.

    Args:
        runs: what executes them, but for the last one if that is an end.
        end: what executes the last one and says where waves go on, None where they just go on.
        following: the address after the last one.
        instructions: with their addresses, for messages.

    """

    runs: Sequence[Run]
    end: End | None
    following: int
    instructions: Sequence[tuple[int, Instruction]]


class Program:
    """The instructions that a kernel executes.

    Args:
        decoder: of the processor.
        instructions: that the processor has.
        memory: that the instructions lie in.
        vector: vector registers of a work-item that are not accumulation registers.
        accumulators: accumulation registers of a work-item.

    Attributes:
        met: the names of the instructions that were made ready.

    """

    def __init__(
        self,
        decoder: Decoder,
        instructions: InstructionSet,
        memory: Memory,
        vector: int,
        accumulators: int,
    ) -> None:
        self._decoder = decoder
        self._instructions = instructions
        self._memory = memory
        self._registers = {Kind.VECTOR: vector, Kind.ACCUMULATOR: accumulators}
        self._blocks: dict[int, Block] = {}
        self.met: set[str] = set()

    def block(self, address: int) -> Block:
        """Return the block that starts at an address.

        Raises:
            IllegalInstructionError: there is no instruction.
            NotExecutedError: its first instruction is one that the device lacks.
            MemoryFaultError: there is no memory.

        """
        found = self._blocks.get(address)
        if found is None:
            found = self._blocks[address] = self._read(address)
        return found

    def _read(self, address: int) -> Block:
        runs: list[Run] = []
        instructions: list[tuple[int, Instruction]] = []
        end = None
        while end is None and len(runs) < _LENGTH:
            try:
                instruction = self._instruction(address)
                end, run = self._compiled(instruction)
            except (IllegalInstructionError, NotExecutedError) as error:
                if runs:
                    break  # those before it are executed first: they may never end
                error.place = f", at {address:#x}"
                raise
            instructions.append((address, instruction))
            address += instruction.size
            if run is not None:
                runs.append(run)
        return Block(runs, end, address, instructions)

    def _instruction(self, address: int) -> Instruction:
        content = self._memory.read(address, LONGEST)
        instruction = self._decoder.decode(content)
        if instruction is None:
            words = content[:8].hex()
            raise IllegalInstructionError(
                f"{words} is no instruction, says {self._decoder.library}"
            )
        for operand in chain.from_iterable(part.operands for part in instruction.parts):
            room = self._registers.get(operand.kind)
            if room is not None and operand.number + operand.count > room:
                raise IllegalInstructionError(
                    f"{instruction.text}: {operand.text} is beyond the {room} registers that the "
                    "kernel has"
                )
        return instruction

    def _compiled(self, instruction: Instruction) -> tuple[End | None, Run | None]:
        section, *_ = [self._section(part.name, instruction.text) for part in instruction.parts]
        name = instruction.name
        if name in section.ends:
            return section.ends[name](instruction), None
        return None, section.instructions[name](instruction)

    def _section(self, name: str, text: str) -> Section:
        """Return the section that has an instruction, which is met here."""
        found = self._instructions.section_of(name)
        if found is None:
            raise NotExecutedError(f"the device does not execute {name} ({text})", name)
        self.met.add(name)
        return found
