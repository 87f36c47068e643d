"""A library with a changed clause: the reference, which enforces the clauses that it is given."""

from __future__ import annotations

from dataclasses import replace

from hsa_adapters import InProcessAdapter
from hsa_reference import Runtime
from hsa_spec import Clause, Registry


def with_clause(registry: Registry, clause: Clause) -> Registry:
    """Return a registry that has a clause in the place of the one of the same id."""
    function = registry.functions[clause.function]
    clauses = tuple(clause if c.id == clause.id else c for c in function.clauses)
    changed = {function.name: replace(function, clauses=clauses)}
    return replace(registry, functions={**registry.functions, **changed})


def enforcing(followed: Registry, registry: Registry) -> InProcessAdapter:
    """Return a reference that follows one registry and is judged by another."""
    machine = Runtime(registry=registry).machine
    return InProcessAdapter("mutant", lambda: Runtime(machine, followed).functions(), registry)
