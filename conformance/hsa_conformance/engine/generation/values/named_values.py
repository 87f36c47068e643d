"""The values with names that a parameter can have, each of which is tried.

They are the enumerators of its type, the attributes that a query reports, single flags, and both
truth values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hsa_conformance.engine.generation.atoms import about
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.generators import known_values
from hsa_conformance.engine.session.session import Session
from hsa_spec import Function, Parameter
from hsa_spec.conditions import Atom

#: What the values of a mask are called that are no single flag.
NO_FLAG: Final = "no flag"
ALL_FLAGS: Final = "all flags"


class NamedValues:
    """The parameters of a call that are tried value by value, with the values that they have.

    Args:
        function: what is called.
        swept: names of the parameters that the clause is tried with value by value.
        valid: what has to hold for a call to succeed.
        own: what the clause asks for.
        refused: whether the clause has such calls refused.

    """

    def __init__(
        self,
        function: Function,
        swept: Sequence[str],
        valid: Sequence[Atom],
        own: Sequence[Atom],
        *,
        refused: bool,
    ) -> None:
        self._others = {name for name in swept if refused and about(name, own)}
        self._parameters = [function.parameter[name] for name in swept]
        self._wanted = {name: about(name, own) or about(name, valid) for name in swept}
        self._admitted: dict[str, Mapping[str, int]] | None = None

    def pin(self, builder: Builder) -> None:
        """Offer the values in force, and fix those that the example has to be made with."""
        axes = builder.session.axes
        for name, values in self._values(builder).items():
            axes.offer(name, values)
            if name in axes.pins:
                builder.fix(name, values[axes.pins[name]])

    def take_turns(self, builder: Builder) -> None:
        """Fix each parameter to the value whose turn it is, see `Session.turned`."""
        for name, values in self._values(builder).items():
            if values:
                builder.fix(name, [*values.values()][builder.session.turn % len(values)])

    def note(self, builder: Builder) -> None:
        """Note the values that the call is made with."""
        for name, values in self._values(builder).items():
            called = [label for label, value in values.items() if value == builder.number(name)]
            builder.session.axes.chosen.update((name, label) for label in called[:1])

    def _values(self, builder: Builder) -> Mapping[str, Mapping[str, int]]:
        """Return the values that the clause admits; they are the same for all its examples."""
        if self._admitted is None:
            found = {
                p.name: self._admits(builder, p.name, values)
                for p in self._parameters
                if (values := self._named(builder, p))
            }
            self._admitted = found
        return self._admitted

    def _named(self, builder: Builder, parameter: Parameter) -> Mapping[str, int]:
        values = named_values(builder.session, builder.function, parameter)
        if parameter.role == "attribute" and parameter.name in self._others:
            return {**values, **unreported(builder.session, builder.function)}
        return values

    def _admits(self, builder: Builder, name: str, values: Mapping[str, int]) -> Mapping[str, int]:
        """Return the values for which what is wanted of this parameter alone holds."""
        wanted = self._wanted[name]
        fitting = builder.fitting(
            name, values.values(), lambda: all(builder.may_hold(atom) for atom in wanted)
        )
        return {label: value for label, value in values.items() if value in fitting}


def named_values(session: Session, function: Function, parameter: Parameter) -> Mapping[str, int]:
    """Return the values in force that a parameter can have, by name; none where they have none.

    Args:
        session: knows the release.
        function: what is called.
        parameter: one of its parameters.

    """
    registry = session.registry
    if parameter.role == "attribute":
        reported = registry.attributes_of(function.name)
        values = [v for enum in {a.enum: 0 for a in reported} for v in known_values(session, enum)]
        attributes = {value: registry.reported(function.name, value) for value in values}
        if reported:
            return {a.name: value for value, a in attributes.items() if a is not None}
    if parameter.type == "bool":
        return {"false": 0, "true": 1}
    enum = parameter.named_by or parameter.type
    if enum not in registry.enums:
        return {}
    named = _enumerators(session, enum)
    return _masks(named) if parameter.named_by and parameter.role == "flags" else named


def unreported(session: Session, function: Function) -> Mapping[str, int]:
    """Return the attributes in force that have names, and that a query does not report."""
    registry = session.registry
    enums = {a.enum: 0 for a in registry.attributes_of(function.name)}
    named = {name: value for enum in enums for name, value in _enumerators(session, enum).items()}
    return {n: v for n, v in named.items() if registry.reported(function.name, v) is None}


def _enumerators(session: Session, enum: str) -> Mapping[str, int]:
    by_value = session.registry.enums[enum].by_value
    return {by_value[value].name: value for value in known_values(session, enum)}


def _masks(flags: Mapping[str, int]) -> Mapping[str, int]:
    """Return each single flag, none of them, and all of them together."""
    together = 0
    for value in flags.values():
        together |= value
    none = {} if 0 in flags.values() else {NO_FLAG: 0}
    several = {} if together in flags.values() else {ALL_FLAGS: together}
    return {**none, **flags, **several} if flags else {}
