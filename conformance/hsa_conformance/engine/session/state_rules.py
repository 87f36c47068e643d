"""What topics tell the model: what calls change, which facts they know, how objects go back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model

#: What a successful call changes.
Transition = Callable[[Model, Answer], None]


class CleanUp:
    """How the objects of a kind are given back.

    Args:
        kind: what the model calls the objects.
        function: the function that takes one back.
        parameters: its parameters.
        calls: the arguments of each call that one object takes; its key in one call by default.
        makers: the functions that make such objects.

    """

    def __init__(
        self,
        kind: str,
        function: str,
        *parameters: str,
        calls: Callable[[Any], Iterable[tuple[int, ...]]] | None = None,
        makers: Sequence[str] = (),
    ) -> None:
        self.kind = kind
        self.function = function
        self.parameters = parameters
        self.makers = makers
        self._calls = calls

    def calls(self, model: Model, *, oldest_first: bool = False) -> Iterable[Mapping[str, int]]:
        """Yield the arguments of each call that gives an object back.

        Args:
            model: what is known of the process.
            oldest_first: whether the object that was made last comes last, not first.

        """
        objects = list(model.objects.get(self.kind, {}).items())
        for key, thing in objects if oldest_first else reversed(objects):
            for arguments in self._calls(thing) if self._calls else [key]:
                yield dict(zip(self.parameters, arguments, strict=False))

    def is_stuck(self, model: Model) -> bool:
        """Return whether there is an object that no call takes back, such as a copy that waits."""
        things = model.objects.get(self.kind, {}).values()
        return self._calls is not None and not all(any(self._calls(thing)) for thing in things)


@dataclass(frozen=True)
class MemoryKind:
    """A kind of memory that a call can be given a pointer to.

    Attributes:
        make: makes some of it and returns where it starts; gets fixtures, how many bytes there have
            to be at least, and whether the host has to be able to use them.
        function: the function that it takes.
        there: returns whether the machine has such memory; gets fixtures, and whether the host has
            to be able to use it.

    """

    make: Callable[[Any, int, bool], int]
    function: str
    there: Callable[[Any, bool], bool]


@dataclass(frozen=True)
class ObjectKind:
    """A kind of object that can live while something else happens.

    Attributes:
        name: what reports call it.
        make: makes one.
        functions: those that this takes.

    """

    name: str
    make: Callable[[], object]
    functions: tuple[str, ...] = ()


@dataclass(frozen=True)
class StateRules:
    """The rules of all topics together.

    Attributes:
        transitions: what a successful call changes, by function.
        facts: how named facts of conditions are answered.
        clean_up: how objects are given back, in the order in which it has to be done.
        passing: kinds of objects that are forgotten when an example begins.
        descriptors: kinds of objects that an open file descriptor is the key of; where it is sent
            to another process, it stands for the same there.
        plural: functions that make an object each time they are called, and what is other in a
            further one.
        memory: the kinds of memory that pointers can be to, by what reports call them.
        objects: each yields the kinds of objects of a topic that can be made; gets fixtures.
        holders: what finds the objects that have attributes, by kind; gets fixtures.

    """

    transitions: Mapping[str, Transition] = field(default_factory=dict)
    facts: Mapping[str, Fact] = field(default_factory=dict)
    clean_up: tuple[CleanUp, ...] = ()
    passing: Collection[str] = ()
    descriptors: Collection[str] = ()
    plural: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    memory: Mapping[str, MemoryKind] = field(default_factory=dict)
    objects: Sequence[Callable[[Any], Iterable[ObjectKind]]] = ()
    holders: Mapping[str, Callable[[Any], Sequence[Any]]] = field(default_factory=dict)

    @property
    def owed(self) -> frozenset[str]:
        """Return the kinds of objects that an example has to give back."""
        return frozenset(clean_up.kind for clean_up in self.clean_up)
