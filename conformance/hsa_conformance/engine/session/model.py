"""What the suite remembers of the process that it drives. It answers hsa_spec.world.World.

It shares no code with the reference, so that a mistake in one is seen by the other. It knows no
topic: each topic names the kinds of its objects, and says what a call changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

from hsa_conformance.engine.calls.outcomes import ProvesNothing

#: Answers a named fact about some arguments.
Fact = Callable[..., bool]


#: What calls may change of what is known.
Moment = tuple[Any, ...]

#: The attributes of a model that calls may change.
_CHANGED: Final = ("references", "initialised_once", "objects", "descriptors", "lasting")


@dataclass(frozen=True)
class File:
    """An open file: what it begins with, its bytes, the others zero, and whether it can be read."""

    content: bytes
    size: int
    readable: bool

    def part(self, start: int, end: int) -> bytes:
        """Return what stands from one place to another, as far as the file goes."""
        return self.content[start:end].ljust(min(end, self.size) - start, b"\0")


@runtime_checkable
class Range(Protocol):
    """An object that is a range of addresses."""

    @property
    def address(self) -> int:
        """Where it starts."""
        ...

    @property
    def size(self) -> int:
        """Its bytes."""
        ...


@dataclass
class Model:
    """Everything the suite knows about the process that it drives.

    Attributes:
        page_size: of the host, in bytes.
        read: reads memory of the process; None where it may not be read.
        references: how often hsa_init succeeded without its hsa_shut_down.
        initialised_once: whether hsa_init ever succeeded.
        unit: what every kind of memory can be allocated in multiples of, in bytes.
        features: abilities that the library says the machine has.
        objects: the live objects by kind and key.
        descriptors: the open file descriptors that the suite knows.
        facts: how each topic answers the named facts of its conditions.
        owed: the kinds of objects that an example has to give back.
        short_of: the resources that were made to run out.
        lasting: whether something was changed that no call changes back.

    """

    page_size: int
    read: Callable[[int, int], bytes | None]
    references: int = 0
    initialised_once: bool = False
    unit: int = 0
    features: set[str] = field(default_factory=set)
    objects: dict[str, dict[tuple[int, ...], Any]] = field(default_factory=dict)
    descriptors: set[int] = field(default_factory=set)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    owed: Collection[str] = ()
    short_of: set[str] = field(default_factory=set)
    lasting: bool = False

    def __post_init__(self) -> None:
        self.unit = max(self.unit, self.page_size)

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return 64-bit words of memory that the suite wrote."""
        data = self.read(address, 8 * count)
        if data is None:
            return ()
        return tuple(int.from_bytes(data[i : i + 8], "little") for i in range(0, 8 * count, 8))

    def exhausted(self, resource: str) -> bool:
        """Return whether a resource was made to run out."""
        return resource in self.short_of

    def supports(self, feature: str) -> bool:
        """Return whether the library said that the machine has this ability."""
        return feature in self.features

    def is_open(self, descriptor: int) -> bool:
        """Return whether the suite knows this descriptor to be open."""
        return descriptor in self.descriptors

    def find(self, kind: str, *key: int) -> Any:  # noqa: ANN401 - each kind has its own class
        """Return the live object of a kind, such as the "signal" with this handle, or None."""
        return self.objects.get(kind, {}).get(key)

    def live(self, kind: str) -> list[Any]:
        """Return the live objects of a kind, the oldest first."""
        return list(self.objects.get(kind, {}).values())

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the live objects of a kind that any of these bytes lie in, by address."""
        found = [
            thing
            for thing in self.objects.get(kind, {}).values()
            if size > 0 and thing.address < address + size and address < thing.address + thing.size
        ]
        return sorted(found, key=lambda thing: thing.address)

    def around(self, kind: str, address: int) -> Any:  # noqa: ANN401 - each kind has its own class
        """Return the live object of a kind that the byte at an address lies in, or None."""
        for thing in self.objects.get(kind, {}).values():
            if thing.address <= address < thing.address + thing.size:
                return thing
        return None

    def add(self, kind: str, *key: int, thing: object) -> None:
        """Remember an object of a kind."""
        self.objects.setdefault(kind, {})[key] = thing

    def remove(self, kind: str, *key: int) -> None:
        """Forget an object of a kind, if it is known."""
        self.objects.get(kind, {}).pop(key, None)

    def holds(self, fact: str, *arguments: int) -> bool:
        """Return whether a named fact holds for the arguments.

        Raises:
            ProvesNothing: nobody has found out.

        """
        known = self.facts.get(fact)
        if known is None:
            raise ProvesNothing(f"the suite does not know of {fact}")
        return known(self, *arguments)

    def forget_machine(self) -> None:
        """Drop what the runtime's end makes invalid."""
        self.features.clear()
        self.objects.clear()

    def moment(self) -> Moment:
        """Return all that calls may change, as it is now."""
        return _copied(tuple(getattr(self, name) for name in _CHANGED))

    def go_back(self, moment: Moment) -> None:
        """Know what was known at an earlier moment, and no more."""
        for name, value in zip(_CHANGED, _copied(moment), strict=True):
            setattr(self, name, value)

    def owes_nothing(self) -> bool:
        """Return whether nothing is left that an example would have to give back."""
        return not self.lasting and not any(self.objects.get(kind) for kind in self.owed)


def _copied(moment: Moment) -> Moment:
    """Copy what calls may change: keys are numbers, of which there may be many, and stay."""
    keys = (
        key
        for value in moment
        if isinstance(value, dict)
        for kind in value.values()
        for key in kind
    )
    return deepcopy(moment, {id(key): key for key in keys})
