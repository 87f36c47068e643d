"""Clauses: what is stated, how far it binds, and where it is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from hsa_spec.model.versions import Versions

if TYPE_CHECKING:
    from hsa_spec.conditions.syntax import Atom


#: The answer of a text that leaves a call undefined, as documents write it.
ANYTHING = "anything"
#: What a source names in place of a header where the HSA Foundation's document says so.
SPECIFICATION = "HSA Runtime Programmer's Reference Manual 1.1"
#: What it names where ROCr's documentation says so.
DOCUMENTATION = "documentation of ROCr"
#: What it names where no text says so, and the suite has a rule of its own.
CONVENTION = "convention of this suite"
#: Those rules by the name that documents have for them.
CONVENTIONS = {
    "failure": "a call that fails leaves nothing behind",
    "pair": "what is made and given back leaves nothing behind that adds up",
    "end": "a process ends as it is told to, leaves nothing behind, and holds no other one up",
    "refusal": "a refusal of the driver is told, and costs nothing but the call that met it",
    "create": "what a call creates is an object of its own",
    "stable": "what nothing is said to change stays as it is",
}


class Strength(StrEnum):
    """How far a clause binds an implementation."""

    MUST = "must"
    SHOULD = "should"
    MAY = "may"
    UNDEFINED = "undefined"
    OBSERVED = "observed"


class DecidedBy(StrEnum):
    """Who really gives the answer that a clause is about."""

    RUNTIME = "runtime"
    DRIVER = "driver"
    DEVICE = "device"
    PROFILER = "profiler"  # the library of its own whose functions a runtime hands out


class Kind(StrEnum):
    """What sort of statement a clause makes."""

    STATUS = "status"  # under `when`, the call returns `status`
    EFFECT = "effect"  # after the call, `states` can be observed
    EXPORT = "export"  # the library offers the function at all


@dataclass(frozen=True)
class Source:
    """Where a statement comes from, precise enough to find the line.

    Args:
        header: the header, SPECIFICATION, DOCUMENTATION or CONVENTION.
        section: what has the text there: a function and a part of its comment, an enumerator, a
            member of a structure, a section of the specification, or the convention itself.
        note: what the text says of this, or why it is what decides.

    """

    header: str
    section: str
    note: str | None = None

    def __str__(self) -> str:
        """Return the source as one line for people."""
        text = f"{self.header}, {self.section}"
        return f"{text} ({self.note})" if self.note else text


@dataclass(frozen=True)
class Reading:
    """What one of several texts makes of a call.

    `status` holds the statuses that it gives, any of which is right, and `states` what can be
    observed, where the clause is an effect. Where both are empty anything may happen: the text
    leaves the call undefined.
    """

    source: Source
    status: tuple[str, ...] = ()
    states: str = ""

    @property
    def anything(self) -> bool:
        """Return whether anything may happen by this text."""
        return not self.status and not self.states

    @property
    def answer(self) -> str:
        """Return the answer as one line for people."""
        return " or ".join(self.status) or self.states.rstrip(".") or ANYTHING

    def __str__(self) -> str:
        """Return the answer and the text as one line for people."""
        return f"{self.answer}, by {self.source}"


@dataclass(frozen=True)
class Clause:
    """One testable statement.

    `function` is the one that the statement is about; where a rule makes it, the one without which
    it cannot be shown.
    """

    id: str
    function: str
    kind: Kind
    strength: Strength
    decided_by: DecidedBy
    when: tuple[Atom, ...]
    status: tuple[str, ...]
    states: str
    source: Source
    contested: tuple[Reading, ...] = ()  # texts that differ; `status` has the answers of all
    untestable: str | None = None
    needs: tuple[str, ...] = ()
    versions: Versions = field(default_factory=Versions)

    @property
    def subject(self) -> str:
        """Return whose clause it is: the name of its function, or of a rule."""
        return self.id.split("/", 1)[0]

    @property
    def slug(self) -> str:
        """Return the part of the id after the subject."""
        return self.id.split("/", 1)[1]

    @property
    def contest(self) -> str:
        """Return the readings of a contested clause as one line for people."""
        return "; ".join(map(str, self.contested))

    @property
    def open(self) -> bool:
        """Return whether anything may happen by one of the readings."""
        return any(reading.anything for reading in self.contested)

    @property
    def is_success(self) -> bool:
        """Return whether this clause says when the call succeeds."""
        return self.kind is Kind.STATUS and self.status == ("HSA_STATUS_SUCCESS",)
