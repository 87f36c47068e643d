"""MI200 ISA, 12.14 MUBUF: memory through buffer resources, whose ends are known.

Loads beyond the end are 0, and stores there do nothing ("Buffer Addressing" and "Range checking").
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hsa_device.decoding import Instruction, Kind
from hsa_device.isa.memory import transfers
from hsa_device.isa.memory.formats import ATOMICS, LOADS, STORES, Format
from hsa_device.isa.scalar import operands as scalar
from hsa_device.model.compiled import Compile, Run, Section, lacking, require_known
from hsa_device.model.types import TYPES
from hsa_device.model.waves import WIDTH, Doubles, Lanes, Values, Waves

_MODIFIERS = ("offset", "offen", "idxen", "glc", "slc", "sc0", "sc1", "nt", "scc")
_RETURNS = ("glc", "sc0")
_LANE = np.arange(WIDTH, dtype=np.uint64)
_ELEMENT = np.uint64(4)  # bytes that lie together where a buffer is swizzled


class _Buffer:
    """How an instruction finds its addresses."""

    def __init__(self, instruction: Instruction, operands: list[int]) -> None:
        address, resource, offset = (instruction.operands[n] for n in operands)
        require_known(instruction, *_MODIFIERS)
        if resource.kind is not Kind.SCALAR:
            raise lacking(instruction, "a resource that is no register")
        self._resource = resource.number
        self._scalar = scalar.read(instruction, offset, TYPES["u32"])
        self._added = np.uint64(instruction.number("offset"))
        number = address.number
        indexed, offset_too = instruction.has("idxen"), instruction.has("offen")
        if (indexed or offset_too) and address.kind is not Kind.VECTOR:
            raise lacking(instruction, f"the address {address.text!r}")
        self._index = number if indexed else None
        self._offset = number + indexed if offset_too else None

    def places(self, waves: Waves) -> _Places:
        first, second = waves.words(self._resource), waves.words(self._resource + 2)
        base, settings = first[:, None], second[:, None] >> np.uint64(32)
        zero = np.zeros((1, WIDTH), np.uint64)
        index = zero if self._index is None else waves.row(self._index).astype(np.uint64)
        offset = zero if self._offset is None else waves.row(self._offset).astype(np.uint64)
        by_lane = settings >> np.uint64(23) & np.uint64(1)
        index = index + by_lane * _LANE
        start = (base & np.uint64(2**48 - 1)) + self._scalar(waves)[:, None].astype(np.uint64)
        stride = base >> np.uint64(48) & np.uint64(0x3FFF)
        group = np.uint64(8) << (settings >> np.uint64(21) & np.uint64(3))
        return _Places(
            *(
                waves.pack(each)
                for each in (
                    start,
                    index,
                    offset + self._added,
                    stride,
                    base >> np.uint64(63),
                    group,
                    second[:, None] & np.uint64(0xFFFFFFFF),
                )
            )
        )


class _Places:
    """Places of the active lanes, each a list: see "Buffer Addressing"."""

    def __init__(
        self,
        start: Doubles,
        index: Doubles,
        offset: Doubles,
        stride: Doubles,
        swizzled: Doubles,
        group: Doubles,
        records: Doubles,
    ) -> None:
        self._start = start
        self._index = index
        self._offset = offset
        self._stride = stride
        self._swizzled = swizzled != 0
        self._group = group
        self._records = records

    def at(self, further: int, size: int) -> tuple[Doubles, Lanes]:
        """Return addresses of what lies so many bytes further, and which are in the buffer."""
        offset = self._offset + np.uint64(further)
        plain = self._index * self._stride + offset
        within, among = offset % _ELEMENT, self._index % self._group
        rows = self._index // self._group * self._stride + offset - within
        turned = rows * self._group + among * _ELEMENT + within
        place = np.where(self._swizzled, turned, plain)
        structured = self._swizzled & (self._stride != 0)
        beyond = np.where(
            structured,
            (self._index >= self._records) | (offset + np.uint64(size) > self._stride),
            place + np.uint64(size) > self._records,
        )
        return self._start + place, ~beyond


def _load(form: Format) -> Compile:
    def make(instruction: Instruction) -> Run:
        buffer = _Buffer(instruction, [1, 2, 3])
        result = transfers.require_register(instruction, instruction.operands[0])

        def run(waves: Waves) -> None:
            places = buffer.places(waves)
            values: list[Values] = []
            for place in range(form.count):
                addresses, inside = places.at(place * form.size, form.size)
                found = np.zeros(len(addresses), f"u{form.size}")
                found[inside] = waves.memory.load(addresses[inside], form.size)
                values.append(found)
            transfers.put(waves, result, form, values)

        return run

    return make


def _store(form: Format) -> Compile:
    def make(instruction: Instruction) -> Run:
        buffer = _Buffer(instruction, [1, 2, 3])
        source = transfers.require_register(instruction, instruction.operands[0])

        def run(waves: Waves) -> None:
            places = buffer.places(waves)
            for place in range(form.count):
                words = form.stored(waves.packed(transfers.register(waves, source, place)))
                addresses, inside = places.at(place * form.size, form.size)
                waves.memory.store(addresses[inside], words[inside], form.size)

        return run

    return make


def _atomic(operation: str, size: int) -> Compile:
    def make(instruction: Instruction) -> Run:
        buffer = _Buffer(instruction, [1, 2, 3])
        source = transfers.require_register(instruction, instruction.operands[0])
        returns = any(map(instruction.has, _RETURNS))

        def run(waves: Waves) -> None:
            addresses, inside = buffer.places(waves).at(0, size)
            values = transfers.wide(waves, source, 0, size)[inside]
            compares = None
            if operation == "cmpswap":
                compares = transfers.wide(waves, source, size // 4, size)[inside]
            old = np.zeros(len(addresses), np.uint64)
            old[inside] = waves.memory.modify(operation, size, addresses[inside], values, compares)
            if returns:
                transfers.put_wide(waves, source, old, size)

        return run

    return make


def _nothing(_: Instruction) -> Run:
    return lambda _: None


_INSTRUCTIONS: Mapping[str, Compile] = {
    **{f"buffer_load_{name}": _load(form) for name, form in LOADS.items()},
    **{f"buffer_store_{name}": _store(form) for name, form in STORES.items()},
    **{f"buffer_atomic_{name}": _atomic(*each) for name, each in ATOMICS.items()},
    # Caches: each access is made at once, in the memory that all share.
    **dict.fromkeys(
        ("buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_wbl2", "buffer_invl2", "buffer_inv"),
        _nothing,
    ),
}

SECTION = Section("MUBUF", _INSTRUCTIONS, {})
