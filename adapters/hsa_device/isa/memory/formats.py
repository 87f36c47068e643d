"""What memory instructions move: how large, how often, and to where in a register."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hsa_device.model.waves import Values, Words


@dataclass(frozen=True)
class Format:
    """What an instruction loads or stores for a lane.

    Args:
        size: of each number in bytes.
        count: of numbers; those of 4 bytes go to registers one after the other.
        signed: whether a smaller number is extended by its sign.
        half: the half of the register that is loaded or stored, None for all of it.

    """

    size: int
    count: int = 1
    signed: bool = False
    half: int | None = None

    def loaded(self, values: Values, before: Words | None) -> Words:
        """Return what a register holds after a load.

        Args:
            values: that were loaded.
            before: what the register held, if only a half is loaded.

        """
        if self.signed:
            values = values.view(f"i{self.size}").astype(np.int32).view(np.uint32)
        words = values.astype(np.uint32, copy=False)
        if self.half is None or before is None:
            return words
        words = words & np.uint32(0xFFFF)
        if self.half:
            return before & np.uint32(0xFFFF) | words << np.uint32(16)
        return before & np.uint32(0xFFFF0000) | words

    def stored(self, words: Words) -> Words:
        """Return what a store takes of a register."""
        return words >> np.uint32(16) if self.half else words


_MANY = {"dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4}

#: What follows "load_" in the names of instructions.
LOADS: Mapping[str, Format] = {
    **{name: Format(4, count) for name, count in _MANY.items()},
    "ubyte": Format(1),
    "sbyte": Format(1, signed=True),
    "ushort": Format(2),
    "sshort": Format(2, signed=True),
    "ubyte_d16": Format(1, half=0),
    "ubyte_d16_hi": Format(1, half=1),
    "sbyte_d16": Format(1, signed=True, half=0),
    "sbyte_d16_hi": Format(1, signed=True, half=1),
    "short_d16": Format(2, half=0),
    "short_d16_hi": Format(2, half=1),
}
#: What follows "store_".
STORES: Mapping[str, Format] = {
    **{name: Format(4, count) for name, count in _MANY.items()},
    "byte": Format(1),
    "byte_d16_hi": Format(1, half=1),
    "short": Format(2),
    "short_d16_hi": Format(2, half=1),
}
#: Atomic operations by what follows "atomic_", and their size in bytes.
ATOMICS: Mapping[str, tuple[str, int]] = {
    **{
        name + suffix: (name, size)
        for name in (
            *("swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax"),
            *("and", "or", "xor", "inc", "dec"),
        )
        for suffix, size in (("", 4), ("_x2", 8))
    },
    "add_f32": ("fadd", 4),
    "add_f64": ("fadd", 8),
    "min_f64": ("fmin", 8),
    "max_f64": ("fmax", 8),
}
