"""The objects that a client made and gave back, learnt from the calls that made them."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from hsa_reference.checking import own_memory
from hsa_reference.checking.lifetimes import BLOCKS, SINGLE
from hsa_reference.checking.stacks import Stack
from hsa_reference.ranges import Ranges

#: So many objects that were given back are remembered.
_REMEMBERED = 20_000


@dataclass(frozen=True)
class Site:
    """A call of the client: the function and where it was called."""

    function: str
    stack: Stack


@dataclass(eq=False)
class TrackedObject:
    """An object.

    Attributes:
        kind: its kind.
        key: its handle or address.
        size: in bytes, 0 where it has none or nobody knows.
        creation: the call that made it.
        holders: how often it was given to the client.
        release: the call that gave it back.
        process: the number of the process that made it; a child has it by a fork.
        mapped: the file that is mapped there, if it stayed so when the block was given back.

    """

    kind: str
    key: int
    size: int
    creation: Site
    holders: int = 1
    release: Site | None = None
    process: int = field(default_factory=os.getpid)
    mapped: str | None = None

    @property
    def address(self) -> int:
        """Return the address of the first byte."""
        return self.key


class Ledger:
    """What is there, and what was there.

    Attributes:
        references: how often the runtime was initialised without a shut-down.

    """

    def __init__(self) -> None:
        self.references = 0
        self._live: dict[tuple[str, int], TrackedObject] = {}
        self._dead: OrderedDict[tuple[str, int], TrackedObject] = OrderedDict()
        self._blocks: Ranges[TrackedObject] = Ranges()
        self._dead_blocks: Ranges[TrackedObject] = Ranges()

    def __iter__(self) -> Iterator[TrackedObject]:
        """Yield what is there, in the order in which it was made."""
        return iter(list(self._live.values()))

    def clear(self) -> None:
        """Forget everything, as the last hsa_shut_down ends everything."""
        self.references = 0
        for table in (self._live, self._dead, self._blocks, self._dead_blocks):
            table.clear()

    def made(self, thing: TrackedObject) -> None:
        """Record that a call gave an object to the client."""
        place = thing.kind, thing.key
        before = self._live.get(place)
        if before is not None and thing.kind not in SINGLE:
            before.holders += 1
            return
        if before is not None:
            self._drop(before)  # it went in a way that nobody saw
        self.revived(*place)
        self._live[place] = thing
        if thing.kind in BLOCKS and thing.size:
            for other in self._blocks.overlapping(thing.key, thing.size):
                self._drop(other)
            self._blocks.add(thing)
        for old in self._dead_blocks.overlapping(thing.key, thing.size or 1):
            self._dead_blocks.remove(old)

    def revived(self, kind: str, key: int) -> None:
        """Forget that something of this name is gone: the name is in use again."""
        self._dead.pop((kind, key), None)

    def given_back(self, thing: TrackedObject, site: Site) -> None:
        """Record that an object is being given back. It is done before the call is made.

        As soon as the call has given it back, another thread may get its name.
        """
        if thing.holders > 1:
            thing.holders -= 1
            return
        self._drop(thing)
        thing.release = site
        self._dead[thing.kind, thing.key] = thing
        if len(self._dead) > _REMEMBERED:
            _, oldest = self._dead.popitem(last=False)
            if self._dead_blocks.at(oldest.key) is oldest:
                self._dead_blocks.remove(oldest)

    def freed(self, thing: TrackedObject, before: str | None) -> None:
        """Record that a block was given back, and what was mapped there until then.

        Another thread may have got its memory since the call gave it back.
        """
        if any(
            table.overlapping(thing.key, thing.size) for table in (self._blocks, self._dead_blocks)
        ):
            return
        after = own_memory.mapping_at(thing.key)
        stayed = after is not None and after == before and own_memory.is_of_a_file(after)
        thing.mapped = after if stayed else None
        self._dead_blocks.add(thing)

    def kept(self, thing: TrackedObject) -> None:
        """Take back that an object was given back: the call failed."""
        if thing.release is None:
            thing.holders += 1
        elif (thing.kind, thing.key) not in self._live:
            thing.release = None
            self._dead.pop((thing.kind, thing.key), None)
            self.made(thing)

    def live(self, kind: str, key: int) -> TrackedObject | None:
        """Return the object of this name."""
        return self._live.get((kind, key))

    def gone(self, kind: str, key: int) -> TrackedObject | None:
        """Return the object that had this name and was given back."""
        return self._dead.get((kind, key))

    def others(self, kind: str, key: int) -> Iterator[TrackedObject]:
        """Yield the objects of other kinds that have this name."""
        return (t for (k, at), t in list(self._live.items()) if at == key and k != kind)

    def within(self, kind: str, address: int, size: int) -> list[TrackedObject]:
        """Return the objects of a kind that any of these bytes lie in, by address."""
        found = (t for t in self._live.values() if t.kind == kind)
        there = (t for t in found if t.key < address + size and address < t.key + t.size)
        return sorted(there, key=lambda t: t.key)

    def block_around(self, address: int) -> TrackedObject | None:
        """Return the block that contains an address."""
        return self._blocks.around(address)

    def freed_around(self, address: int, size: int) -> TrackedObject | None:
        """Return a block that was given back, has some of these bytes, and is nobody else's yet.

        What the application maps itself may lie where a block was.
        """
        for thing in self._dead_blocks.overlapping(address, size):
            now = own_memory.mapping_at(max(thing.key, address))
            if now is None or now == thing.mapped:
                return thing
        return None

    def _drop(self, thing: TrackedObject) -> None:
        self._live.pop((thing.kind, thing.key), None)
        if self._blocks.at(thing.key) is thing:
            self._blocks.remove(thing)
