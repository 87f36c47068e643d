"""What becomes of a process that ended: the clauses of the call that died decide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hsa_adapters import Ended
from hsa_adapters.calls import Call
from hsa_conformance.engine.judging.deaths import called, finding_of_end
from hsa_conformance.engine.judging.judge import Expectation, Judge
from hsa_conformance.engine.session.session import Session
from hsa_spec import Clause, Kind, Registry, Strength
from hsa_spec.model import Reading

FREE = "hsa_amd_vmem_address_free"
ASSERTION = "lib: file.cpp:12: void f(): Assertion `n < size' failed."


def ended(function: str | None = FREE, *args: int, kind: str = "CRASH", stderr: str = "") -> Ended:
    call = None if function is None else Call(function, args)
    return Ended(kind, call, "SIGABRT" if stderr else "SIGSEGV", stderr)


@pytest.fixture(scope="module")
def must(registry: Registry) -> Clause:
    clause = registry.clauses[f"{FREE}/in-use"]
    assert Strength.MUST is clause.strength
    return clause


def of(must: Clause, strength: Strength) -> Clause:
    return replace(must, id=f"{FREE}/{strength}", strength=strength)


def contested(must: Clause) -> Clause:
    reading = Reading(must.source, must.status)
    return replace(must, id=f"{FREE}/contested", contested=(reading, reading))


@pytest.mark.parametrize(("kind", "verdict"), [("CRASH", "CRASH"), ("HANG", "HANG")])
def test_a_must_has_to_be_survived(must: Clause, kind: str, verdict: str) -> None:
    should = of(must, Strength.SHOULD)
    found = finding_of_end(ended(kind=kind), should, [must, should], [])
    assert (verdict, should.id, kind) == (found.verdict, found.clause, found.ended)


@pytest.mark.parametrize(
    ("kind", "detail", "summary"),
    [
        ("CRASH", "SIGSEGV", f"the process ended after {FREE} had returned: SIGSEGV"),
        ("EXIT", "exit status 3", f"the process ended after {FREE} had returned: exit status 3"),
        (
            "EXIT",
            "its system calls are filtered",
            f"the process could not continue after {FREE} had returned: "
            "its system calls are filtered",
        ),
    ],
)
def test_a_process_that_is_spoilt_has_not_ended(
    must: Clause, kind: str, detail: str, summary: str
) -> None:
    end = Ended(kind, Call(FREE, ()), detail, returned=True)
    assert summary == finding_of_end(end, must, [must], []).summary


@pytest.mark.parametrize("kind", ["CRASH", "HANG"])
@pytest.mark.parametrize("strength", [Strength.SHOULD, Strength.MAY, Strength.OBSERVED])
def test_a_death_that_no_must_forbids_is_fragile(
    must: Clause, strength: Strength, kind: str
) -> None:
    weak = of(must, strength)
    assert ("FRAGILE", weak.id) == (
        (v := finding_of_end(ended(kind=kind), must, [weak], [])).verdict,
        v.clause,
    )


def test_a_contested_must_is_weaker_than_one_that_is_not(must: Clause) -> None:
    """Dying is never one of the readings, and no single text states what is right."""
    alone = finding_of_end(ended(), contested(must), [contested(must)], [])
    beside = finding_of_end(ended(), contested(must), [contested(must), must], [])
    assert ("FRAGILE", "CRASH") == (alone.verdict, beside.verdict)


def test_where_the_text_leaves_a_call_undefined_a_death_is_fragile(must: Clause) -> None:
    undefined = of(must, Strength.UNDEFINED)
    assert "FRAGILE" == finding_of_end(ended(), must, [must, undefined], []).verdict


def test_a_call_that_no_clause_speaks_of_is_fragile(must: Clause) -> None:
    found = finding_of_end(ended(), must, [], [])
    assert ("FRAGILE", must.id) == (found.verdict, found.clause)


def test_the_effect_under_test_is_blamed_if_it_is_as_strong(must: Clause) -> None:
    """A property's last call may die of what the call before it did."""
    effect = replace(must, id="other/effect", kind=Kind.EFFECT)
    weak = replace(effect, strength=Strength.SHOULD)
    assert effect.id == finding_of_end(ended(), effect, [must], [effect]).clause
    assert must.id == finding_of_end(ended(), weak, [must], [weak]).clause


def test_a_failed_assertion_is_marked(must: Clause) -> None:
    """Builds without assertions may answer."""
    found = finding_of_end(ended(stderr=ASSERTION), must, [must], [])
    assert "CRASH (SIGABRT, by a failed assertion)" == found.got
    assert "SIGABRT, by a failed assertion" == found.detail
    assert "CRASH (SIGABRT)" == finding_of_end(ended(stderr="out of memory"), must, [must], []).got


def test_all_that_the_clauses_ask_for_is_allowed(must: Clause) -> None:
    effect = replace(must, id=f"{FREE}/effect", status=(), states="It comes back.")
    found = finding_of_end(ended(), must, [must, effect], [])
    assert {must.status[0]: [must.id], "It comes back.": [effect.id]} == found.allowed


# what holds for the call


@pytest.fixture(scope="module")
def judge(registry: Registry) -> Judge:
    return Judge(registry, lambda _: True)


def test_the_call_that_died_is_looked_up(
    judge: Judge, registry: Registry, session: Session
) -> None:
    """Its own arguments decide, whatever clause was under test."""
    target = registry.clauses["hsa_init/success"]
    args = {"preparing": False}
    found = judge.death(ended(FREE, 0, 0), target, None, session.model, **args)
    expected = judge.expect(registry.functions[FREE], session.model, [0, 0]).holding
    assert found.clause == expected[0].id


def test_what_was_expected_of_the_call_counts(
    judge: Judge, registry: Registry, session: Session
) -> None:
    """It was found out while the process lived."""
    function = registry.functions[FREE]
    expected = judge.expect(function, session.model, [0, 0])
    target = registry.clauses[f"{FREE}/size-zero"]
    found = judge.death(ended(FREE, 1, 1), target, expected, session.model, preparing=False)
    assert target.id == found.clause


def test_between_calls_the_clause_under_test_decides(
    judge: Judge, registry: Registry, session: Session
) -> None:
    target = registry.clauses["hsa_init/success"]
    found = judge.death(ended(None), target, None, session.model, preparing=False)
    assert ("CRASH", target.id) == (found.verdict, found.clause)


def test_between_calls_what_the_call_under_test_began_is_to_blame(
    judge: Judge, registry: Registry, session: Session
) -> None:
    """A near miss of a firm clause that ends its process later is no death of that clause."""
    function = registry.functions["hsa_amd_svm_prefetch_async"]
    wrong = (registry.clauses[f"{function.name}/agent-unknown-handle"],)
    target = registry.clauses[f"{function.name}/no-completion-signal"]
    expected = Expectation(wrong, function.name)
    found = judge.death(ended(None), target, expected, session.model, preparing=False)
    assert ("FRAGILE", wrong[0].id) == (found.verdict, found.clause)


@pytest.mark.parametrize("preparing", [False, True])
def test_a_function_without_a_status_has_to_come_back_by_its_effects(
    judge: Judge, registry: Registry, session: Session, preparing: bool
) -> None:
    """No status clause speaks of it: the property's own clause does, or in set-up all effects."""
    function = registry.functions["hsa_signal_wait_relaxed"]
    target = registry.clauses["hsa_signal_cas_acquire/wakes"]
    end = ended(function.name, 0, 0, 0, 0, 0, kind="HANG")
    found = judge.death(
        end, target, Expectation((), function.name), session.model, preparing=preparing
    )
    assert "HANG" == found.verdict
    assert function.name == found.clause.split("/")[0] if preparing else target.id == found.clause


def test_a_function_reached_through_a_table_is_known_by_its_name_in_c() -> None:
    end = ended()
    end.between = ["hsa_init", "rocr::hsa_ven_amd_loader_iterate_executables(int (*)(void*))", None]
    assert ["hsa_init", "hsa_ven_amd_loader_iterate_executables"] == called(end)
