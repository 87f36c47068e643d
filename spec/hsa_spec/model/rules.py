"""Rules: what no function says alone, of queues, packets, memory and other things that last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_spec.model.clauses import Clause, Source, Strength


@dataclass(frozen=True)
class Statement:
    """One sentence of a rule, and which clauses judge it.

    Attributes:
        slug: its name within the rule.
        states: what has to be so.
        strength: how far it binds.
        source: where it is said.
        judged_by: the ids of the clauses that judge it: one of the rule's own, or those of
            functions that say it already.

    """

    slug: str
    states: str
    strength: Strength
    source: Source
    judged_by: tuple[str, ...]


@dataclass(frozen=True)
class Transition:
    """What a call or an event makes of an object in some states.

    Attributes:
        before: the states that it is about; NOWHERE where there is no object yet.
        functions: the functions that are called, any one of them; none where it is an event.
        event: what happens without a call of the application.
        status: what the call answers, any of them; none where the text leaves it undefined.
        after: the state that the object is in then; None where it stays in its own.
        judged_by: the ids of the clauses that judge it.

    """

    before: tuple[str, ...]
    functions: tuple[str, ...]
    event: str | None
    status: tuple[str, ...]
    after: str | None
    judged_by: tuple[str, ...]

    @property
    def undefined(self) -> bool:
        """Return whether anything may come of the call."""
        return bool(self.functions) and not self.status


#: The state of what has not been created.
NOWHERE = "none"


@dataclass(frozen=True)
class Rule:
    """What is said of one sort of thing, beyond the functions that work on it.

    Attributes:
        name: what the ids of its clauses start with.
        topic: the path of its document.
        header: the header that its sources are in, where they name none.
        about: the function without which nothing of it can be shown, such as the one that creates
            what the rule is about; a clause may have one of its own.
        summary: what it is about.
        statements: all that it says, in order.
        clauses: what of that no clause of a function says.
        states: the states that an object of this sort is in, with what holds in each.
        transitions: what leads from one to another.

    """

    name: str
    topic: str
    header: str
    about: str
    summary: str
    statements: tuple[Statement, ...]
    clauses: tuple[Clause, ...]
    states: Mapping[str, str]
    transitions: tuple[Transition, ...]
