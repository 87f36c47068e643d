"""The judge: what is allowed, who is blamed, and with which verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.calls.values import PATTERN, Answer
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Expectation, Judge
from hsa_spec import Clause, Registry, Release, Strength

FREE = "hsa_amd_vmem_address_free"
RESERVE = "hsa_amd_vmem_address_reserve"


@pytest.fixture(scope="module")
def judge(registry: Registry) -> Judge:
    return Judge(registry, lambda _: True)


def answer(registry: Registry, status: str, function: str = FREE, **outputs: bytes) -> Answer:
    subject = registry.functions[function]
    return Answer(subject, registry.status(status), status, outputs, {}, (), {})


def expecting(registry: Registry, *slugs: str, **changes: object) -> Expectation:
    clauses = (registry.functions[FREE].clause(slug) for slug in slugs)
    return Expectation(tuple(replace(c, **changes) for c in clauses))  # type: ignore[arg-type]


def clause(registry: Registry, slug: str) -> Clause:
    return registry.functions[FREE].clause(slug)


def violation(judge: Judge, target: Clause, got: Answer, expected: Expectation) -> Violation:
    with pytest.raises(Violation) as caught:
        judge.check(target, got, expected)
    return caught.value


def test_allowed_statuses_of_all_clauses_that_hold(registry: Registry) -> None:
    """When several clauses hold, the status of any of them is right."""
    expected = expecting(registry, "not-reserved", "size-zero")
    assert {
        "HSA_STATUS_ERROR_INVALID_ALLOCATION": [f"{FREE}/not-reserved"],
        "HSA_STATUS_ERROR_INVALID_ARGUMENT": [f"{FREE}/size-zero"],
    } == expected.allowed


@pytest.mark.parametrize(
    "status", ["HSA_STATUS_ERROR_INVALID_ALLOCATION", "HSA_STATUS_ERROR_INVALID_ARGUMENT"]
)
def test_any_allowed_status_passes(judge: Judge, registry: Registry, status: str) -> None:
    """The judge has nothing to say about an allowed answer."""
    expected = expecting(registry, "not-reserved", "size-zero")
    judge.check(clause(registry, "size-zero"), answer(registry, status), expected)


@pytest.mark.parametrize(
    ("strength", "status", "verdict"),
    [
        (Strength.MUST, "HSA_STATUS_SUCCESS", "FAIL"),
        (Strength.SHOULD, "HSA_STATUS_SUCCESS", "WARN"),
        (Strength.MAY, "HSA_STATUS_SUCCESS", "WARN"),
        (Strength.MUST, "HSA_STATUS_ERROR_RESOURCE_FREE", "FAIL"),
        (Strength.SHOULD, "HSA_STATUS_ERROR_RESOURCE_FREE", "WARN"),
        (Strength.MUST, "HSA_STATUS_ERROR_INVALID_AGENT", "FAIL"),
        (Strength.SHOULD, "HSA_STATUS_ERROR_INVALID_AGENT", "WARN"),
        (Strength.MAY, "HSA_STATUS_ERROR_INVALID_AGENT", "WARN"),
    ],
)
def test_verdict_follows_the_strength(
    judge: Judge, registry: Registry, strength: Strength, status: str, verdict: str
) -> None:
    """Broken `must` is FAIL, broken `should` WARN, whether or not the list has the wrong status."""
    expected = expecting(registry, "size-differs", strength=strength)
    [target] = expected.holding
    found = violation(judge, target, answer(registry, status), expected)
    assert (verdict, status, target.id) == (found.verdict, found.got, found.clause)


@pytest.mark.parametrize(
    ("strength", "verdict"),
    [("must", "WARN"), ("should", "WARN"), ("may", "WARN"), ("observed", "UNTESTED")],
)
def test_no_text_forbids_what_a_refusal_costs_later(
    registry: Registry, strength: str, verdict: str
) -> None:
    """What a refused request costs after its call is a warning, however strong the clause."""
    broken = replace(clause(registry, "size-zero"), strength=Strength(strength))
    assert verdict == breach(broken, "a later call fails", "an error", {}, stated=False).verdict


def test_undocumented_error_for_valid_input_fails(judge: Judge, registry: Registry) -> None:
    """Valid input must succeed, whatever error comes instead."""
    expected = expecting(registry, "success")
    got = answer(registry, "HSA_STATUS_ERROR_INVALID_AGENT")
    assert "FAIL" == violation(judge, expected.holding[0], got, expected).verdict


@pytest.mark.parametrize("strength", [Strength.UNDEFINED, Strength.OBSERVED])
def test_nothing_is_judged_where_nothing_is_said(
    judge: Judge, registry: Registry, strength: Strength
) -> None:
    """Where the text leaves the input undefined, or only observes, any answer passes."""
    expected = expecting(registry, "size-differs", strength=strength)
    judge.check(expected.holding[0], answer(registry, "HSA_STATUS_SUCCESS"), expected)


def test_what_one_library_does_excuses_nobody(judge: Judge, registry: Registry) -> None:
    """What is only observed adds nothing to what the text allows, and is never blamed."""
    observed = expecting(registry, "not-reserved", strength=Strength.OBSERVED).holding
    expected = Expectation((*expecting(registry, "size-zero").holding, *observed))
    got = answer(registry, "HSA_STATUS_ERROR_INVALID_ALLOCATION")

    found = violation(judge, observed[0], got, expected)

    assert f"{FREE}/size-zero" == found.clause
    assert {"HSA_STATUS_ERROR_INVALID_ARGUMENT": [f"{FREE}/size-zero"]} == found.allowed


def test_a_success_that_is_only_observed_has_its_effects(judge: Judge, registry: Registry) -> None:
    """No status is wrong there, and an output that a success leaves unwritten is."""
    function = registry.functions[RESERVE]
    assert function.success is not None
    expected = Expectation((replace(function.success, strength=Strength.OBSERVED),))
    unwritten = {"va": bytes([PATTERN] * 8)}

    refused = answer(registry, "HSA_STATUS_ERROR", RESERVE, **unwritten)
    judge.check(function.success, refused, expected)
    got = answer(registry, "HSA_STATUS_SUCCESS", RESERVE, **unwritten)
    found = violation(judge, function.success, got, expected)

    assert (f"{RESERVE}/success", "answered SUCCESS and did not write va") == (
        found.clause,
        found.summary,
    )


def test_a_success_of_a_release_that_is_not_known_has_its_effects(
    judge: Judge, registry: Registry
) -> None:
    """What may be in force binds no status; what is undefined has no effects either."""
    success = registry.functions[RESERVE].clause("success")
    nothing = answer(registry, "HSA_STATUS_SUCCESS", RESERVE, va=bytes([PATTERN] * 8))
    perhaps = Expectation((success,), RESERVE, (success,))
    assert perhaps.open
    found = violation(judge, success, nothing, perhaps)
    assert (success.id, "FAIL") == (found.clause, found.verdict)
    judge.check(success, nothing, Expectation((replace(success, strength=Strength.UNDEFINED),)))


def test_undefined_outweighs_what_is_defined(registry: Registry) -> None:
    """One undefined condition opens the input for every answer."""
    undefined = expecting(registry, "size-zero", strength=Strength.UNDEFINED).holding
    assert Expectation((*expecting(registry, "not-reserved").holding, *undefined)).open
    assert Expectation(()).open


def test_target_is_blamed_when_it_holds(judge: Judge, registry: Registry) -> None:
    """Of two clauses that hold, the one under test is blamed."""
    expected = expecting(registry, "size-differs", "in-use")
    got = answer(registry, "HSA_STATUS_SUCCESS")
    found = violation(judge, clause(registry, "in-use"), got, expected)
    assert f"{FREE}/in-use" == found.clause
    assert set(expected.allowed) == set(found.allowed)


def test_near_miss_blames_the_clause_that_holds(judge: Judge, registry: Registry) -> None:
    """An input that misses the clause under test blames the strongest one that holds."""
    expected = expecting(registry, "in-use")
    got = answer(registry, "HSA_STATUS_SUCCESS")
    found = violation(judge, clause(registry, "success"), got, expected)
    assert f"{FREE}/in-use" == found.clause
    assert f"just misses {FREE}/success" in found.summary


def test_success_must_write_its_outputs(judge: Judge, registry: Registry) -> None:
    """SUCCESS with an untouched output breaks the success clause."""
    success = registry.functions[RESERVE].clause("success")
    untouched = answer(registry, "HSA_STATUS_SUCCESS", RESERVE, va=bytes([PATTERN]) * 8)
    found = violation(judge, success, untouched, Expectation((success,)))
    assert ("FAIL", "answered SUCCESS and did not write va") == (found.verdict, found.summary)


def test_clauses_out_of_force_are_not_expected(registry: Registry, session: object) -> None:
    """What does not belong to the release says nothing about a call."""
    function = registry.functions[FREE]
    model = session.model  # type: ignore[attr-defined]
    inside = Judge(registry, lambda _: True).expect(function, model, [0, 0])
    outside = Judge(registry, lambda _: False).expect(function, model, [0, 0])
    assert f"{FREE}/size-zero" in {c.id for c in inside.holding}
    assert () == outside.holding


@pytest.mark.parametrize(
    ("release", "attribute", "expected"),
    [
        ("7.2.4", 515, {"hsa_system_get_info/success"}),
        ("5.2.3", 515, set()),
        (None, 515, set()),
        ("5.2.3", 0x7FFFFFF0, {"hsa_system_get_info/attribute-unknown"}),
    ],
)
def test_nothing_is_said_of_a_value_of_another_release(
    registry: Registry, session: object, release: str | None, attribute: int, expected: set[str]
) -> None:
    """An enumerator that came later is not known, and is not known to be refused either."""
    function = registry.functions["hsa_system_get_info"]
    judge = Judge(registry, lambda _: True, Release.parse(release))
    model = session.model  # type: ignore[attr-defined]
    assert expected == {c.id for c in judge.expect(function, model, [attribute, 0x1000]).holding}


def test_strongest_clause_comes_first(judge: Judge, registry: Registry, session: object) -> None:
    """The clauses that hold are sorted by strength, so that the strongest is blamed."""
    model = session.model  # type: ignore[attr-defined]
    holding = judge.expect(registry.functions[FREE], model, [0, 0]).holding
    order = [Strength.MUST, Strength.SHOULD, Strength.MAY, Strength.OBSERVED]
    ranks = [order.index(c.strength) for c in holding]
    assert sorted(ranks) == ranks
