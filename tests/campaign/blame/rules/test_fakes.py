"""The suite over libraries with one known fault each: which clause gets which verdict."""

from __future__ import annotations

import time

import pytest

from hsa_reports import AllowedStatus, Failure, Result
from hsa_reports.verdicts import BROKEN
from hsa_spec import Registry
from tests.library.suite.fake_results import Put, Results

RESERVE = "hsa_amd_vmem_address_reserve"
FREE = "hsa_amd_vmem_address_free"
CREATE = "hsa_amd_vmem_handle_create"
MAP = "hsa_amd_vmem_map"
UNMAP = "hsa_amd_vmem_unmap"
EXPORT = "hsa_amd_vmem_export_shareable_handle"

INVALID_ARGUMENT, INVALID_ALLOCATION = 0x1001, 0x1003
INVALID_AGENT, OUT_OF_RESOURCES = 0x1004, 0x1008
RESOURCE_FREE, NOT_INITIALIZED, SUCCESS = 0x100A, 0x100B, 0


def blamed(results: Results) -> dict[str, set[str]]:
    """Return the verdicts that speak against a clause, by the clause that is blamed."""
    found: dict[str, set[str]] = {}
    for result in (r for several in results.values() for r in several):
        if result.verdict in BROKEN:
            found.setdefault(result.clause, set()).add(result.verdict)
    return found


def verdicts(results: Results, clause: str) -> set[str]:
    return {result.verdict for result in results[clause]}


def against(results: Results, clause: str) -> Result:
    """Return the first result that speaks against a clause."""
    return next(
        r for several in results.values() for r in several if r.clause == clause and r.failure
    )


def test_honest_library_is_never_blamed(put: Put) -> None:
    """Over the whole group, an honest library breaks nothing, and nothing of it is blocked."""
    results = put("honest", "vmem")
    assert {} == blamed(results)
    found = {r.verdict for several in results.values() for r in several}
    assert found <= {"PASS", "UNTESTED", "NOT_APPLICABLE", "VACUOUS"}
    assert 200 < sum(r.verdict == "PASS" for several in results.values() for r in several)


@pytest.fixture(scope="module")
def succeeds(put: Put) -> Results:
    return put("succeeds", "init", RESERVE, FREE, f"{CREATE}/not-initialized")


def test_success_for_everything_fails(succeeds: Results) -> None:
    """A library that always answers SUCCESS breaks the clauses that demand an error."""
    found = blamed(succeeds)
    assert {"FAIL"} == found[f"{RESERVE}/size-impossible"]
    for clause in (f"{RESERVE}/va-null", f"{RESERVE}/size-zero"):
        assert {"WARN"} == found[clause], clause


def test_success_for_everything_passes_no_error_clause(
    succeeds: Results, registry: Registry
) -> None:
    """An input that satisfies an error clause passes only where a text leaves it undefined."""
    passed = [
        result.clause
        for several in succeeds.values()
        for result in several
        if result.check == "satisfied" and result.verdict == "PASS"
    ]
    clauses = {c: registry.clauses[c] for c in passed}
    allowed = {c for c, of in clauses.items() if "HSA_STATUS_SUCCESS" in of.status or of.open}
    assert allowed == set(passed)


def test_success_without_its_output_fails(succeeds: Results) -> None:
    """SUCCESS with an output that was never written is a broken success."""
    failure = against(succeeds, f"{RESERVE}/success")
    assert "FAIL" == failure.verdict
    assert "answered SUCCESS and did not write va" == failure.reason


def test_set_up_without_its_output_blocks(succeeds: Results) -> None:
    """What stands on an output that was never written is blocked, not judged."""
    [result] = succeeds[f"{FREE}/success"]
    assert "BLOCKED" == result.verdict
    assert f"{RESERVE}/success: answered HSA_STATUS_SUCCESS and did not write va" == result.reason


@pytest.mark.parametrize(
    ("function", "right", "wrong", "expected"),
    [
        (FREE, RESOURCE_FREE, INVALID_ARGUMENT, {"in-use": "FAIL"}),
        (
            FREE,
            INVALID_ALLOCATION,
            RESOURCE_FREE,
            {
                "not-reserved": "FAIL",
                "gone": "FAIL",
                "va-null": "WARN",
                "inner-address": "WARN",
            },
        ),
        (RESERVE, OUT_OF_RESOURCES, NOT_INITIALIZED, {"size-impossible": "FAIL"}),
        (
            RESERVE,
            INVALID_ARGUMENT,
            OUT_OF_RESOURCES,
            {"va-null": "WARN", "size-zero": "WARN", "size-unaligned": "WARN"},
        ),
        (
            RESERVE,
            INVALID_ARGUMENT,
            SUCCESS,
            {"va-null": "WARN", "size-zero": "WARN", "size-unaligned": "WARN"},
        ),
        (
            RESERVE,
            INVALID_ARGUMENT,
            INVALID_AGENT,
            {"va-null": "WARN", "size-zero": "WARN", "size-unaligned": "WARN"},
        ),
        (UNMAP, INVALID_ALLOCATION, INVALID_AGENT, {"not-mapped": "FAIL"}),
    ],
)
def test_wrong_status_blames_its_clauses(
    put: Put, function: str, right: int, wrong: int, expected: dict[str, str]
) -> None:
    """One wrong answer of one function is found, and no other status clause is blamed for it."""
    results = put(
        "wrong_status",
        function,
        FAKE_WRONG_FUNCTION=function,
        FAKE_WRONG_FROM=hex(right),
        FAKE_WRONG_TO=hex(wrong),
    )
    assert {f"{function}/{slug}": {verdict} for slug, verdict in expected.items()} == blamed(
        results
    )


def test_neighbours_of_a_wrong_status_pass(put: Put) -> None:
    """The clauses next to the broken one keep their PASS."""
    results = put("wrong_status", FREE)
    for slug in ("not-initialized", "va-null", "not-reserved", "size-zero", "size-differs"):
        assert {"PASS"} == verdicts(results, f"{FREE}/{slug}"), slug


def test_failure_trace_is_short(put: Put) -> None:
    """The shortest way to a range in use: initialise, reserve, create, map, and free it."""
    failure = against(put("wrong_status", f"{FREE}/in-use"), f"{FREE}/in-use").failure
    assert failure is not None
    calls = [step.call.partition("(")[0] for step in failure.steps]
    assert "hsa_init" == calls[0]
    assert FREE == calls[-1]
    assert 6 >= len(calls)
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == failure.steps[-1].result
    wanted = (AllowedStatus("HSA_STATUS_ERROR_RESOURCE_FREE", (f"{FREE}/in-use",)),)
    assert wanted == failure.allowed


def shown(failure: Failure) -> list[tuple[str, str]]:
    """Return what people see of the steps of a failure."""
    return [(step.call, step.result) for step in failure.steps]


def test_same_seed_gives_the_same_results(put: Put) -> None:
    """Two runs with one seed give the same verdicts, reasons and traces, not always counts."""

    def run() -> list[object]:
        results = put("wrong_status", f"{FREE}/in-use", f"{FREE}/size-differs", seed=7)
        return [
            (
                r.clause,
                r.check,
                r.verdict,
                r.reason,
                r.failure and [(s.call, s.result) for s in r.failure.steps],
            )
            for several in results.values()
            for r in several
        ]

    assert run() == run()


def test_crash_in_the_first_call_blocks_what_needs_the_runtime(put: Put) -> None:
    """A crash in hsa_init is the verdict of hsa_init, and blocks the rest by its name."""
    results = put("crashes", "hsa_init/success", f"{FREE}/success", FAKE_CRASH_IN_CALL=1)
    crash = against(results, "hsa_init/success")
    assert ("CRASH", "SIGSEGV") == (crash.verdict, crash.failure and crash.failure.detail)
    assert crash.failure is not None
    assert "hsa_init()" == crash.failure.steps[-1].call
    [blocked] = results[f"{FREE}/success"]
    assert ("BLOCKED", "hsa_init/success: CRASH (SIGSEGV)") == (blocked.verdict, blocked.reason)


def test_crash_while_the_machine_is_explored_blocks(put: Put) -> None:
    """A crash in the queries after hsa_init is blamed on the query."""
    results = put("crashes", f"{FREE}/success", FAKE_CRASH_IN_CALL=2)
    [blocked] = results[f"{FREE}/success"]
    assert "BLOCKED" == blocked.verdict
    assert "hsa_iterate_agents/success: CRASH (SIGSEGV)" == blocked.reason


@pytest.mark.parametrize("number", [100, 130])
def test_crash_of_a_used_process_is_flaky(put: Put, number: int) -> None:
    """A crash that comes with age is not reproduced, is not forgotten, and ends no run."""
    results = put("crashes", FREE, FAKE_CRASH_IN_CALL=number)
    reasons = [r.reason or "" for s in results.values() for r in s if r.verdict == "FLAKY"]
    assert reasons
    assert all("in a fresh process: " in reason for reason in reasons)
    assert all("SIGSEGV" in reason and "hsa_amd_" in reason for reason in reasons)
    assert not any(r.verdict == "BLOCKED" for s in results.values() for r in s)
    assert {"PASS"} == verdicts(results, f"{FREE}/not-initialized")


def test_abort_keeps_the_last_words(put: Put) -> None:
    """What the library printed before it aborted stands in the finding."""
    results = put("aborts", "hsa_init/success", FAKE_ABORT_IN_CALL=1)
    crash = against(results, "hsa_init/success")
    assert crash.failure is not None
    assert ("CRASH", "SIGABRT") == (crash.verdict, crash.failure.detail)
    assert "fake: assertion failed" in (crash.failure.stderr or "")


def test_hang_is_found_in_bounded_time(put: Put) -> None:
    """A call that never returns is a HANG, and what stands on it is BLOCKED after a few more."""
    started = time.monotonic()
    results = put("hangs", f"{RESERVE}/success", FREE, MAP, budget=0.5)
    elapsed = time.monotonic() - started
    hang = against(results, f"{RESERVE}/success")
    assert "HANG" == hang.verdict
    assert hang.failure is not None
    assert hang.failure.steps[-1].call.startswith(RESERVE)
    blocked = [r for s in results.values() for r in s if r.verdict == "BLOCKED"]
    reason = f"{RESERVE}/success: HANG (the call did not return within its budget)"
    assert {reason} == {r.reason for r in blocked}
    assert {f"{FREE}/in-use", f"{FREE}/success", f"{MAP}/success", f"{MAP}/same-bytes"} <= {
        r.clause for r in blocked
    }
    assert 120 > elapsed


def test_output_of_the_library_does_no_harm(put: Put) -> None:
    """A library that prints in every call gets the verdicts of the honest one."""
    assert {
        clause: [r.verdict for r in several] for clause, several in put("honest", FREE).items()
    } == {clause: [r.verdict for r in several] for clause, several in put("prints", FREE).items()}


def test_a_part_of_a_handle_must_not_be_mapped(put: Put) -> None:
    """The text wants the whole size."""
    results = put("honest", MAP, FAKE_MAPS_PART=1)
    assert {f"{MAP}/size-smaller": {"FAIL"}} == blamed(results)
    assert {"PASS"} == verdicts(results, f"{MAP}/size-larger")


ALIGNED = f"{RESERVE}_align/aligned"
ALIGNED_HINT = f"{RESERVE}_align/aligned-hint"


def test_a_hint_that_is_not_aligned_may_go_before_the_alignment(put: Put) -> None:
    """The text does not say which of the two goes first: a library that takes the hint passes."""
    results = put("honest", ALIGNED, ALIGNED_HINT, FAKE_HINT_FIRST=1)
    assert {ALIGNED: {"PASS"}, ALIGNED_HINT: {"PASS"}} == {c: verdicts(results, c) for c in results}


def test_a_forgotten_alignment_fails(put: Put) -> None:
    """Neither an aligned hint nor one that is in use excuses a range that is not aligned."""
    results = put("honest", ALIGNED, ALIGNED_HINT, FAKE_NO_ALIGNMENT=1)
    assert {ALIGNED: {"FAIL"}, ALIGNED_HINT: {"FAIL"}} == {c: verdicts(results, c) for c in results}


def test_leaked_descriptors_are_found(put: Put) -> None:
    """A descriptor that each failing call leaves behind breaks the default effects of failure."""
    functions = (RESERVE, CREATE, EXPORT)
    results = put("leaks_descriptor", *(f"{f}/failure-creates-nothing" for f in functions))
    for function in functions:
        [result] = results[f"{function}/failure-creates-nothing"]
        assert "WARN" == result.verdict, function
        assert "each failing call leaves 1 file descriptor behind" == result.reason


def test_what_one_kind_of_failure_leaves_behind_is_found(put: Put) -> None:
    """Each error of a function is tried, and the one that leaves something is named."""
    results = put(
        "leaks_descriptor", f"{CREATE}/failure-creates-nothing", FAKE_LEAKS_WITH=INVALID_ALLOCATION
    )
    whole, blamed = results[f"{CREATE}/failure-creates-nothing"]
    assert ("PASS", "WARN") == (whole.verdict, blamed.verdict)
    assert "error=pool-not-allocatable" == blamed.value


def test_objects_of_failed_calls_are_found(put: Put) -> None:
    """Only the two functions that create something when they fail are blamed for it."""
    results = put("creates_on_failure", RESERVE, CREATE, FREE)
    assert {
        f"{RESERVE}/failure-creates-nothing": {"WARN"},
        f"{CREATE}/failure-creates-nothing": {"WARN"},
    } == blamed(results)


def test_claim_of_a_version_is_taken_at_its_word(put: Put) -> None:
    """A library that claims an interface version must export what came with it."""
    function = "hsa_amd_vmem_address_reserve_align"
    results = put("lies_about_version", function, f"{RESERVE}/success")
    assert {f"{function}/exported": {"FAIL"}} == blamed(results)
    [blocked] = results[f"{function}/success"]
    assert ("BLOCKED", f"{function}/exported: the symbol is missing") == (
        blocked.verdict,
        blocked.reason,
    )
    assert {"PASS"} == verdicts(results, f"{RESERVE}/success")
