"""MI200 ISA, 12.14 MUBUF: loads and stores that convert elements as the buffer resource says."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa.memory import transfers
from hsa_device.isa.memory.mubuf import Buffer
from hsa_device.isa.memory.texels import Texel, one_resource, read_texel
from hsa_device.model.compiled import Compile, Run, Section
from hsa_device.model.waves import Doubles, Lanes, Waves


class _Access:
    """What an instruction accesses."""

    def __init__(self, instruction: Instruction) -> None:
        self._buffer = Buffer(instruction, [1, 2, 3])
        self._instruction = instruction
        self.data = transfers.require_register(instruction, instruction.operands[0])

    def elements(self, waves: Waves) -> tuple[Texel, Doubles, Lanes] | None:
        """Return what elements are, the addresses of those of the active lanes, and which exist.

        None is returned where no lane is active.
        """
        resource = one_resource(self._instruction, waves, self._buffer.resource, 4)
        if resource is None:
            return None
        form = resource >> 96
        texel = read_texel(self._instruction, form >> 15 & 15, form >> 12 & 7, form & 0xFFF)
        addresses, inside = self._buffer.places(waves).at(0, texel.size)
        return texel, addresses, np.ones(len(addresses), np.bool_) if inside is None else inside


def _load(count: int) -> Compile:
    def make(instruction: Instruction) -> Run:
        access = _Access(instruction)

        def run(waves: Waves) -> None:
            elements = access.elements(waves)
            if elements is None:
                return
            texel, addresses, inside = elements
            for place, words in enumerate(texel.load(waves.memory, addresses, inside)[:count]):
                waves.put_packed(transfers.register(waves, access.data, place), words)

        return run

    return make


def _store(instruction: Instruction) -> Run:
    access = _Access(instruction)

    def run(waves: Waves) -> None:
        elements = access.elements(waves)
        if elements is None:
            return
        texel, addresses, inside = elements
        registers = (transfers.register(waves, access.data, place) for place in range(4))
        words = [waves.packed(register)[inside] for register in registers]
        texel.store(waves.memory, addresses[inside], words)

    return run


_INSTRUCTIONS: Mapping[str, Compile] = {
    **{f"buffer_load_format_{'xyzw'[:count]}": _load(count) for count in range(1, 5)},
    "buffer_store_format_xyzw": _store,
}

# Hardware may round numbers that are converted in another way.
SECTION = Section("MUBUF, formats", _INSTRUCTIONS, {}, frozenset(_INSTRUCTIONS))
