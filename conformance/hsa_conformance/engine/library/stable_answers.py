"""What no process of one library on one machine answers differently: asked once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

from hsa_adapters.calls import Outcome
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import Answer, Data, Out, Value
from hsa_spec import Function

T = TypeVar("T")

#: A function, and each argument as it is called in every process.
Question = tuple[Hashable, ...]


class Place(str):
    """The name of an object: its place in a list, which is the same in each process."""

    __slots__ = ()


class StableAnswers:
    """Outcomes of queries by what was asked, for all processes of a pool.

    An answer about an object counts once a second process has given it. None does any more once two
    differ, or the same list has two orders: an object's name, which is its place in a list, then
    means nothing.
    """

    def __init__(self) -> None:
        self._outcomes: dict[Question, tuple[object, Outcome]] = {}  # and the first that gave it
        self._confirmed: set[Question] = set()
        self._lists: set[Hashable] = set()  # that were asked for twice
        self._differ = False
        self._values: dict[str, object] = {}
        self._facts: dict[str, Any] = {}

    def confirm(self, what: str, seen: object) -> None:
        """Forget everything if a process shows something else than those before it.

        Args:
            what: names what every process is asked for, such as "agents".
            seen: what this one showed.

        """
        if self._values.setdefault(what, seen) != seen:
            self._forget()
            self._values = {what: seen}

    def shown(self) -> Mapping[str, object]:
        """Return what processes showed, by what they are asked for."""
        return dict(self._values)

    def once(self, what: str, ask: Callable[[], T], *, keep: bool = True) -> T:
        """Return what the first process found out.

        Args:
            what: names it.
            ask: finds it out.
            keep: whether what it finds out stands for other processes.

        """
        if what in self._facts:
            known: T = self._facts[what]
            return known
        found = ask()
        if keep and not self._differ:
            self._facts[what] = found
        return found

    def outcome(self, question: Question) -> Outcome | None:
        """Return what two other processes answered, if they were asked."""
        return self._outcomes[question][1] if question in self._confirmed else None

    def is_new(self, question: Hashable) -> bool:
        """Return whether a list is asked for the first time."""
        new = question not in self._lists
        self._lists.add(question)
        return new

    def distrust(self) -> None:
        """Let no answer count for other processes from now on."""
        self._differ = True
        self._forget()

    def keep(self, question: Question, answer: Answer, outcome: Outcome, process: object) -> None:
        """Remember a success that wrote what it has to.

        Args:
            question: what was asked.
            answer: what was answered.
            outcome: the same, as the process said it.
            process: was asked.

        """
        if self._differ or not answer.ok or answer.unwritten():
            return
        by, before = self._outcomes.setdefault(question, (process, outcome))
        if outcome != before:
            self.distrust()
        elif by is not process or not any(isinstance(part, Place) for part in question):
            self._confirmed.add(question)

    def _forget(self) -> None:
        self._outcomes.clear()
        self._confirmed.clear()
        self._facts.clear()


def question(function: Function, values: Mapping[str, Value]) -> Question | None:
    """Return what a call asks, in words that mean the same in every process.

    Args:
        function: what is called.
        values: a value for each parameter; what differs between processes is a Symbol.

    Returns:
        None for a call with a callback, which hands out what belongs to its process.

    """
    parts: list[Hashable] = [function.name]
    for parameter in function.params:
        match values[parameter.name]:
            case Symbol() as symbol:
                parts.append(Place(str(symbol)))
            case int(number):
                parts.append(number)
            case Out(size=size):
                parts.append(("out", size))
            case Data(content=content):
                parts.append(content)
            case _:
                return None
    return tuple(parts)
