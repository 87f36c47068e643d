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
        """Return whether the number that an operation waits for is there; LOCK is held."""
        address, mask = operation["wait.addr"], operation["wait.mask"]
        if address == 0:
            return True
        found = self._signals.native.load_64(address, ACQUIRE) & mask
        return _COMPARE[operation["wait.function"]](found, operation["wait.value"] & mask)

    def do(self, operation: Operation, era: int) -> None:
        """Copy as an operation says, and change what it names.

        Args:
            operation: that is valid.
            era: in which it was asked for; see `Places.copy`.

        Raises:
            OSError: the kernel refuses an address.

        """
        if operation["type"] == SWAP:
            self._swap(operation, era)
        else:
            for target, source, size in self._copies(operation):
                self._places.copy(target, source, size, era)
        with LOCK:
            if era == self._places.era:
                self._signal(operation)

    def _are_valid(self, operations: int, count: int) -> bool:
        return all(map(self._is_valid, self.read(operations, count)))

    def _is_valid(self, o: Operation) -> bool:
        several, kind = o["num_entries"], o["type"]
        targets = [o["dst_agent"]]
        if kind == BROADCAST:
            listed = o["dst_agent_list"]
            targets = list(memory.words(listed, several)) if listed else [listed]
        return (
            o["version"] == VERSION
            and kind <= INDIRECT
            and not any(o[name] for name in _RESERVED)
            and o["wait.function"] in _COMPARE
            and o["signal.operation"] <= SUBTRACT
            and o["completion_signal"] in self._signals.by_handle
            and o["src"] != 0
            and o["dst"] != 0
            and {o["src_agent"], *targets} <= self._agents.keys()
            and (several == 0 or kind in (LINEAR, BROADCAST))
            and (several > 0 or kind != BROADCAST)
            and o["unused_size"] == (o["size"] if kind == SWAP else 0)
        )

    def _copies(self, o: Operation) -> list[tuple[int, int, int]]:
        """Return target, source and size of each copy that an operation is made of."""
        kind, several, source, target, size = (
            o[name] for name in ("type", "num_entries", "src", "dst", "size")
        )
        if kind == BROADCAST:
            return [(to, source, size) for to in memory.words(target, several)]
        if several:
            lists = (memory.words(start, several) for start in (target, source, size))
            return list(zip(*lists, strict=True))
        if kind in (INDIRECT_SOURCE, INDIRECT):
            source = memory.load(source, 8)
        if kind in (INDIRECT_TARGET, INDIRECT):
            target = memory.load(target, 8)
        return [(target, source, size)]

    def _swap(self, o: Operation, era: int) -> None:
        with LOCK:
            if era == self._places.era:
                data = self._places.read(o["src"], o["size"])
                self._places.write(o["src"], self._places.read(o["dst"], o["size"]))
                self._places.write(o["dst"], data)

    def _signal(self, o: Operation) -> None:
        native, address, data = self._signals.native, o["signal.addr"], o["signal.data"]
        change = {WRITE: native.exchange_64, ADD: native.add_64, SUBTRACT: native.subtract_64}
        if address and o["signal.operation"] != NONE:
            change[o["signal.operation"]](address, data, ACQ_REL)
