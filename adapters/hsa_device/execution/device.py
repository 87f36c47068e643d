"""The device: executes dispatches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hsa_device.code import read_descriptor
from hsa_device.code.descriptor import SIZE
from hsa_device.decoding import decoder
from hsa_device.errors import IllegalInstructionError, ResourcesError
from hsa_device.execution.dispatch import Dispatch, Scratch, Starter
from hsa_device.execution.machine import Machine
from hsa_device.execution.program import Program
from hsa_device.execution.scheduler import Scheduler
from hsa_device.isa import ExecutionMode, InstructionSet, instruction_set
from hsa_device.memory import Memory, Range
from hsa_device.model.waves import Waves

_MOST_ITEMS = 1024
_SCRATCH_UNIT = 1024  # bytes of a wave


@dataclass(frozen=True)
class Fidelity:
    """How true an execution was to hardware, by the names of instructions.

    Args:
        exact: those with the results that the ISA manual states.
        approximate: those that hardware may round in another way.

    """

    exact: frozenset[str]
    approximate: frozenset[str]


class Device:
    """A GPU.

    Args:
        machine: its resources.
        memory: what it reaches.
        scratch: where kernels see LDS, and scratch of the device's own; None for where they lie in
            this process.
        interrupt: takes the number with which a wave interrupts the host; None where nobody can be.

    Raises:
        DecoderError: no LLVM here decodes its instructions.

    """

    def __init__(
        self,
        machine: Machine,
        memory: Memory,
        scratch: int | None = None,
        interrupt: Callable[[int], None] | None = None,
    ) -> None:
        self._machine = machine
        self._scratch = scratch
        self._memory = memory
        self._interrupt = interrupt
        decoder(machine.processor, machine.target.waves[0])  # which is wanted soon, or lacking

    def run(self, dispatch: Dispatch, stopped: Callable[[], bool] = lambda: False) -> Fidelity:
        """Execute a dispatch to its end.

        Args:
            dispatch: what is executed.
            stopped: returns whether it is to be stopped.

        Raises:
            DispatchError: it ended before its time; the class says why.
            FormatError: the kernel descriptor says what cannot be.

        """
        memory = self._memory
        memory.refresh()
        machine, target = self._machine, self._machine.target
        descriptor = read_descriptor(memory.read(dispatch.kernel, SIZE), target)
        width = descriptor.wave
        group_waves = dispatch.group_waves(width)
        if group_waves * width > _MOST_ITEMS:
            raise ResourcesError(f"a work-group of {dispatch.work_group} work-items")
        entry = dispatch.kernel + descriptor.entry
        if entry % 256:
            raise IllegalInstructionError(f"the kernel begins at {entry:#x}, no multiple of 256")
        local = max(dispatch.group_segment, descriptor.group)
        resident = machine.resident(descriptor, group_waves, local)
        most = min(resident, _with_scratch(dispatch, group_waves, resident))
        x, y, z = dispatch.groups
        count = min(most, x * y * z) * group_waves
        registers, first = descriptor.vector_registers, descriptor.accumulators
        waves = Waves(count, registers, first, local, group_waves, memory, width)
        waves.apertures = machine.apertures
        waves.interrupt = self._interrupt
        instructions = instruction_set(target.family)
        program = Program(
            decoder(machine.processor, width),
            instructions,
            memory,
            min(first, registers),
            max(registers - first, 0),
        )
        item = max(dispatch.private_segment, descriptor.private)
        wave = 0 if dispatch.scratch else -(-item * width // _SCRATCH_UNIT) * _SCRATCH_UNIT
        length, first_argument = descriptor.preloaded
        arguments = (
            memory.read(dispatch.arguments + 4 * first_argument, 4 * length) if length else b""
        )
        with np.errstate(all="ignore"):
            room = np.zeros(count * wave + len(waves.local) + 2 * _SCRATCH_UNIT, np.uint8)
            start = -(-room.ctypes.data // _SCRATCH_UNIT) * _SCRATCH_UNIT
            content = room[start - room.ctypes.data :]
            waves.local = content[count * wave : count * wave + len(waves.local)]
            seen = start if self._scratch is None else self._scratch
            waves.local_address = seen + count * wave
            own = Range(seen, content[: len(content) // 8 * 8])
            memory.add(own)
            try:
                starter = Starter(
                    dispatch,
                    descriptor,
                    waves,
                    dispatch.scratch or Scratch(seen, wave, item),
                    arguments,
                    has_scratch_register=target.scratch_register,
                )
                Scheduler(waves, program, starter, stopped).run()
            finally:
                memory.remove(own)
        return _fidelity(program.met, instructions)


def _with_scratch(dispatch: Dispatch, group_waves: int, most: int) -> int:
    """Return how many work-groups the given scratch has room for; `most` where none is used."""
    scratch = dispatch.scratch
    if scratch is None or scratch.waves is None or not dispatch.private_segment:
        return most
    groups = scratch.waves // group_waves
    if not groups:
        raise ResourcesError(f"scratch for {scratch.waves} waves, of {group_waves}")
    return groups


def _fidelity(names: set[str], instructions: InstructionSet) -> Fidelity:
    approximate = frozenset(
        name for name in names if instructions.executed(name) is ExecutionMode.APPROXIMATELY
    )
    return Fidelity(frozenset(names) - approximate, approximate)
