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


class StableAnswers:
    """Outcomes of queries by what was asked, for all processes of a pool."""

    def __init__(self) -> None:
        self._outcomes: dict[Question, Outcome] = {}
        self._values: dict[str, object] = {}
        self._facts: dict[str, Any] = {}

    def confirm(self, what: str, seen: object) -> None:
        """Forget everything if a process shows something else than those before it.

        Args:
            what: names what every process is asked for, such as "agents".
            seen: what this one showed.

        """
        if self._values.setdefault(what, seen) != seen:
            self._outcomes.clear()
            self._facts.clear()
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
        if keep:
            self._facts[what] = found
        return found

    def outcome(self, question: Question) -> Outcome | None:
        """Return what another process answered, if it was asked."""
        return self._outcomes.get(question)

    def keep(self, question: Question, answer: Answer, outcome: Outcome) -> None:
        """Remember a success that wrote what it has to."""
        if answer.ok and not answer.unwritten():
            self._outcomes[question] = outcome


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
                parts.append(str(symbol))
            case int(number):
                parts.append(number)
            case Out(size=size):
                parts.append(("out", size))
            case Data(content=content):
                parts.append(content)
            case _:
                return None
    return tuple(parts)
