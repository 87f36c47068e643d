"""Numbers that remember what they are called, so that a trace reads like a program."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hsa_reports.operands import Origin

_ORDINALS = ("", "second ", "another ")


@dataclass(frozen=True)
class Label:
    """What reports call an object of the machine; it means the same on every machine.

    Attributes:
        noun: its kind, such as "pool".
        words: which one, such as "second gpu coarse-grained"; those beyond the second of a sort
            share the words.

    """

    noun: str
    words: str


class Labels:
    """Labels the objects of one kind, in the order in which the library lists them.

    Args:
        noun: the kind.

    """

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self._counts: Counter[tuple[int | None, str]] = Counter()

    def next(self, sort: str, owner: int | None = None) -> Label:
        """Return the label of the next object of a sort.

        Args:
            sort: what is equal in the objects that are counted together, such as "gpu".
            owner: the labelled object that it belongs to, if it does.

        """
        self._counts[owner, sort] += 1
        ordinal = _ORDINALS[min(self._counts[owner, sort], len(_ORDINALS)) - 1]
        of = label_of(owner)
        return Label(self.noun, f"{f'{of.words} ' if of else ''}{ordinal}{sort}")


def label_of(thing: object) -> Label | None:
    """Return the label of an object of the machine, or of its handle; None for anything else."""
    label = getattr(getattr(thing, "handle", thing), "label", None)
    return label if isinstance(label, Label) else None


class Symbol(int):
    """An integer that came out of a call, or a sum of one and an offset.

    Arithmetic keeps the name where the result is still "that value plus something". The origin says
    how another process would come by the value without the offset. An object of the machine has a
    label.
    """

    name: str
    offset: int
    origin: Origin | None
    label: Label | None

    def __new__(
        cls,
        value: int,
        name: str,
        offset: int = 0,
        origin: Origin | None = None,
        label: Label | None = None,
    ) -> Symbol:
        """Return the number `value`, known as `name` plus `offset`."""
        symbol = super().__new__(cls, value)
        symbol.name = name
        symbol.offset = offset
        symbol.origin = origin
        symbol.label = label
        return symbol

    def __deepcopy__(self, _: object) -> Symbol:
        return self  # nothing of it changes

    def labelled(self, label: Label) -> Symbol:
        """Return the same handle with what reports call its object."""
        return Symbol(self, self.name, self.offset, self.origin, label)

    def __add__(self, other: int) -> Symbol:
        return Symbol(int(self) + int(other), self.name, self.offset + int(other), self.origin)

    __radd__ = __add__

    def __sub__(self, other: int) -> Symbol:
        return Symbol(int(self) - int(other), self.name, self.offset - int(other), self.origin)

    def __str__(self) -> str:
        if not self.offset:
            return self.name
        sign = "+" if self.offset > 0 else "-"
        return f"{self.name} {sign} {abs(self.offset):#x}"

    __repr__ = __str__


def text(value: int) -> str:
    """Return a number as it should stand in a trace."""
    if isinstance(value, Symbol):
        return str(value)
    return str(value) if -10 < value < 4096 and value % 256 else f"{value:#x}"
