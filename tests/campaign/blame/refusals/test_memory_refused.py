"""Clauses about resources that run out, on libraries that are refused memory, with no imitation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.checks.refusals.programs import IN_PROGRAMS
from hsa_conformance.engine.running.runner import Settings
from hsa_reports import Result
from hsa_reports.actions import Refuse
from hsa_reports.demands import KeepsNothing
from hsa_spec import Registry
from tests.wrong.inside import results

CREATE = "hsa_signal_create/out-of-resources"
LAST = "refused=memory last ENOMEM"

#: The mistakes of the fake, by number.
NONE, UNCHECKED, KEEPS, EMPTY, ODD, SPOILT, SHIFTS = range(7)

Judged = Callable[..., Mapping[str | None, Result]]


@pytest.fixture
def judged(registry: Registry, fake: Callable[..., Path]) -> Judged:
    """Return a function that judges a library which takes two blocks for each signal."""

    def judged(
        mistake: int = NONE, clause: str = CREATE, profile: str = "quick"
    ) -> Mapping[str | None, Result]:
        adapter = LibraryAdapter(fake("signals", FAKE_SHORT=mistake), registry)
        found = results(adapter, registry, clause, settings=Settings(profile=profile))
        return {result.value: result for result in found if result.check != IN_PROGRAMS}

    return judged


def tried(result: Result) -> Sequence[str]:
    return sorted(value.value for value in result.values if value.outcome == "judged")


def test_a_library_that_copes_passes(judged: Judged) -> None:
    """Its first request is refused, and its last one."""
    [result] = judged().values()
    assert "PASS" == result.verdict
    assert ["memory first ENOMEM", "memory last ENOMEM"] == tried(result)


def test_the_full_profile_refuses_all_later_requests_as_well(judged: Judged) -> None:
    """A library may ask again."""
    [result] = judged(profile="full").values()
    assert "PASS" == result.verdict
    assert [
        "memory first ENOMEM",
        "memory first and later ENOMEM",
        "memory last ENOMEM",
        "memory last and later ENOMEM",
    ] == sorted(tried(result), key=lambda value: (value.split()[1], "later" in value))


@pytest.mark.parametrize(
    ("mistake", "verdict", "reason"),
    [
        (UNCHECKED, "CRASH", "the process ended in hsa_signal_create: SIGSEGV"),
        (EMPTY, "FAIL", "answered SUCCESS although memory was refused, and did not write signal"),
        (ODD, "FAIL", "answered HSA_STATUS_ERROR_NOT_INITIALIZED, which the function does not"),
        (KEEPS, "WARN", "each call that met a refusal of memory leaves 30"),
        (SPOILT, "WARN", "after a call that a refusal of memory made fail, the same call fails"),
        (SHIFTS, "WARN", "after a call of hsa_signal_create that met a refusal of memory, "),
    ],
)
def test_a_mistake_is_blamed(judged: Judged, mistake: int, verdict: str, reason: str) -> None:
    """The answer is as grave as the clause; what it costs behind it is no more than a warning."""
    [*_, found] = judged(mistake).values()
    assert verdict == found.verdict
    assert reason in str(found.reason)


def test_a_failure_says_what_was_refused_and_what_came_next(judged: Judged) -> None:
    """The step of the refusal has the request of the library, with its place, and the next ones."""
    [*_, found] = judged(ODD).values()
    assert found.failure is not None
    [told] = [s.result for s in found.failure.steps if isinstance(s.action, Refuse)]
    request = r"(malloc|calloc|realloc) of \d+ bytes at lib\S+\+0x[0-9a-f]+"
    assert re.fullmatch(
        rf"in the next step: {request}; next (nothing|{request}(, {request})*)", told
    )


def test_a_program_repeats_the_second_round(judged: Judged) -> None:
    """The first one may go another way, and is made once."""
    [*_, found] = judged(KEEPS).values()
    assert found.failure is not None
    steps, demand = found.failure.steps, found.failure.demand
    assert isinstance(demand, KeepsNothing)
    first, second = (i for i, step in enumerate(steps) if isinstance(step.action, Refuse))
    assert first < len(steps) - demand.steps <= second


def test_a_function_that_asks_for_no_memory_is_not_judged(judged: Judged) -> None:
    """That is said, and never a PASS."""
    [result] = judged(clause="hsa_amd_vmem_set_access/out-of-memory").values()
    reason = "hsa_amd_vmem_set_access asks for no memory, in 8 valid calls"
    assert "UNTESTED" == result.verdict
    assert str(result.reason).startswith(reason)
