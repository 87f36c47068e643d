"""MI200 ISA, 12.14 MUBUF: loads and stores that convert elements as the buffer resource says."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.decoding import Instruction
from hsa_device.isa.memory import elements, transfers
from hsa_device.isa.memory.mubuf import Buffer
from hsa_device.isa.memory.texels import Texel, one_resource, read_texel
from hsa_device.model.compilation import Compile, Section
from hsa_device.model.waves import Doubles, Lanes, Waves


class _Access:
    """What an instruction accesses; see `elements.Access`."""

    def __init__(self, instruction: Instruction, count: int) -> None:
        self.components = range(count)
        self._buffer = Buffer(instruction, [1, 2, 3])
        self._instruction = instruction
        self.data = transfers.require_register(instruction, instruction.operands[0])

    def elements(self, waves: Waves) -> tuple[Texel, Doubles, Lanes] | None:
        """Return the elements of the active lanes."""
        resource = one_resource(self._instruction, waves, self._buffer.resource, 4)
        if resource is None:
            return None
        form = resource >> 96
        texel = read_texel(self._instruction, form >> 15 & 15, form >> 12 & 7, form & 0xFFF)
        addresses, inside = self._buffer.places(waves).at(0, texel.size)
        return texel, addresses, np.ones(len(addresses), np.bool_) if inside is None else inside


def _load(count: int) -> Compile:
    return lambda instruction: elements.load(_Access(instruction, count))


_INSTRUCTIONS: Mapping[str, Compile] = {
    **{f"buffer_load_format_{'xyzw'[:count]}": _load(count) for count in range(1, 5)},
    "buffer_store_format_xyzw": lambda instruction: elements.store(_Access(instruction, 4)),
}

# Hardware may round numbers that are converted in another way.
SECTION = Section("MUBUF, formats", _INSTRUCTIONS, {}, frozenset(_INSTRUCTIONS))
