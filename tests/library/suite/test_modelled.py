"""What the reference does with each clause: every clause has one place, and a wrong one shows."""

from __future__ import annotations

from dataclasses import replace

from hsa_conformance.coverage.reference import Row, reference_coverage, why_not_modelled
from hsa_reference import NOT_MODELLED, implemented
from hsa_spec import Registry
from tests.wrong.clauses import enforcing, with_clause
from tests.wrong.inside import running


def rows(topics: set[str], registry: Registry, followed: Registry | None = None) -> list[Row]:
    """Return the rows of some topics, of a reference that follows another registry perhaps."""
    clauses = [
        clause
        for clause in registry.clauses.values()
        if registry.functions[clause.function].topic in topics
    ]
    with running(enforcing(followed or registry, registry), registry) as runner:
        return reference_coverage(clauses, runner)


def test_every_clause_passes_or_has_a_reason(registry: Registry) -> None:
    for row in rows({"core/init", "counters/counters"}, registry):
        placed = (row.passing, *row.untried.values(), *row.unmodelled.values())
        assert {} == row.against
        assert row.clauses == sum(placed)


def test_a_clause_that_the_reference_breaks_is_named(registry: Registry) -> None:
    clause = registry.clauses["hsa_status_string/string-null"]
    broken = replace(clause, status=("HSA_STATUS_ERROR",))
    [row] = rows({"core/status"}, registry, with_clause(registry, broken))

    assert clause.id in {line.partition(":")[0] for line in row.against}


def test_the_reference_has_each_function_or_says_why_not(registry: Registry) -> None:
    lacking = registry.functions.keys() - implemented(registry).functions.keys()
    assert set() == {name for name in lacking if why_not_modelled(name, registry) is None}


def test_what_is_said_not_to_be_modelled_is_not(registry: Registry) -> None:
    written = {f.topic for f in implemented(registry).functions.values()}
    topics = {f.topic for f in registry.functions.values()}
    assert set() == NOT_MODELLED.keys() & written
    assert set() == NOT_MODELLED.keys() - topics
