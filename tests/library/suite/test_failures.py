"""The checks of what failed calls leave behind."""

from __future__ import annotations

from hsa_conformance.engine.checks.case import Form
from hsa_conformance.engine.checks.effects.failed_calls import failure_check
from hsa_conformance.engine.running.choice.cases import Cases
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry


def test_all_functions_but_hsa_init_fail_in_a_runtime_that_is_initialised(
    registry: Registry,
) -> None:
    """An extension that a function needs is no reason to call it before hsa_init."""
    cases = Cases(registry, TOPICS)
    before = {
        case.function.name
        for case in map(cases.of, registry.clauses.values())
        if case.form is Form.FAILED_CALLS and not failure_check(case, TOPICS.repertoire).initialised
    }
    assert {"hsa_init"} == before
