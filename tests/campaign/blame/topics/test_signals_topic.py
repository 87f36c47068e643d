"""Signals: a library that is right breaks nothing, and each fault is blamed on its own clause."""

from __future__ import annotations

import pytest

from tests.library.suite.fake_results import Put, Results

RIGHT = {"PASS"}


def verdicts(results: Results) -> dict[str, set[str]]:
    """Return the verdicts by the clause that they are about."""
    found: dict[str, set[str]] = {}
    for result in (r for several in results.values() for r in several):
        found.setdefault(result.clause, set()).add(result.verdict)
    return found


#: One function of each family, with the clauses that are tried.
SAMPLE = (
    "hsa_signal_create/initial-value",
    "hsa_signal_create/distinct",
    "hsa_signal_create/consumers-copied",
    "hsa_signal_load_acquire/value",
    "hsa_signal_load_acquire/sees-store",
    "hsa_signal_silent_store_relaxed/value",
    "hsa_signal_store_release/wakes",
    "hsa_signal_exchange_relaxed/value",
    "hsa_signal_exchange_relaxed/returns-previous",
    "hsa_signal_exchange_relaxed/atomic",
    "hsa_signal_cas_acquire/sets-when-expected",
    "hsa_signal_cas_acquire/keeps-otherwise",
    "hsa_signal_cas_acquire/returns-previous",
    "hsa_signal_cas_acquire/wakes",
    "hsa_signal_add_relaxed/atomic",
    "hsa_signal_subtract_release/atomic",
    "hsa_signal_subtract_release/wraps",
    "hsa_signal_and_screlease/atomic",
    "hsa_signal_or_acq_rel/atomic",
    "hsa_signal_xor_scacquire/atomic",
    "hsa_signal_xor_scacquire/wakes",
    "hsa_signal_wait_relaxed/returns-meeting-value",
    "hsa_signal_wait_relaxed/returns-at-once",
    "hsa_signal_wait_relaxed/timeout",
)


def test_signals_that_are_right_break_nothing(put: Put) -> None:
    """Every clause of the sample passes."""
    assert dict.fromkeys(SAMPLE, RIGHT) == verdicts(put("signals", *SAMPLE))


@pytest.mark.parametrize(
    ("fault", "clause"),
    [
        ({"FAKE_TWO_STEPS": 1}, "hsa_signal_exchange_relaxed/atomic"),
        ({"FAKE_TWO_STEPS": 1}, "hsa_signal_add_relaxed/atomic"),
        ({"FAKE_TWO_STEPS": 1}, "hsa_signal_and_screlease/atomic"),
        ({"FAKE_HALVES": 1}, "hsa_signal_load_acquire/sees-store"),
        ({"FAKE_RETURNS_NEW": 1}, "hsa_signal_exchange_relaxed/returns-previous"),
    ],
    ids=str,
)
def test_a_fault_fails_its_clause(put: Put, fault: dict[str, object], clause: str) -> None:
    """The other clauses of the functions are not broken by it, and the blame is the clause's."""
    found = verdicts(put("signals", clause, "hsa_signal_create/initial-value", **fault))
    blamed = found.pop(clause)
    # What takes two threads may also show in too few of the repetitions; and where every operation
    # is wrong, none is wrong beside others.
    assert "FAIL" in blamed <= {"FAIL", "FLAKY"} | RIGHT
    assert {"hsa_signal_create/initial-value": RIGHT} == found


def test_of_two_operations_the_one_that_loses_changes_is_blamed(put: Put) -> None:
    """One that is atomic beside itself alone is named, and no other that it was called beside."""
    wrong = [f"hsa_signal_xor_{order}/atomic" for order in ("scacquire", "relaxed")]
    right = [
        f"hsa_signal_{operation}_{order}/atomic"
        for operation in ("add", "subtract", "and", "or")
        for order in ("relaxed", "acq_rel")
    ]
    found = verdicts(put("signals", *wrong, *right, FAKE_LOCKED="FAKE_XOR"))
    assert dict.fromkeys(right, RIGHT) == {clause: found[clause] for clause in right}
    assert all(found[clause] <= {"FAIL", "FLAKY"} | RIGHT for clause in wrong)
    assert any("FAIL" in found[clause] for clause in wrong)


def test_a_change_that_wakes_nobody_is_a_hang(put: Put) -> None:
    """The wait that does not end is named, and the change is blamed; other changes wake."""
    clause, other = "hsa_signal_cas_acquire/wakes", "hsa_signal_exchange_relaxed/wakes"
    results = put("signals", clause, other, budget=0.5, FAKE_SLEEPS_ON="FAKE_CAS")
    assert {clause: {"HANG"}, other: RIGHT} == verdicts(results)
    [result] = results[clause]
    assert "in hsa_signal_wait_" in (result.reason or "")


def test_conditions_compare_with_a_sign(put: Put) -> None:
    """A library that ignores the sign ends waits that should go on, or lets them go on."""
    clause = "hsa_signal_wait_relaxed/returns-meeting-value"
    results = put("signals", clause, budget=0.5, FAKE_UNSIGNED=1)
    assert "HANG" in verdicts(results)[clause]


def test_a_load_that_dies_is_a_crash_of_its_clause(put: Put) -> None:
    """The process that served is not used again."""
    clause = "hsa_signal_load_acquire/value"
    assert {clause: {"CRASH"}} == verdicts(put("signals", clause, FAKE_CRASHES=1))
