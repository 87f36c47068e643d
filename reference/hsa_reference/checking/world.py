"""What conditions of clauses may ask, where no state of an implementation can be asked."""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from typing import Any

from hsa_reference.checking import own_memory
from hsa_reference.checking.ledger import Ledger, TrackedObject
from hsa_reference.state import State


class UndecidedError(Exception):
    """Nobody who only sees the calls knows the answer."""


class LedgerWorld:
    """A world (`hsa_spec.World`) of what the ledger has.

    Every question that it cannot answer for certain raises UndecidedError.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    @property
    def references(self) -> int:
        """Return how often the runtime was initialised."""
        return self._ledger.references

    @property
    def page_size(self) -> int:
        """Return the size of a page in bytes."""
        return mmap.PAGESIZE

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return words of the client's memory."""
        return _read(address, count)

    def supports(self, feature: str) -> bool:
        """Leave open what the driver offers."""
        raise UndecidedError(feature)

    def exhausted(self, resource: str) -> bool:
        """Leave open what there is left of a resource."""
        raise UndecidedError(resource)

    def find(self, kind: str, *key: int) -> Any:  # noqa: ANN401 - as World.find
        """Return an object that was seen to be made, None where it was seen to go."""
        if len(key) == 1:
            thing = self._ledger.live(kind, key[0])
            if thing is not None:
                return _View(thing, self._ledger)
            if key[0] == 0 or self._ledger.gone(kind, key[0]) is not None:
                return None
        raise UndecidedError(kind)

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the objects that were seen to be made there."""
        found = self._ledger.within(kind, address, size)
        if not found:
            raise UndecidedError(kind)
        return [_View(thing, self._ledger) for thing in found]

    def holds(self, fact: str, *_arguments: int) -> bool:
        """Leave open what only an implementation knows."""
        raise UndecidedError(fact)


class StateWorld:
    """A world (`hsa_spec.World`) of what a runtime knows, asked about arguments that may be wrong.

    Args:
        state: what it knows.

    """

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def references(self) -> int:
        """Return how often the runtime was initialised."""
        return self._state.references

    @property
    def page_size(self) -> int:
        """Return the size of a page in bytes."""
        return self._state.page_size

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return words of the client's memory."""
        return _read(address, count)

    def supports(self, feature: str) -> bool:
        """Return whether the machine's driver offers a feature."""
        return self._state.supports(feature)

    def exhausted(self, resource: str) -> bool:
        """Return whether the machine has run out of a resource."""
        return self._state.exhausted(resource)

    def find(self, kind: str, *key: int) -> Any:  # noqa: ANN401 - as World.find
        """Return a live object of a kind that the runtime has."""
        if kind not in self._state.things and kind not in self._state.ranges:
            raise UndecidedError(kind)
        return self._state.find(kind, *key)

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the live objects that any of these bytes lie in."""
        return self._state.overlapping(kind, address, size)

    def holds(self, fact: str, *arguments: int) -> bool:
        """Return whether a fact holds that the runtime knows of."""
        if fact not in self._state.facts:
            raise UndecidedError(fact)
        return self._state.holds(fact, *arguments)


class _View:
    """An object with those attributes that the call which made it shows."""

    def __init__(self, thing: TrackedObject, ledger: Ledger) -> None:
        self._thing = thing
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as World.find
        thing = self._thing
        if name == "address":
            return thing.key
        if name == "size" and thing.size:
            return thing.size
        if name == "mappings":
            return len(self._ledger.within("mapping", thing.key, thing.size))
        raise UndecidedError(name)


def _read(address: int, count: int) -> tuple[int, ...]:
    found = own_memory.words(address, count)
    if found is None:
        raise UndecidedError(f"{address:#x} cannot be read")
    return found
