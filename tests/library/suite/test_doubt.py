"""Clauses of one rule, before and after a version, where nobody knows the version."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.judging.judge import Expectation
from hsa_conformance.engine.judging.unknown_version import either
from hsa_reports import Result, Verdict
from hsa_spec import Clause, Registry, Strength
from hsa_spec.model import Versions
from tests.wrong.clauses import with_clause
from tests.wrong.inside import by_clause

FREE = "hsa_amd_vmem_address_free"
SIZE_ZERO, LATER = f"{FREE}/size-zero", f"{FREE}/size-zero-later"
KEPT, BEFORE = "hsa_amd_vmem_set_access/others-kept", "hsa_amd_vmem_set_access/others-before"
ARGUMENT = "HSA_STATUS_ERROR_INVALID_ARGUMENT"
ALLOCATION = "HSA_STATUS_ERROR_INVALID_ALLOCATION"
BUSY = "HSA_STATUS_ERROR_RESOURCE_FREE"
#: A release that nobody can tell a library of today from.
BOUND = "99"


def with_pair(registry: Registry, *, before: str, after: tuple[str, ...]) -> Registry:
    """Return a registry in which the status for a size of zero changed in a release."""
    function = registry.functions[FREE]
    clause = function.clause("size-zero")
    pair = (
        replace(clause, status=(before,), versions=Versions(until_rocm=BOUND)),
        replace(clause, id=LATER, status=after, versions=Versions(rocm=BOUND)),
    )
    other = ("size-zero", "size-differs", "not-reserved")
    clauses = tuple(c for c in function.clauses if c.slug not in other)
    changed = replace(function, clauses=(*pair, *clauses))
    return replace(registry, functions={**registry.functions, FREE: changed})


def run(registry: Registry, changed: Registry, *ids: str) -> dict[str, list[Result]]:
    """Judge the reference, which has no release of ROCm, by a changed registry."""
    adapter = subjects.reference(None, registry)
    return by_clause(adapter, changed, [changed.clauses[name] for name in ids])


@pytest.mark.parametrize(
    ("before", "after", "verdicts"),
    [
        (ARGUMENT, (ALLOCATION,), ["UNTESTED", "UNTESTED"]),
        (ALLOCATION, (ARGUMENT,), ["UNTESTED", "UNTESTED"]),
        (ALLOCATION, (BUSY,), ["WARN", "WARN"]),
        (ARGUMENT, (ARGUMENT, ALLOCATION), ["UNTESTED", "PASS"]),
    ],
)
def test_a_pair_is_judged_by_what_both_allow(
    registry: Registry, before: str, after: tuple[str, ...], verdicts: list[str]
) -> None:
    """What neither allows is wrong; what one alone allows is not praised."""
    found = run(registry, with_pair(registry, before=before, after=after), SIZE_ZERO, LATER)
    assert verdicts == [found[clause][0].verdict for clause in (SIZE_ZERO, LATER)]


def test_the_reason_names_the_other_clause_and_both_bounds(registry: Registry) -> None:
    """A reader sees what would decide."""
    changed = with_pair(registry, before=ARGUMENT, after=(ALLOCATION,))
    [result, *_] = run(registry, changed, SIZE_ZERO)[SIZE_ZERO]
    assert (
        "the version is unknown: what is done is right by this clause (before ROCm 99) or by "
        f"{LATER} (since ROCm 99), and may be wrong by the one in force"
    ) == result.reason


def test_what_nothing_follows_is_not_applicable(registry: Registry) -> None:
    """A clause that may have ended, with nothing in its place, binds nobody."""
    clause = replace(registry.clauses[SIZE_ZERO], versions=Versions(until_rocm=BOUND))
    changed = with_clause(registry, clause)
    assert "NOT_APPLICABLE" == run(registry, changed, SIZE_ZERO)[SIZE_ZERO][0].verdict


def clause(registry: Registry, strength: Strength, *, later: bool) -> Clause:
    versions = Versions(rocm=BOUND) if later else Versions(until_rocm=BOUND)
    slug, status = ("later", ALLOCATION) if later else ("before", ARGUMENT)
    return replace(
        registry.clauses[SIZE_ZERO],
        id=f"{FREE}/{slug}",
        status=(status,),
        strength=strength,
        versions=versions,
    )


def test_a_pair_is_as_weak_as_its_weaker_half(registry: Registry) -> None:
    """Nobody knows whether it was the stronger one that a wrong answer breaks."""
    before = clause(registry, Strength.MUST, later=False)
    after = clause(registry, Strength.SHOULD, later=True)
    expected = Expectation((before, after), FREE, (before, after))
    assert [after] == list(expected.sure)
    assert not expected.open


def test_one_half_alone_judges_nothing(registry: Registry) -> None:
    """Of other versions no clause speaks of the input: any answer may be right."""
    before = clause(registry, Strength.MUST, later=False)
    assert Expectation((before,), FREE, (before,)).open
    assert not Expectation((before,), FREE).open


def test_what_is_in_force_for_sure_is_blamed(registry: Registry) -> None:
    """Not the clause under test, which may not be in force."""
    before = clause(registry, Strength.MUST, later=False)
    certain = replace(registry.clauses[f"{FREE}/in-use"], strength=Strength.SHOULD)
    expected = Expectation((before, certain), FREE, (before,))
    assert {ARGUMENT, *certain.status} == set(expected.allowed)
    assert [certain] == list(expected.sure)


@pytest.mark.parametrize(
    ("own", "other", "verdict"),
    [
        ("PASS", "PASS", "PASS"),
        ("PASS", "FAIL", "UNTESTED"),
        ("FAIL", "PASS", "UNTESTED"),
        ("FAIL", "FAIL", "FAIL"),
        ("FAIL", "WARN", "WARN"),
        ("PASS", "VACUOUS", "UNTESTED"),
        ("FAIL", "VACUOUS", "UNTESTED"),
        ("BLOCKED", "PASS", "BLOCKED"),
        ("CRASH", "PASS", "CRASH"),
    ],
)
def test_an_effect_of_either_version(
    registry: Registry, own: str, other: str, verdict: str
) -> None:
    """An effect holds where both do, and is broken where both are, as weakly as the weaker."""
    clause, instead = registry.clauses[BEFORE], registry.clauses[KEPT]
    results = [Result(BEFORE, "property", Verdict(own))]

    def judge(other_clause: Clause) -> list[Result]:
        return [Result(other_clause.id, "property", Verdict(other))]

    found = either(clause, results, [instead], judge)
    assert [verdict] == [r.verdict for r in found]


def test_what_could_not_be_held_against_the_other_version_is_not_called_right(
    registry: Registry,
) -> None:
    """The reason says what was seen: it is wrong by the one, and nobody knows by the other."""
    clause, instead = registry.clauses[BEFORE], registry.clauses[KEPT]
    results = [Result(BEFORE, "property", Verdict.FAIL)]
    judge = {instead: [Result(KEPT, "property", Verdict.VACUOUS)]}
    [found] = either(clause, results, [instead], lambda of: judge[of])
    assert (
        f"the version is unknown: what is done is wrong by this clause ({clause.versions}), and "
        f"could not be held against {KEPT} ({instead.versions}), which may be in force"
    ) == found.reason
