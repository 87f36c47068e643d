"""The checks of what failed calls leave behind."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.failed_calls import SLUG, failure_check
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry


def test_all_functions_but_hsa_init_fail_in_a_runtime_that_is_initialised(
    registry: Registry,
) -> None:
    """An extension that a function needs is no reason to call it before hsa_init."""
    before = {
        clause.function
        for clause in registry.clauses.values()
        if clause.slug == SLUG
        and not failure_check(clause, registry, TOPICS.repertoire).initialised
    }
    assert {"hsa_init"} == before
