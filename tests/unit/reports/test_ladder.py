"""How a runtime stands on the levels that it was judged by."""

from __future__ import annotations

import pytest

from hsa_reports import Run
from hsa_reports.ladder import LevelResult, level_results, next_level
from hsa_spec import Registry
from hsa_spec.ladder import Level
from tests.unit.reports.comparison_samples import run_of

#: Clauses of the first two functions of the samples.
FIRST = ("hsa_init/offered", "hsa_init/first-call")
SECOND = ("hsa_shut_down/offered",)


def stand(run: Run, registry: Registry, wanted: set[str]) -> tuple[LevelResult, ...]:
    functions = registry.functions
    levels = [
        Level("one", "It starts.", (functions["hsa_init"],), frozenset(FIRST)),
        Level("two", "It ends.", (functions["hsa_shut_down"],), frozenset(SECOND)),
    ]
    return level_results(run, levels, wanted)


@pytest.mark.parametrize(
    ("verdict", "holds", "applies", "known"),
    [
        ("PASS", True, True, False),
        ("UNTESTED", True, True, False),
        ("XFAIL", True, True, True),
        ("WARN", True, True, False),
        ("FAIL", False, True, False),
        ("BLOCKED", False, True, False),
        ("IMITATED", True, True, False),
        ("VACUOUS", False, True, False),
        ("NOT_RUN", False, True, False),
    ],
)
def test_a_level_holds_unless_a_clause_of_it_is_broken(
    registry: Registry, verdict: str, holds: bool, applies: bool, known: bool
) -> None:
    """What fails or waits for what failed has to be fixed; a known failure is told."""
    first, _ = stand(run_of("PASS", verdict), registry, {"hsa_init"})
    assert (holds, applies, known) == (first.holds, first.applies, first.known)


def test_a_level_without_a_function_that_is_wanted_does_not_hold(registry: Registry) -> None:
    """What is not wanted need not be there."""
    run = run_of("PASS", "PASS")
    missing = "hsa_amd_vmem_get_alloc_properties_from_handle"
    level = Level("one", "It starts.", (registry.functions[missing],), frozenset(FIRST))
    [wanted], [unwanted] = (
        level_results(run, [level], {missing}),
        level_results(run, [level], set()),
    )
    assert ((missing,), False) == (tuple(f.name for f in wanted.missing), wanted.holds)
    assert ((), True) == (unwanted.missing, unwanted.holds)


def test_a_level_with_a_function_that_was_not_judged_does_not_hold(registry: Registry) -> None:
    """No result speaks for nothing; where nothing is wanted, none is needed."""
    run = run_of("PASS")
    [_, wanted], [_, unwanted] = (
        stand(run, registry, {"hsa_shut_down"}),
        stand(run, registry, set()),
    )
    assert ({}, False) == (wanted.verdicts, wanted.holds)
    assert ({}, True) == (unwanted.verdicts, unwanted.holds)


def test_clauses_that_were_not_judged_are_not_broken(registry: Registry) -> None:
    """There is nothing to fix where nothing was tried."""
    first, _ = stand(run_of("FAIL", "NOT_RUN"), registry, {"hsa_init"})
    assert (FIRST[:1], FIRST[1:]) == (first.broken, first.unjudged)


def test_the_next_level_is_the_first_that_does_not_hold(registry: Registry) -> None:
    found = stand(run_of("PASS", "FAIL"), registry, {"hsa_init", "hsa_shut_down"})
    assert found[0] is next_level(found)
    assert None is next_level(stand(run_of("PASS", "PASS"), registry, set()))
