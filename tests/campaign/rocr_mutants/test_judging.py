"""An edit is killed by clauses that hold without it, near to it or far; others are missed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.campaign.rocr_mutants.building import Built
from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.judging import Judge, JudgeError

#: By a name for what is done, its number.
NEAR, FAR, UNREACHED, UNSTEADY, THREAD, TWICE = range(1, 7)

#: A suite in the place of `hsa-conformance`, of four clauses. What an edit breaks is named here.
SUITE = """\
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

from hsa_reports import Verdict
from tests.unit.reports.report_samples import ENDED, STARTED, make_result, write_events

BROKEN = {1: "hsa_init/near", 2: "hsa_shut_down/far", 4: "hsa_init/unsteady", 6: "hsa_init/flaky"}
CLAUSES = ("hsa_init/near", "hsa_init/unsteady", "hsa_init/flaky", "hsa_shut_down/far")
REACHED = {0: [5], 1: [1, 2, 4, 6]}

parser = ArgumentParser()
parser.add_argument("--env", action="append", default=[])
parser.add_argument("--select", action="append", default=[])
parser.add_argument("--out", type=Path)
chosen, _ = parser.parse_known_args()
variables = dict(text.split("=") for text in chosen.env)
on = [int(n) for n in variables.get("HSA_EDITS", "").split(",") if n]
if name := variables.get("HSA_EDITS_REACHED"):
    rows = bytearray(2048)
    for row, numbers in REACHED.items():
        for number in numbers:
            rows[row * 1024 + number] = 1
    Path(name).write_bytes(rows)
broken = {BROKEN[n] for n in on if n in BROKEN}
if chosen.out.name == "unedited-2":
    broken.add("hsa_init/unsteady")
judged = [c for c in CLAUSES if not chosen.select or {c, c.split("/")[0]} & set(chosen.select)]
verdict = {c: Verdict.FLAKY if "flaky" in c else Verdict.FAIL for c in broken}
results = [make_result(c, verdict.get(c, Verdict.PASS)) for c in judged]
chosen.out.mkdir()
write_events(chosen.out / "events.jsonl", [replace(STARTED, clauses=tuple(judged)), *results, ENDED])
"""


@pytest.fixture
def built(tmp_path: Path) -> Built:
    edits = {
        n: Edit(Operator.STATUS, "hsa.cpp", n, n, "HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR")
        for n in (NEAR, FAR, UNREACHED, UNSTEADY, THREAD, TWICE)
    }
    return Built(tmp_path, 1, edits, 0, {1: "hsa_init"})


@pytest.fixture
def judge(built: Built, tmp_path: Path) -> Judge:
    suite = tmp_path / "suite.py"
    suite.write_text(SUITE, "utf-8")
    return Judge(built, [sys.executable, f"{suite}"], tmp_path / "runs")


def test_an_edit_is_killed_by_a_function_that_leads_to_it_or_by_another(judge: Judge) -> None:
    """What fails without an edit, or does not fail again, kills none."""
    words = {fate.number: (fate.word, *fate.by) for fate in judge.fates()}
    assert {
        NEAR: ("killed", "hsa_init/near"),
        FAR: ("killed", "hsa_shut_down/far"),
        UNREACHED: ("unreached",),
        UNSTEADY: ("MISSED",),
        THREAD: ("MISSED",),
        TWICE: ("MISSED",),
    } == words


def test_some_edits_are_judged_alone(judge: Judge, tmp_path: Path) -> None:
    assert [NEAR] == [fate.number for fate in judge.fates([NEAR])]
    runs = {path.name for path in (tmp_path / "runs").iterdir()}
    assert {"reached", "unedited-1", "unedited-2", "1-first"} == runs


def test_a_run_that_is_there_is_not_made_again(judge: Judge, built: Built, tmp_path: Path) -> None:
    """A second judge whose suite does not exist says the same."""
    first = list(judge.fates())
    assert first == list(Judge(built, ["no-such-suite"], tmp_path / "runs").fates())


def test_a_suite_that_refuses_its_options_is_quoted(built: Built, tmp_path: Path) -> None:
    says = "import sys; sys.exit('no such machine')"
    with pytest.raises(JudgeError, match="no such machine"):
        list(Judge(built, [sys.executable, "-c", says], tmp_path / "runs").fates())
