"""An edit is killed by clauses that hold without it, near to it or far; others are missed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.campaign.rocr_mutants import eight_clauses
from tests.campaign.rocr_mutants.building import BuiltLibrary
from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.eight_clauses import (
    BESIDE,
    CHANCE,
    ENDING,
    FAR,
    FLAKY,
    FUNCTIONS,
    HIDING,
    NEAR,
    RULE,
    THREAD,
    UNREACHED,
    UNSTEADY,
)
from tests.campaign.rocr_mutants.judging import Judge, disjoint
from tests.wrong.command import SuiteError
from tests.wrong.fates import Fate


@pytest.fixture
def built(tmp_path: Path) -> BuiltLibrary:
    words = ("HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR")
    edits = {
        n: Edit(Operator.STATUS, "hsa.cpp", "hsa_init", n, 1, n, *words)
        for n in range(NEAR, ENDING + 1)
    }
    return BuiltLibrary(tmp_path, 1, edits, 0, 0, FUNCTIONS, ())


@pytest.fixture
def judge(built: BuiltLibrary, tmp_path: Path) -> Judge:
    return Judge(built, [sys.executable, "-m", eight_clauses.__name__], tmp_path / "runs")


def number(fate: Fate) -> int:
    """Return the number of an edit's switch."""
    return int(fate.mistake.partition(" ")[0])


def test_an_edit_is_killed_by_a_function_that_leads_to_it_or_by_another(judge: Judge) -> None:
    """What fails without an edit, or does not fail again, kills none."""
    fates = judge.fates(range(NEAR, ENDING))
    words = {number(fate): (fate.outcome, *fate.by) for fate in fates}
    assert {
        NEAR: ("blamed", "hsa_agent_get_info/near"),
        FAR: ("blamed", "hsa_shut_down/far"),
        UNREACHED: ("unreached",),
        UNSTEADY: ("survived",),
        THREAD: ("survived",),
        FLAKY: ("survived",),
        BESIDE: ("blamed", "hsa_shut_down/beside"),
        HIDING: ("blamed", "hsa_system_get_info/hides"),
        RULE: ("blamed", "tools/rule"),
        CHANCE: ("survived",),
    } == words


def test_edits_of_different_functions_are_judged_in_one_run(judge: Judge, tmp_path: Path) -> None:
    """What fails there has to fail again with one edit alone."""
    assert [NEAR, BESIDE] == [number(fate) for fate in judge.fates([NEAR, BESIDE])]
    runs = {path.name for path in (tmp_path / "runs").iterdir()}
    group = f"near-{NEAR},{BESIDE}"
    alone = {f"{n}-of-{group}-first{end}" for n in (NEAR, BESIDE) for end in ("", "-unedited")}
    assert {"reached", "unedited-1", "unedited-2", group, *alone} == runs


def test_an_edit_that_hides_another_is_taken_out(judge: Judge, tmp_path: Path) -> None:
    """No clause but its own fails with it."""
    words = {number(fate): fate.outcome for fate in judge.fates([HIDING, BESIDE])}
    assert {HIDING: "blamed", BESIDE: "blamed"} == words


def test_an_edit_is_killed_by_a_rule_about_a_function_that_leads_to_it(
    judge: Judge, tmp_path: Path
) -> None:
    (fate,) = judge.fates([RULE])
    assert ["tools/rule"] == [*fate.by]
    assert (tmp_path / "runs" / f"{RULE}-of-near-{RULE}-first").exists()


def test_no_function_leads_to_two_edits_of_a_group() -> None:
    reaching = {1: ["a", "b"], 2: ["b"], 3: ["c"], 4: ["c", "d"], 5: []}
    assert [[1, 3, 5], [2, 4]] == disjoint(reaching)


def test_an_edit_of_what_all_calls_need_is_alone() -> None:
    assert [[2], [1, 3]] == disjoint({1: ["a"], 2: ["hsa_init", "b"], 3: ["b"]})


def test_some_edits_are_judged_alone(judge: Judge, tmp_path: Path) -> None:
    assert [NEAR] == [number(fate) for fate in judge.fates([NEAR])]
    runs = {path.name for path in (tmp_path / "runs").iterdir()}
    group = f"near-{NEAR}"
    alone = f"{NEAR}-of-{group}-first"
    assert {"reached", "unedited-1", "unedited-2", group, alone, f"{alone}-unedited"} == runs


def test_a_run_that_is_there_is_not_made_again(
    judge: Judge, built: BuiltLibrary, tmp_path: Path
) -> None:
    """A second judge whose suite does not exist says the same."""
    numbers = range(NEAR, ENDING)
    first = list(judge.fates(numbers))
    assert first == list(Judge(built, ["no-such-suite"], tmp_path / "runs").fates(numbers))


def test_a_run_that_ends_early_is_no_judgement(judge: Judge) -> None:
    with pytest.raises(SuiteError, match=f"near-{ENDING} ended early"):
        list(judge.fates([ENDING]))


def test_a_suite_that_refuses_its_options_is_quoted(built: BuiltLibrary, tmp_path: Path) -> None:
    says = "import sys; sys.exit('no such machine')"
    with pytest.raises(SuiteError, match="no such machine"):
        list(Judge(built, [sys.executable, "-c", says], tmp_path / "runs").fates())
