"""What the reference does with each clause: every clause has one place, and a wrong one shows."""

from __future__ import annotations

from dataclasses import replace

from hsa_adapters import InProcessAdapter
from hsa_conformance.coverage.modelled import Row, modelled, why_not_modelled
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reference import NOT_MODELLED, Runtime, implemented
from hsa_spec import Registry


def rows(topics: set[str], registry: Registry, followed: Registry | None = None) -> list[Row]:
    """Return the rows of some topics, of a reference that follows another registry perhaps."""
    adapter = InProcessAdapter(
        "reference", lambda: Runtime(registry=followed or registry).functions(), registry
    )
    runner = Runner(adapter, registry, TOPICS, Settings())
    clauses = [
        clause
        for clause in registry.clauses.values()
        if registry.functions[clause.function].topic in topics
    ]
    try:
        return modelled(clauses, runner)
    finally:
        runner.close()


def test_every_clause_passes_or_has_a_reason(registry: Registry) -> None:
    for row in rows({"core/init", "counters/counters"}, registry):
        placed = (row.passing, *row.untried.values(), *row.unmodelled.values())
        assert {} == row.against
        assert row.clauses == sum(placed)


def test_a_clause_that_the_reference_breaks_is_named(registry: Registry) -> None:
    clause = registry.clauses["hsa_status_string/string-null"]
    function = registry.functions[clause.function]
    broken = replace(clause, status=("HSA_STATUS_ERROR",))
    clauses = tuple(broken if c.id == clause.id else c for c in function.clauses)
    functions = {**registry.functions, function.name: replace(function, clauses=clauses)}
    [row] = rows({"core/status"}, registry, replace(registry, functions=functions))

    assert clause.id in {line.partition(":")[0] for line in row.against}


def test_the_reference_has_each_function_or_says_why_not(registry: Registry) -> None:
    lacking = registry.functions.keys() - implemented(registry).functions.keys()
    assert set() == {name for name in lacking if why_not_modelled(name, registry) is None}


def test_what_is_said_not_to_be_modelled_is_not(registry: Registry) -> None:
    written = {f.topic for f in implemented(registry).functions.values()}
    topics = {f.topic for f in registry.functions.values()}
    assert set() == NOT_MODELLED.keys() & written
    assert set() == NOT_MODELLED.keys() - topics
