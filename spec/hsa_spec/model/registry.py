"""The whole specification, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hsa_spec.model.attributes import Attribute, Relation
from hsa_spec.model.clauses import Clause
from hsa_spec.model.functions import Function
from hsa_spec.model.rules import Rule
from hsa_spec.model.types import (
    CallbackType,
    Enum,
    Enumerator,
    Macro,
    RetiredType,
    Struct,
    Table,
    Type,
    Typedef,
)

#: Everything that headers declare.
Declared = Function | Type
#: Whatever has clauses.
Subject = Function | Rule


@dataclass(frozen=True)
class Registry:
    """Everything the specification says, by name."""

    functions: Mapping[str, Function]
    enums: Mapping[str, Enum]
    structs: Mapping[str, Struct]
    callbacks: Mapping[str, CallbackType]
    root: Path
    digest: str
    macros: Mapping[str, Macro] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    typedefs: Mapping[str, Typedef] = field(default_factory=dict)
    retired: Mapping[str, RetiredType] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Return every clause by id, in the order of the registry, those of rules last."""
        subjects: tuple[Mapping[str, Subject], ...] = (self.functions, self.rules)
        return {c.id: c for group in subjects for s in group.values() for c in s.clauses}

    def subject(self, clause: Clause) -> Subject:
        """Return the function or the rule that has a clause."""
        return self.rules.get(clause.subject) or self.functions[clause.subject]

    @cached_property
    def _about(self) -> Mapping[str, tuple[Clause, ...]]:
        of_rules = [c for rule in self.rules.values() for c in rule.clauses]
        return {
            f.name: (*f.clauses, *(c for c in of_rules if c.function == f.name))
            for f in self.functions.values()
        }

    def clauses_about(self, function: str) -> tuple[Clause, ...]:
        """Return the clauses of a function, and those of rules that it is needed for."""
        return self._about[function]

    @cached_property
    def relations(self) -> Mapping[str, tuple[Attribute, Relation]]:
        """Return what attributes have to be, by the ids of the clauses that say so."""
        return {r.clause: (a, r) for a in self.attributes.values() for r in a.relations}

    @cached_property
    def constants(self) -> Mapping[str, int]:
        """Return every enumerator's value by name."""
        return {e.name: e.value for enum in self.enums.values() for e in enum.enumerators}

    @cached_property
    def enumerators(self) -> Mapping[str, tuple[Enum, Enumerator]]:
        """Return every enumerator by name, with its enumeration."""
        return {e.name: (enum, e) for enum in self.enums.values() for e in enum.enumerators}

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """Return the topics in the order in which the registry's files are read."""
        return tuple(dict.fromkeys(f.topic for f in self.functions.values()))

    def of_topic(self, topic: str) -> tuple[Function, ...]:
        """Return the functions of a topic such as "amd/vmem"."""
        return tuple(f for f in self.functions.values() if f.topic == topic)

    @cached_property
    def _reported(self) -> Mapping[tuple[str, int], Attribute]:
        return {
            (function, self.constants[a.name]): a
            for a in self.attributes.values()
            for function in a.asked_by
        }

    def reported(self, function: str, value: int) -> Attribute | None:
        """Return the attribute that a function reports under a number, None where there is none."""
        return self._reported.get((function, value))

    def attributes_of(self, function: str) -> tuple[Attribute, ...]:
        """Return the attributes that a function reports, in the order of the registry."""
        return tuple(a for a in self.attributes.values() if function in a.asked_by)

    def answering(self, function: str, status: str) -> tuple[Clause, ...]:
        """Return the clauses of a function that lead to a status, none where there is neither."""
        found = self.functions.get(function)
        return tuple(c for c in found.clauses if status in c.status) if found else ()

    @cached_property
    def types(self) -> Mapping[str, Type]:
        """Return everything by name that is declared and is no function."""
        groups: tuple[Mapping[str, Type], ...] = (
            self.enums,
            self.structs,
            self.callbacks,
            self.typedefs,
            self.tables,
            self.macros,
            self.retired,
        )
        # Where a macro has the name of something else, the other is meant.
        return {name: item for group in reversed(groups) for name, item in group.items()}

    def find(self, name: str) -> Declared | Clause | Attribute | Rule | None:
        """Return what has this name: a clause by its id, an attribute, a rule, or a declaration."""
        groups: tuple[Mapping[str, Declared | Clause | Attribute | Rule], ...] = (
            self.functions,
            self.clauses,
            self.types,
            self.attributes,
            self.rules,
        )
        return next((group[name] for group in groups if name in group), None)

    def status(self, name: str) -> int:
        """Return the value of a status code.

        Raises:
            KeyError: there is no status of that name.

        """
        return self.constants[name]

    def status_name(self, value: int) -> str:
        """Return the name of a status code, or its number in hexadecimal when it has none."""
        found = self.enums["hsa_status_t"].by_value.get(value)
        return found.name if found else f"{value:#x}"

    def select(self, pattern: str) -> Iterator[Clause]:
        """Yield the clauses whose id, function, rule or topic is or starts with `pattern`."""
        for clause in self.clauses.values():
            function, subject = self.functions[clause.function], self.subject(clause)
            names = (clause.id, function.name, function.topic, subject.name, subject.topic)
            if pattern in names or clause.id.startswith(pattern):
                yield clause
