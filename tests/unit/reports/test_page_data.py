"""The data of the HTML page."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from hsa_reports import Failure, ProgramRun, Result, Run, ValueResult, Verdict, causes_of
from hsa_reports.page_data import BUDGET, packed_data, page_data
from hsa_spec import Registry
from tests.unit.reports.report_samples import FULL, make_failure, make_result, make_run

CLAUSE = "hsa_amd_vmem_address_reserve/zero-size"


def data_of(run: Run, registry: Registry) -> Any:
    return page_data(run, causes_of(run), registry)


def shown(result: Result, registry: Registry) -> Any:
    """Return what the page has of the only result of a run."""
    clauses = data_of(make_run([result]), registry)["clauses"]
    [found] = [clause for clause in clauses if clause["id"] == result.clause]
    return found["results"][0]


def test_each_clause_has_its_words_source_topic_strength_and_verdict(registry: Registry) -> None:
    clauses = data_of(make_run(), registry)["clauses"]
    assert list(FULL) == [clause["id"] for clause in clauses]
    [counts] = [clause for clause in clauses if clause["id"] == "hsa_init/counts"]
    assert counts["english"] == "Every call needs a shut-down of its own."
    assert counts["source"].startswith("hsa_ext_amd.h, hsa_init, @retval")
    assert ("core/init", "FLAKY") == (counts["topic"], counts["verdict"])


def test_each_function_has_its_summary_and_whether_the_library_offers_it(
    registry: Registry,
) -> None:
    functions = data_of(make_run(), registry)["functions"]
    assert [name for name, each in functions.items() if not each["offered"]] == [
        "hsa_amd_vmem_get_alloc_properties_from_handle"
    ]


def test_the_columns_of_the_matrix_are_the_statuses_in_use(registry: Registry) -> None:
    data = data_of(make_run(), registry)
    columns = [name for name, _ in data["columns"]]
    assert columns[:3] == ["export", "effects", "HSA_STATUS_SUCCESS"]
    assert {status for clause in data["clauses"] for status in clause["statuses"]} == set(columns)


def test_a_failure_has_all_that_is_needed_to_act_on_it(registry: Registry) -> None:
    failure = shown(make_result(CLAUSE, Verdict.CRASH), registry)["failure"]
    assert failure["steps"][0] == ["A", "hsa_init()", "HSA_STATUS_SUCCESS"]
    assert failure["got"] == "SIGSEGV"
    assert failure["allowed"][0] == ["HSA_STATUS_ERROR_INVALID_ARGUMENT", [CLAUSE]]
    assert failure["place"] == "libhsa-runtime64.so.1.18.0+0x4a2f0 (build 1a2b3c4d5e6f)"
    assert failure["stderr"].startswith("Assertion failed")
    assert failure["reproduce"].startswith(f"hsa-conformance reproduce {CLAUSE}")
    assert failure["program"] == f"hsa-conformance reproduce runs/1/events.jsonl {CLAUSE} --c"


@pytest.mark.parametrize(
    ("ran", "said"),
    [
        (
            ProgramRun("none", None, "a callback gave it"),
            "No program can be made of it: a callback gave it",
        ),
        (
            ProgramRun("c", None, "not run: no compiler"),
            "The program in C was not run: no compiler",
        ),
        (
            ProgramRun("python", 1, "it died"),
            "run here and ended with 1, the defect is there: it died",
        ),
        (ProgramRun("c", 77, "no GPU"), "ended with 77, it cannot tell: no GPU"),
        (ProgramRun("c", 0, "it holds"), "ended with 0, it shows nothing: it holds"),
    ],
)
def test_a_failure_says_what_came_of_its_program(
    registry: Registry, ran: ProgramRun, said: str
) -> None:
    failure = replace(make_failure(CLAUSE, Verdict.CRASH), ran=ran)
    found = shown(replace(make_result(CLAUSE, Verdict.CRASH), failure=failure), registry)
    assert found["failure"]["ran"].endswith(said)


def test_an_expected_failure_keeps_its_verdict(registry: Registry) -> None:
    """A death that breaks a rule is not the same as one that breaks none."""
    found = replace(make_result(CLAUSE, Verdict.XFAIL), known=Verdict.FRAGILE)
    assert shown(found, registry)["label"] == "XFAIL (FRAGILE)"


def test_a_result_names_the_code_that_judged_it(registry: Registry) -> None:
    """Generated or written by hand: one who doubts a finding reads its check first."""
    place = "engine/checks/status/clauses.py:63 satisfied"
    assert (
        place == shown(replace(make_result(CLAUSE, Verdict.FAIL), source=place), registry)["source"]
    )


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ("property usable_until_shut_down", "property: usable until shut down"),
        ("near miss", "calls that just miss the condition"),
        ("a check of a later version", "a check of a later version"),
    ],
)
def test_a_result_names_its_check_in_words(registry: Registry, check: str, words: str) -> None:
    """Names of checks are for programs; one that has no words is shown as it is."""
    assert words == shown(make_result(CLAUSE, Verdict.FAIL, check), registry)["check"]


def test_a_result_says_which_values_were_tried_and_which_were_not(registry: Registry) -> None:
    tried = (*(ValueResult("attribute", f"A{n}", "judged") for n in range(25)),)
    lacking = ValueResult("attribute", "B", "lacking", "the machine has none")
    found = shown(replace(make_result(CLAUSE, Verdict.PASS), values=(*tried, lacking)), registry)
    assert ("attribute: 25 of 26", ["attribute=B: lacking"]) == (found["values"], found["missing"])


def test_a_result_of_several_machines_names_each(registry: Registry) -> None:
    """A filter asks for one of them."""
    found = [
        replace(make_result(CLAUSE, Verdict.PASS), machine=name) for name in ("gfx90a", "gfx1100")
    ]
    clauses = data_of(make_run(found), registry)["clauses"]
    results = [result for clause in clauses for result in clause["results"]]
    assert [["gfx90a", "gfx1100"]] == [result["machines"] for result in results]


def test_a_run_with_endless_failures_stays_small(registry: Registry) -> None:
    """Texts are cut shorter then, all of them, and no failure is left out."""
    chance = random.Random(0)
    results = [_noisy(clause, chance) for clause in FULL for _ in range(40)]
    run = make_run(results)
    assert len(packed_data(run, causes_of(run), registry)) <= BUDGET


def _noisy(clause: str, chance: random.Random) -> Result:
    noise = chance.randbytes(8000).hex()
    failure: Failure = replace(make_failure(clause, Verdict.CRASH), stderr=noise, detail=noise)
    return replace(make_result(clause, Verdict.CRASH), value=noise[:20], failure=failure)
