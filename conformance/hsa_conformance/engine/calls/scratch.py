"""Memory of the process under test that the suite owns: inputs and outputs of calls lie there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from mmap import PAGESIZE

from hsa_adapters.protocol import Process
from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import GUARD, Data


class Reuse(Enum):
    """What a caller does with memory that was lent to a call, once it has returned."""

    SILENT = "it is overwritten, and nobody is told"
    TOLD = "it is overwritten, and that is a step of its own"
    NONE = "it stays as it is"


class Scratch:
    """Gives out room in the scratch memory of a process, until an example ends.

    Args:
        process: the process.
        symbols: where the addresses of what is laid out are noted.
        outputs: what calls have left that later memory may be a copy of, by name.

    Attributes:
        reuse: what is done with memory that a call was lent.

    """

    def __init__(
        self, process: Process, symbols: list[Symbol], outputs: Mapping[str, bytes]
    ) -> None:
        self.process = process
        self.symbols = symbols
        self._outputs = outputs
        self._base, self._room = process.scratch
        self.reuse = Reuse.SILENT
        self._used = 0
        self._given = 0
        self._written: dict[int, Data] = {}
        self._overwritten: dict[int, bytes] = {}  # what was there, by address
        self._touched: set[int] = set()  # where memory begins that others may have written
        self._blocks: dict[int, int] = {}  # the numbers of blocks, by where they begin
        self._given_up: list[int] = []  # where blocks begin that later ones may take the place of
        self._earlier: dict[int, int] = {}  # sizes of blocks of earlier examples, likewise

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Take the room back that is given out meanwhile, of which nothing may be used later."""
        used, written = self._used, dict(self._written)
        try:
            yield
        finally:
            self._used, self._written = used, written

    @contextmanager
    def given_up(self) -> Iterator[None]:
        """Let later data take the place of what calls are lent meanwhile, and have given back.

        Callers write one name after the other into the same array: what a library knows by the
        address of its caller's memory is another thing then. Nothing of it may be used later.
        """
        before = self._given
        yield
        new = [start for start in self._overwritten if self._blocks[start] > before]
        self._given_up += [start for start in new if start not in self._given_up]

    def give_up(self) -> None:
        """Let later data take the place of all that is there: no object uses it any more."""
        end = self._base + self._used  # behind it lies what ends where no more can be read
        self._given_up += [s for s in self._written if s < end and s not in self._given_up]

    def clear(self) -> None:
        """Take all room back."""
        self.begin_again()
        self._given = 0
        self._blocks.clear()
        self._earlier.clear()

    def begin_again(self) -> None:
        """Take all room back; what is laid out from now on takes the place of what lay there.

        An example that has the whole trace of those before it has the addresses that it had in the
        process which forgot them.
        """
        for start, data in self._written.items():
            self._earlier.setdefault(start, len(data.content))
        self._used = 0
        self._written.clear()
        self._overwritten.clear()
        self._touched.clear()
        self._given_up.clear()
        self.symbols[:] = [s for s in self.symbols if not self._lies_here(int(s))]

    def _lies_here(self, address: int) -> bool:
        return self._base <= address < self._base + self._room

    @property
    def used(self) -> int:
        """How many bytes of the room are given out."""
        return self._used

    @property
    def share(self) -> int:
        """The most bytes that each of several things in an example should take."""
        return self._room // 8

    @property
    def left(self) -> int:
        """How many bytes can still be given out."""
        return self._room - self._used

    def take_back(self, used: int) -> None:
        """Take back all room but the first so many bytes."""
        self._used = used
        for address in [a for a in self._written if a >= self._base + used]:
            del self._written[address]
            self._overwritten.pop(address, None)
        self._given_up = [start for start in self._given_up if start in self._written]

    def room_for(self, size: int) -> int:
        """Return the address of room for some bytes, with a guard before it and one behind it.

        Raises:
            ProvesNothing: there is not as much; a library may report any length.

        """
        start = -(-self._used // 16) * 16 + GUARD
        self._used = start + size + GUARD
        if self._used > self._room:
            raise ProvesNothing("one example needs more scratch memory than a process has")
        return self._base + start

    def own(self, data: Data) -> Symbol:
        """Find room for data, and remember what will stand there."""
        if (start := self._again(len(data.content))) is not None:
            return self._owned(data, start, again=self._blocks[start])
        start = self.room_for(len(data.content))
        if self._earlier.get(start, -1) >= len(data.content):
            return self._owned(data, start, again=self._blocks[start])
        self._earlier.pop(start, None)
        return self._owned(data, start)

    def _again(self, size: int) -> int | None:
        """Return where a block begins that was given up and is large enough: the last of them."""
        for start in reversed(() if self.reuse is Reuse.NONE else self._given_up):
            if start in self._written and size <= len(self._written[start].content):
                self._given_up.remove(start)
                return start
        return None

    def own_at_end(self, data: Data) -> Symbol:
        """Find room for data at the end of the memory, behind which nothing can be read.

        Raises:
            ProvesNothing: there is not as much.

        """
        start = self._room - len(data.content)
        if start < self._used:
            raise ProvesNothing("one example needs more scratch memory than a process has")
        return self._owned(data, self._base + start, at_end=True)

    def _owned(
        self, data: Data, address: int, *, at_end: bool = False, again: int | None = None
    ) -> Symbol:
        self._written[address] = data
        self._overwritten.pop(address, None)
        self._touched.discard(address)
        self._given += 1
        self._blocks[address] = self._given
        origin = recording.memory(self._given, data.content, data.numbers, self._outputs)
        past = address % PAGESIZE if len(data.content) >= PAGESIZE and not at_end else 0
        origin = replace(origin, at_end=at_end, past=past, again=again)
        symbol = Symbol(address, data.words, origin=origin)
        self.symbols.append(symbol)
        return symbol

    def block(self, address: int) -> tuple[int, int] | None:
        """Return where the memory begins that was laid out around an address, and its bytes."""
        if not self._lies_here(address):
            return None
        for start, data in self._written.items():
            if start <= address < start + len(data.content):
                return start, len(data.content)
        return None

    def lose(self, start: int, content: bytes) -> None:
        """Note that memory was overwritten that held this until then."""
        if start in self._written:
            self._overwritten[start] = content

    def untouched(self, start: int) -> bytes | None:
        """Return what memory holds since it was laid out; None where others may have written it."""
        return None if start in self._touched else self._written[start].content

    def touch(self, address: int) -> None:
        """Note that somebody may write at an address."""
        if (block := self.block(address)) is not None:
            self._touched.add(block[0])

    def afresh(self, address: int) -> Data | None:
        """Return what was at an address and was overwritten, to be laid out at another place.

        A library that still looks at the first place does not find it there. Where little room is
        left, it has to go back to the first one.
        """
        content = self._overwritten.get(address)
        if content is None or self._used > self._room // 2:
            return None
        return replace(self._written[address], content=content)

    def restored(self, address: int) -> Iterator[tuple[int, bytes]]:
        """Yield where memory begins that was overwritten, and what it has to hold to be used again.

        Args:
            address: in that memory, or in memory that has its address.

        """
        if self._overwritten and (block := self.block(address)) is not None:
            start, _ = block
            if (content := self._overwritten.pop(start, None)) is not None:
                yield start, content
            for number in self._written[start].numbers.values():
                yield from self.restored(number)

    def held(self, address: int) -> bytes | None:
        """Return what was laid out at an address; None where nothing was."""
        data = self._written.get(int(address))
        return None if data is None else data.content

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory of the process; what the suite wrote is known without asking."""
        if (block := self.block(address)) is not None:
            start, written = block
            if address + size <= start + written:
                return self._written[start].content[address - start : address - start + size]
        return self.process.read(address, size)
