"""MI200 ISA, 12.14 MUBUF: memory through buffer resources, whose ends are known.

Loads beyond the end are 0, and stores there do nothing ("Buffer Addressing" and "Range checking").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa.memory import transfers
from hsa_device.isa.memory.formats import ATOMICS, LOADS, STORES, Format
from hsa_device.isa.scalar import operands as scalar
from hsa_device.model.compilation import Compile, Run, Section, lacking, nothing, require_known
from hsa_device.model.types import TYPES
from hsa_device.model.waves import Doubles, Lanes, Values, Waves

_MODIFIERS = ("offset", "offen", "idxen", "glc", "slc", "sc0", "sc1", "nt", "scc")
_RETURNS = ("glc", "sc0")
_ELEMENT = np.uint64(4)  # bytes that lie together where a buffer is swizzled


class Buffer:
    """How an instruction finds its addresses.

    Args:
        instruction: that accesses the buffer.
        operands: the numbers of those that are address, resource and offset.

    Attributes:
        resource: the scalar register that the resource begins in.

    """

    def __init__(self, instruction: Instruction, operands: list[int]) -> None:
        address, resource, offset = (instruction.operands[n] for n in operands)
        require_known(instruction, *_MODIFIERS)
        if resource.kind is not Kind.SCALAR:
            raise lacking(instruction, "a resource that is no register")
        self.resource = resource.number
        self._scalar = scalar.read(instruction, offset, TYPES["u32"])
        self._added = np.uint64(instruction.number("offset"))
        number = address.number
        indexed, offset_too = instruction.has("idxen"), instruction.has("offen")
        if (indexed or offset_too) and address.kind is not Kind.VECTOR:
            raise lacking(instruction, f"the address {address.text!r}")
        self._index = number if indexed else None
        self._offset = number + indexed if offset_too else None

    def places(self, waves: Waves) -> Places:
        """Return the places of the active lanes; what is alike for all stays one number."""
        base, second = (_alike(waves.words(self.resource + n)) for n in (0, 2))
        settings = second >> np.uint64(32)
        zero = np.zeros((1, 1), np.uint64)
        index = zero if self._index is None else waves.row(self._index).astype(np.uint64)
        offset = zero if self._offset is None else waves.row(self._offset).astype(np.uint64)
        lane = np.arange(waves.width, dtype=np.uint64)
        return Places(
            waves=waves,
            start=base & np.uint64(2**48 - 1),
            moved=self._scalar(waves)[:, None].astype(np.uint64),
            index=index + (settings >> np.uint64(23) & np.uint64(1)) * lane,
            offset=offset + self._added,
            stride=base >> np.uint64(48) & np.uint64(0x3FFF),
            swizzled=base >> np.uint64(63) != 0,
            group=np.uint64(8) << (settings >> np.uint64(21) & np.uint64(3)),
            records=second & np.uint64(0xFFFFFFFF),
        )


def _alike(words: Doubles) -> Doubles:
    """Return words of waves as one where all have the same."""
    return words[:1, None] if (words == words[0]).all() else words[:, None]


@dataclass(frozen=True, kw_only=True)
class Places:
    """Places of lanes: see "Buffer Addressing".

    Args:
        waves: the waves.
        start: where the buffer begins.
        moved: the scalar offset, which is no part of what is swizzled.
        index: of the structure.
        offset: in it.
        stride: bytes of a structure.
        swizzled: whether words of structures side by side lie together.
        group: how many structures side by side.
        records: where the buffer ends: structures if it is swizzled, else bytes.

    """

    waves: Waves
    start: Doubles
    moved: Doubles
    index: Doubles
    offset: Doubles
    stride: Doubles
    swizzled: Values
    group: Doubles
    records: Doubles

    def at(self, further: int, size: int) -> tuple[Doubles, Lanes | None]:
        """Return addresses of what lies so many bytes further, and which are in the buffer.

        The addresses are those of the active lanes, as a list; None is said where all of them are.
        """
        offset = self.offset + np.uint64(further)
        within, among = offset % _ELEMENT, self.index % self.group
        rows = self.index // self.group * self.stride + offset - within
        turned = rows * self.group + among * _ELEMENT + within
        place = np.where(self.swizzled, turned, self.index * self.stride + offset)
        beyond = np.where(
            self.swizzled & (self.stride != 0),
            (self.index >= self.records) | (offset + np.uint64(size) > self.stride),
            place + np.where(self.swizzled, np.uint64(0), self.moved) + np.uint64(size)
            > self.records,
        )
        addresses = self.waves.pack(self.start + self.moved + place)
        return addresses, ~self.waves.pack(beyond) if beyond.any() else None

    def load(self, place: int, size: int) -> Values:
        """Return numbers; 0 for those beyond the end."""
        addresses, inside = self.at(place, size)
        if inside is None:
            return self.waves.memory.load(addresses, size)
        found = np.zeros(len(addresses), f"u{size}")
        found[inside] = self.waves.memory.load(addresses[inside], size)
        return found

    def store(self, place: int, words: Values, size: int) -> None:
        """Write numbers; nothing for those beyond the end."""
        addresses, inside = self.at(place, size)
        which = slice(None) if inside is None else inside
        self.waves.memory.store(addresses[which], words[which], size)

    def modify(
        self, operation: str, size: int, values: Doubles, compares: Doubles | None
    ) -> Doubles:
        """Change numbers by an atomic operation, and return what was there; 0 beyond the end."""
        addresses, inside = self.at(0, size)
        which = slice(None) if inside is None else inside
        compared = None if compares is None else compares[which]
        old = np.zeros(len(addresses), np.uint64)
        old[which] = self.waves.memory.modify(
            operation, size, addresses[which], values[which], compared
        )
        return old


def _load(form: Format) -> Compile:
    def make(instruction: Instruction) -> Run:
        buffer = Buffer(instruction, [1, 2, 3])
        result = transfers.require_register(instruction, instruction.operands[0])

        def run(waves: Waves) -> None:
            places = buffer.places(waves)
            values = [places.load(place * form.size, form.size) for place in range(form.count)]
            transfers.put(waves, result, form, values)

        return run

    return make


def _store(form: Format) -> Compile:
    def make(instruction: Instruction) -> Run:
        buffer = Buffer(instruction, [1, 2, 3])
        source = transfers.require_register(instruction, instruction.operands[0])

        def run(waves: Waves) -> None:
            places = buffer.places(waves)
            for place in range(form.count):
                words = form.stored(waves.packed(transfers.register(waves, source, place)))
                places.store(place * form.size, words, form.size)

        return run

    return make


def _atomic(operation: str, size: int) -> Compile:
    def make(instruction: Instruction) -> Run:
        buffer = Buffer(instruction, [1, 2, 3])
        source = transfers.require_register(instruction, instruction.operands[0])
        returns = any(map(instruction.has, _RETURNS))

        def run(waves: Waves) -> None:
            values = transfers.wide(waves, source, 0, size)
            compares = None
            if operation == "cmpswap":
                compares = transfers.wide(waves, source, size // 4, size)
            old = buffer.places(waves).modify(operation, size, values, compares)
            if returns:
                transfers.put_wide(waves, source, old, size)

        return run

    return make


_INSTRUCTIONS: Mapping[str, Compile] = {
    **{f"buffer_load_{name}": _load(form) for name, form in LOADS.items()},
    **{f"buffer_store_{name}": _store(form) for name, form in STORES.items()},
    **{f"buffer_atomic_{name}": _atomic(*each) for name, each in ATOMICS.items()},
    # Caches: each access is made at once, in the memory that all share.
    **dict.fromkeys(
        ("buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbl2", "buffer_invl2", "buffer_inv"),
        nothing,
    ),
}

SECTION = Section("MUBUF", _INSTRUCTIONS, {})
