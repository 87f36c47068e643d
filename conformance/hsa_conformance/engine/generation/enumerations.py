"""The named values of the enumerations among a function's parameters, each of which is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.atoms import is_uninitialised
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.generators import known_values
from hsa_conformance.engine.outcomes import ProvesNothing
from hsa_spec import Clause, Function, Registry
from hsa_spec.conditions import Atom


class Enumerations:
    """The enumerations that a clause is tried with value by value.

    Args:
        clause: the clause; one about a refusal is tried with the values of what its own
            conditions are about, and one about a runtime that is not initialised with none: each
            would cost a process, and it is not the value that decides.
        function: its function.
        registry: knows the enumerations.
        valid: what has to hold for a call to succeed.
        own: what the clause asks for.

    """

    def __init__(
        self,
        clause: Clause,
        function: Function,
        registry: Registry,
        valid: Sequence[Atom],
        own: Sequence[Atom],
    ) -> None:
        mentioned = {name for atom in own for name in atom.arguments()}
        if any(is_uninitialised(atom) for atom in clause.when):
            mentioned = set()
        self._enums = {
            p.name: registry.enums[p.type]
            for p in function.params
            if p.type in registry.enums and p.direction == "in"
            if function.success in (None, clause) or p.name in mentioned
        }
        self._wanted = {name: _about(name, own) or _about(name, valid) for name in self._enums}

    def pin(self, builder: Builder) -> None:
        """Offer the values in force, and fix those that the example has to be made with."""
        axes = builder.session.axes
        for name in self._enums:
            values = self._admitted(builder, name)
            axes.offer(name, values)
            if name in axes.pins:
                builder.fix(name, values[axes.pins[name]])

    def note(self, builder: Builder) -> None:
        """Note the values that the call is made with."""
        axes = builder.session.axes
        for name, enum in self._enums.items():
            named = enum.by_value.get(builder.number(name))
            if named is not None and named.name in axes.offered[name]:
                axes.chosen[name] = named.name

    def _admitted(self, builder: Builder, name: str) -> Mapping[str, int]:
        """Return the values in force for which what is wanted of this parameter alone holds."""
        enum, before = self._enums[name], builder.values[name]
        found = {}
        for value in known_values(builder.session, enum.name):
            builder.values[name] = value
            if all(_may_hold(builder, atom) for atom in self._wanted[name]):
                found[enum.by_value[value].name] = value
        builder.values[name] = before
        return found


def _about(name: str, atoms: Sequence[Atom]) -> list[Atom]:
    return [atom for atom in atoms if atom.arguments() == {name}]


def _may_hold(builder: Builder, atom: Atom) -> bool:
    try:
        return builder.holds(atom)
    except ProvesNothing:
        return True
