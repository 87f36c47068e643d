"""The values that examples are made with, by axis: a parameter, or another choice with a name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

#: An axis and a value of it.
Pin = tuple[str, str]


@dataclass
class Axes:
    """What one example had to choose from, and what it chose.

    Attributes:
        pins: the value that the example has to be made with, by axis; other axes are left open.
        tried: the values of axes that an earlier example was made with.
        offered: the values that there are, by axis.
        chosen: the value that the example was made with, by axis.
        places: how often an object of each kind was chosen, by the noun for it.
        held: the parts that the example looked at and went on after; see `Fixtures.parts`.
        tentative: the axes that are none unless the call is made with what was chosen.
        objects: the axes whose values are objects of the machine.
        on_machine: whether the machine decides what there is to choose from.

    """

    pins: Mapping[str, str] = field(default_factory=dict)
    tried: Collection[Pin] = ()
    offered: dict[str, list[str]] = field(default_factory=dict)
    chosen: dict[str, str] = field(default_factory=dict)
    places: Counter[str] = field(default_factory=Counter)
    held: set[Pin] = field(default_factory=set)
    tentative: set[str] = field(default_factory=set)
    objects: set[str] = field(default_factory=set)
    on_machine: bool = False

    def place(self, noun: str) -> str | None:
        """Return the axis of the next object of a kind; None for the third and those after it."""
        self.on_machine = True
        self.places[noun] += 1
        axis = {1: noun, 2: f"other {noun}"}.get(self.places[noun])
        self.objects |= {axis} if axis else set()
        return axis

    def offer(self, axis: str, values: Iterable[str]) -> None:
        """Note what there is to choose from."""
        known = self.offered.setdefault(axis, [])
        known += [value for value in values if value not in known]

    def withdraw(self, axes: Iterable[str]) -> None:
        """Forget axes: what was chosen is no part of the example."""
        for axis in axes:
            self.offered.pop(axis, None)
            self.chosen.pop(axis, None)

    def missing_pin(self) -> str | None:
        """Return what the example had to be made with and was not, if there is anything."""
        missed = dict(self.pins.items() - self.chosen.items())
        return next((f"{axis}={value}" for axis, value in missed.items()), None)


@dataclass
class AxisCoverage:
    """What the examples of a check together were made with.

    Attributes:
        offered: every value that there was to choose from, in the order in which it came up, with
            what the example was made with in which it did.
        tried: the values that examples were made with, whatever came of it.
        judged: the values of examples in which the check held, and the parts of others that did.
        ended: what the example was made with that ended the check, by failing or otherwise.
        simplest: whether there is no simpler example than that one.
        over_budget: whether an example could have taken more memory than the run may.
        beyond: whether an example asked more of imitated devices than they can do.
        objects: the axes whose values are objects of the machine.
        on_machine: whether the machine decides what there is to choose from.

    """

    offered: dict[Pin, Mapping[str, str]] = field(default_factory=dict)
    tried: set[Pin] = field(default_factory=set)
    judged: set[Pin] = field(default_factory=set)
    ended: Mapping[str, str] = field(default_factory=dict)
    simplest: bool = False
    over_budget: bool = False
    beyond: bool = False
    objects: set[str] = field(default_factory=set)
    on_machine: bool = False

    def take(self, other: AxisCoverage) -> None:
        """Take over what further examples were made with, the last of which ended the check."""
        for pin, around in other.offered.items():
            self.offered.setdefault(pin, around)
        self.judged |= other.judged
        self.ended, self.simplest = other.ended, other.simplest
        self.over_budget |= other.over_budget
        self.beyond |= other.beyond
        self.objects |= other.objects
        self.on_machine |= other.on_machine

    def note(self, axes: Axes) -> None:
        """Note what an example had to choose from."""
        self.objects |= axes.objects
        self.on_machine |= axes.on_machine
        self.tried.update(axes.chosen.items())
        self.judged |= axes.held
        for axis, values in axes.offered.items():
            for value in values:
                self.offered.setdefault((axis, value), dict(axes.chosen))
