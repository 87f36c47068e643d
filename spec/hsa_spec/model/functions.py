"""Functions and their parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from hsa_spec.model.clauses import Clause, Source
from hsa_spec.model.versions import Change, Versions


@dataclass(frozen=True)
class Parameter:
    """One parameter of a function, with the facts that callers and generators need."""

    name: str
    type: str
    direction: str  # in | out | inout
    role: str | None = None
    unit: str | None = None
    nullable: bool = False
    length: str | None = None  # the parameter that counts this array's elements
    minimum: int | None = None
    maximum: int | None = None
    multiple_of: int | None = None
    power_of_two: bool = False
    conditional: bool = False  # an output that not every success writes
    reserved: tuple[int, ...] = ()  # values with a meaning of their own
    named_by: str | None = None  # the enumeration that names its values or, of a mask, its flags
    ownership: str | None = None  # creates | retains | borrows | consumes
    kept: Source | None = None  # where the text lets the library use its memory after the call
    summary: str = ""
    versions: Versions = field(default_factory=Versions)

    @cached_property
    def is_lent(self) -> bool:
        """Return whether it is memory that the library may not use once the call has returned."""
        is_input = self.direction == "in" and self.type.endswith("*")
        return is_input and self.role != "opaque" and self.kept is None

    @cached_property
    def is_constant(self) -> bool:
        """Return whether its type says that a call does not change what it points to."""
        return self.type.startswith("const ")

    @cached_property
    def stays(self) -> bool:
        """Return whether a call leaves what it points to as it is; some lists have no const."""
        return self.is_constant or (self.direction == "in" and self.role == "array")


@dataclass(frozen=True)
class Function:
    """One function of the API."""

    name: str
    header: str
    topic: str
    export: str  # linker | inline | table (of an extension) | library (another one)
    summary: str
    result: str
    params: tuple[Parameter, ...]
    documented: tuple[str, ...]  # the statuses that its list has
    clauses: tuple[Clause, ...]
    versions: Versions
    deprecated: str | None = None
    changes: tuple[Change, ...] = ()
    dropped: Mapping[str, Versions] = field(default_factory=dict)  # statuses no longer listed
    stable: bool = False  # whether no other call changes what it tells

    @cached_property
    def answers(self) -> frozenset[str]:
        """Return the statuses that its clauses name."""
        return frozenset(status for clause in self.clauses for status in clause.status)

    @cached_property
    def parameter(self) -> Mapping[str, Parameter]:
        """Return the parameters by name."""
        return {p.name: p for p in self.params}

    @property
    def success(self) -> Clause | None:
        """Return the clause that says when the call succeeds, if the text has one."""
        return next((c for c in self.clauses if c.is_success), None)

    def clause(self, slug: str) -> Clause:
        """Return the clause with this slug.

        Raises:
            KeyError: no clause of this function has that slug.

        """
        for clause in self.clauses:
            if clause.slug == slug:
                return clause
        raise KeyError(f"{self.name}/{slug}")
