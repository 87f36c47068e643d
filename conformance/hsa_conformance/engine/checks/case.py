"""A clause as the engine tests it: the facts that checks and reasons go by, each found once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from hsa_conformance.engine.generation.atoms import (
    before_init,
    counts_references,
    exhausted,
    is_state,
    of_success,
    starts_runtime,
)
from hsa_conformance.engine.judging.judge import THREADS
from hsa_conformance.engine.library.tool_tables import for_tools
from hsa_spec import Clause, Function, Kind, Registry
from hsa_spec.conditions import Atom

#: What clauses need during which the driver refuses something.
FAILING: Final = "fault_injection"

#: The slugs of the two clauses about long lives.
GROWS: Final = "nothing-grows"
SLOWER: Final = "no-slower"
#: The slug of the clause that other calls do not change what a call tells.
STABLE: Final = "same-answer"
#: The slug of the clause that objects which live have handles of their own.
DISTINCT: Final = "distinct"
#: The slug of the clause about what a balanced pair of calls keeps.
KEPT: Final = "nothing-kept"


class Form(Enum):
    """How a clause is tested."""

    EXPORT = auto()  # its symbol is looked up
    CONDITIONS = auto()  # inputs meet its conditions, or just miss them
    EXHAUSTION = auto()  # a resource runs out during the call
    PROPERTY = auto()  # by a property, written by hand
    NEW_HANDLE = auto()  # likewise, and by calls that succeed although something is refused
    THREADS = auto()  # likewise, and by calls that threads make at one time
    RELATION = auto()  # an attribute is held against other facts
    FAILED_CALLS = auto()  # what failed calls leave is counted
    LEAKS = auto()  # what balanced pairs of calls leave is counted
    PROGRAMS = auto()  # what long programs leave is counted, and how long they take
    ANY_REQUEST = auto()  # whatever the call asks of the driver is refused
    RECOVERY = auto()  # a call that failed for a refusal is made again
    DISTINCT = auto()  # by a property, or by calls that create objects which live at one time
    STABLE = auto()  # what a call tells is asked again after calls of other functions


#: The effects that get checks by their slugs.
_BY_SLUG: Final[Mapping[str, Form]] = {
    "failure-creates-nothing": Form.FAILED_CALLS,
    KEPT: Form.LEAKS,
    GROWS: Form.PROGRAMS,
    SLOWER: Form.PROGRAMS,
    "driver-refuses": Form.ANY_REQUEST,
    THREADS: Form.THREADS,
    "succeeds-later": Form.RECOVERY,
    STABLE: Form.STABLE,
    DISTINCT: Form.DISTINCT,
    "not-zero": Form.NEW_HANDLE,
}


@dataclass(frozen=True)
class Case:
    """A clause as the engine tests it.

    Attributes:
        clause: the clause.
        function: what it is about.
        form: how it is tested.
        proved: whether it has a property.
        own: those of its conditions that arguments decide.
        valid: what has to hold of its arguments for a call of the function to succeed.
        before_init: whether it is about any call before hsa_init, which needs no objects.
        counts_references: whether it is about how often the runtime was initialised.
        starts_runtime: whether a call that succeeds is.
        resources: those that have run out where it holds.
        tools_only: whether only libraries of tools are given the table that the function is in.

    """

    clause: Clause
    function: Function
    form: Form
    proved: bool
    own: tuple[Atom, ...]
    valid: tuple[Atom, ...]
    before_init: bool
    counts_references: bool
    starts_runtime: bool
    resources: tuple[str, ...]
    tools_only: bool

    @property
    def needs_failing(self) -> bool:
        """Whether the driver or the C library has to refuse something."""
        return FAILING in self.clause.needs

    @property
    def takes_memory(self) -> bool:
        """Whether it is about a call for which there is no memory left.

        What starts the runtime is left out: it is the driver's refusals that are tried there.
        """
        out_of_memory = self.needs_failing and self.resources == ("memory",)
        return out_of_memory and not self.counts_references

    @property
    def can_miss(self) -> bool:
        """Whether some input can just miss it: whether any argument decides it."""
        return self.before_init or bool(self.own)


def case_of(clause: Clause, registry: Registry, proved: Collection[str] = ()) -> Case:
    """Return the case of a clause.

    Args:
        clause: the clause.
        registry: the specification.
        proved: ids of the clauses that have properties.

    """
    function = registry.functions[clause.function]
    return Case(
        clause,
        function,
        _form(clause, registry, proved),
        clause.id in proved,
        own=tuple(atom for atom in clause.when if not is_state(atom)),
        valid=tuple(of_success(function)),
        before_init=before_init(clause),
        counts_references=any(counts_references(atom) for atom in clause.when),
        starts_runtime=starts_runtime(function),
        resources=tuple(exhausted(clause)),
        tools_only=for_tools(function, registry),
    )


def _form(clause: Clause, registry: Registry, proved: Collection[str]) -> Form:
    if clause.kind is Kind.EXPORT:
        return Form.EXPORT
    if clause.kind is Kind.STATUS:
        if clause.id in proved:  # since no generator makes its condition hold
            return Form.PROPERTY
        return Form.EXHAUSTION if FAILING in clause.needs else Form.CONDITIONS
    if clause.id in registry.relations:
        return Form.RELATION
    return _BY_SLUG.get(clause.slug, Form.PROPERTY)
