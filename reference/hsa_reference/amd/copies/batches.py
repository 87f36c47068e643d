"""Operations of a batch: copies of several kinds that wait for numbers and change numbers."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reference import memory
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.places import Places
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import LOCK
from hsa_reference.native import ACQ_REL, ACQUIRE
from hsa_reference.state import Part, State

STRUCT = "hsa_amd_memory_copy_op_t"
VERSION = 1

LINEAR, BROADCAST, SWAP, INDIRECT_SOURCE, INDIRECT_TARGET, INDIRECT = range(6)
ALWAYS, LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, GREATER_EQUAL, GREATER = range(7)
NONE, WRITE, ADD, SUBTRACT = range(4)

_COMPARE = {
    ALWAYS: lambda a, b: True,
    LESS: int.__lt__,
    LESS_EQUAL: int.__le__,
    EQUAL: int.__eq__,
    NOT_EQUAL: int.__ne__,
    GREATER_EQUAL: int.__ge__,
    GREATER: int.__gt__,
}
_INDIRECT = (INDIRECT_SOURCE, INDIRECT_TARGET, INDIRECT)
_MOST_INDIRECT = 1024  # entries of an operation
_NUMBER = 8  # bytes of what is waited for, changed or followed
_RESERVED = ("wait.reserved", "signal.reserved", "reserved1")

Operation = Mapping[str, int]
"""The members of a hsa_amd_memory_copy_op_t, by name."""


class Batches(Part):
    """Reads, checks and does operations."""

    def __init__(self, state: State) -> None:
        self._struct = state.registry.structs[STRUCT]
        self._agents = state.part(Agents).by_handle
        self._places = state.part(Places)
        self._signals = state.part(Signals)
        state.facts["copies_valid"] = self._are_valid

    def read(self, operations: int, count: int) -> list[Operation]:
        """Return the operations of an array."""
        size = self._struct.size
        return [
            {f.name: memory.load(start + f.offset, f.size) for f in self._struct.fields}
            for start in range(operations, operations + count * size, size)
        ]

    def is_ready(self, operation: Operation) -> bool:
        """Return whether the number that an operation waits for is there; LOCK is held.

        Raises:
            OSError: the kernel refuses the address.

        """
        address, mask = operation["wait.addr"], operation["wait.mask"]
        if address == 0:
            return True
        with self._places.within_reach(address, _NUMBER) as number:
            found = self._signals.native.load_64(number, ACQUIRE) & mask
        return _COMPARE[operation["wait.function"]](found, operation["wait.value"] & mask)

    def do(self, operation: Operation, era: int) -> None:
        """Copy as an operation says, and change what it names.

        Args:
            operation: that is valid.
            era: in which it was asked for; see `Places.copy`.

        Raises:
            OSError: the kernel refuses an address.

        """
        for target, source, size in self._pairs(operation):
            if operation["type"] == SWAP:
                self._places.swap(target, source, size, era)
            else:
                self._places.copy(target, source, size, era)
        with LOCK:
            if era == self._places.era:
                self._signal(operation)

    def _are_valid(self, operations: int, count: int) -> bool:
        return all(map(self._is_valid, self.read(operations, count)))

    def _is_valid(self, o: Operation) -> bool:
        several, kind = o["num_entries"], o["type"]
        listed = several > 0
        return (
            o["version"] == VERSION
            and kind <= INDIRECT
            and not any(o[name] for name in _RESERVED)
            and o["wait.function"] in _COMPARE
            and o["signal.operation"] <= SUBTRACT
            and o["completion_signal"] in self._signals.by_handle
            and (listed or kind != BROADCAST)
            and (several <= _MOST_INDIRECT or kind not in _INDIRECT)
            and all(o[name] for name in ("src", "dst", "dst_agent"))
            and (not listed or kind == BROADCAST or o["size_list"] != 0)
            and {o["src_agent"], *_entries(o, "dst_agent", listed=listed)} <= self._agents.keys()
            and all(_entries(o, "src", listed=listed and kind != BROADCAST))
            and all(_entries(o, "dst", listed=listed))
            and o["unused_size"] == (o["size"] if kind == SWAP and not listed else 0)
        )

    def _pairs(self, o: Operation) -> list[tuple[int, int, int]]:
        """Return target, source and size of each copy or swap that an operation is made of."""
        kind, listed = o["type"], o["num_entries"] > 0
        targets = _entries(o, "dst", listed=listed)
        sources = _entries(o, "src", listed=listed and kind != BROADCAST)
        sizes = _entries(o, "size", listed=listed and kind != BROADCAST)
        if kind in (INDIRECT_SOURCE, INDIRECT):
            sources = tuple(map(self._pointer, sources))
        if kind in (INDIRECT_TARGET, INDIRECT):
            targets = tuple(map(self._pointer, targets))
        if kind == BROADCAST:
            sources, sizes = sources * len(targets), sizes * len(targets)
        return list(zip(targets, sources, sizes, strict=True))

    def _pointer(self, address: int) -> int:
        """Return the pointer in memory, which may be where the host has no access."""
        with LOCK:
            return int.from_bytes(self._places.read(address, _NUMBER), "little")

    def _signal(self, o: Operation) -> None:
        native, address, data = self._signals.native, o["signal.addr"], o["signal.data"]
        change = {WRITE: native.exchange_64, ADD: native.add_64, SUBTRACT: native.subtract_64}
        if address and o["signal.operation"] != NONE:
            with self._places.within_reach(address, _NUMBER) as number:
                change[o["signal.operation"]](number, data, ACQ_REL)


def _entries(o: Operation, name: str, *, listed: bool) -> tuple[int, ...]:
    """Return the values of a member: itself, or as many as there are where it leads to a list."""
    return memory.words(o[name], o["num_entries"]) if listed else (o[name],)
