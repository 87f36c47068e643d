"""Memory that single instructions reach, and where each lane's bytes are in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hsa_device import Memory, Range
from hsa_device.isa.memory.ds import SECTION as DS
from hsa_device.isa.memory.flat import SECTION as FLAT
from hsa_device.isa.memory.mubuf import SECTION as MUBUF
from hsa_device.model.waves import FLAT_SCRATCH, Waves
from tests.rocr.device.device_waves import give, new_waves, take

#: Bytes of the memory.
SIZE = 64 * 64
#: Of the instructions.
OFFSET = 8
#: EXEC with half of the lanes.
HALF = 0xAAAA5555AAAA5555
#: All instructions that reach memory lane by lane.
NAMES = sorted({**FLAT.instructions, **MUBUF.instructions, **DS.instructions})
_STEP = 40  # bytes between lanes


class Place:
    """Memory that one kind of instructions reaches, and where each lane's bytes are in it.

    Args:
        name: of an instruction.

    """

    def __init__(self, name: str) -> None:
        self.kind = name.partition("_")[0]
        self.content: NDArray[np.uint8] = np.arange(SIZE * 2, dtype=np.uint32).astype(np.uint8)
        self.content[1::7] |= 0x80
        place = self.content.ctypes.data
        start = -(-place // 64) * 64
        self.octets = self.content[start - place : start - place + SIZE]
        self._start = start
        self.waves = new_waves(1, Memory(lambda: [Range(start, self.octets)]), SIZE)
        self.waves.local = self.octets
        lanes = [(lane * _STEP) & ~7 for lane in range(64)]
        offsets = lanes if self.kind != "scratch" else [lane % 2 * 32 for lane in range(64)]
        self._offsets = [offset + OFFSET for offset in offsets]
        wide = [start + offset for offset in offsets]
        give(self.waves, {"v[2:3]": wide if self.kind in ("global", "flat") else offsets})
        resource = {"s[8:9]": start, "s[10:11]": SIZE}
        give(self.waves, resource)
        self.waves.scalar_pairs[:, FLAT_SCRATCH // 2] = start

    def text(self, name: str, register: str, suffix: str = "", between: str = "") -> str:
        """Return an instruction; of stores the address comes first."""
        first = not (name.startswith("buffer") or "load" in name or "read" in name or between)
        address = {"global": "v[2:3]", "flat": "v[2:3]"}.get(self.kind, "v2")
        rest = {"global": ", off", "scratch": ", off", "buffer": ", s[8:11], 0 offen"}
        pair = f"{address}, {register}" if first else f"{register}, {address}"
        if between:
            pair = f"{register}, {address}, {between}"
        return f"{name} {pair}{rest.get(self.kind, '')} offset:{OFFSET}{suffix}"

    def where(self, lane: int, byte: int) -> int:
        """Return where a byte of a lane lies in the memory."""
        offset = self._offsets[lane] + byte
        if self.kind == "scratch":
            return offset // 4 * 256 + lane * 4 + offset % 4
        return offset

    def read(self, lane: int, size: int, first: int = 0) -> int:
        octets = bytes(self.octets[self.where(lane, first + n)] for n in range(size))
        return int.from_bytes(octets, "little")

    def write(self, content: bytearray, lane: int, value: int, size: int) -> None:
        for n, octet in enumerate((value & (1 << 8 * size) - 1).to_bytes(size, "little")):
            content[self.where(lane, n)] = octet


def registers(first: int, size: int) -> str:
    count = -(-size // 4)
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def lanes_of(waves: Waves, number: int) -> Sequence[int]:
    found = take(waves, f"v{number}")
    assert not isinstance(found, int)
    return found
