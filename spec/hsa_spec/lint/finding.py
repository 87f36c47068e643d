"""What a check finds, and the line it is on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hsa_spec.model import Attribute, CallbackType, Clause, Enum, Function, Registry, Rule, Struct
from hsa_spec.places import place_of, place_of_attribute


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong.

    Args:
        path: the file.
        line: the line, counted from 1, or None when the whole file is meant.
        subject: the id of the clause, or the name of what is declared.
        rule: the rule that is broken, in a word or two.
        message: what is wrong and what was expected.

    """

    path: Path
    line: int | None
    subject: str
    rule: str
    message: str

    def __str__(self) -> str:
        """Return the finding as compilers write theirs."""
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.subject}: {self.message} [{self.rule}]"


def about_clause(registry: Registry, clause: Clause, rule: str, message: str) -> Finding:
    """Return a finding about a clause."""
    path, line = place_of(registry, registry.subject(clause), "clauses", clause.slug)
    return Finding(path, line, clause.id, rule, message)


def about_attribute(registry: Registry, attribute: Attribute, message: str) -> Finding:
    """Return a finding about an attribute."""
    path, line = place_of_attribute(registry, attribute)
    return Finding(path, line, attribute.name, "attribute", message)


def about_rule(
    registry: Registry, rule: Rule, keys: tuple[str | int, ...], broken: str, message: str
) -> Finding:
    """Return a finding about the part of a rule that `keys` lead to."""
    path, line = place_of(registry, rule, *keys)
    return Finding(path, line, rule.name, broken, message)


def about_declaration(
    registry: Registry,
    declared: Function | Enum | Struct | CallbackType,
    rule: str,
    message: str,
) -> Finding:
    """Return a finding about a function, an enumeration, a structure or a callback."""
    path, line = place_of(registry, declared)
    return Finding(path, line, declared.name, rule, message)
