"""What a person says of a survivor is kept, and tells how many visible edits are noticed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.survivors import Kind, Verdict, record, shares
from tests.wrong.fates import Fate, Mistake, Outcome

EDITS = {
    name: Edit(Operator.COMPARE, "hsa.cpp", "hsa_init", line, 3, 70, "a < b", "a <= b")
    for line, name in enumerate(("first", "second", "third"), 7)
}


def say(path: Path, name: str, verdict: str) -> None:
    """Write a verdict into a record, as a person does."""
    rows = yaml.safe_load(path.read_text("utf-8"))
    for row in rows:
        if row["edit"] == name:
            row |= {"verdict": verdict, "because": "a is never b"}
    path.write_text(yaml.safe_dump(rows), "utf-8")


def fates(*outcomes: Outcome) -> list[Fate]:
    return [
        Mistake("toy", "compare", name, ()).fate(o) for name, o in zip(EDITS, outcomes, strict=True)
    ]


def test_a_survivor_is_recorded_with_its_place_and_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "survivors.yaml"
    assert {"first": Verdict()} == record(path, {"first": EDITS["first"]}, {"first"})
    (row,) = yaml.safe_load(path.read_text("utf-8"))
    assert {
        "edit": "first",
        "file": "hsa.cpp",
        "line": 7,
        "operator": "compare",
        "function": "hsa_init",
        "was": "a < b",
        "is": "(a <= b)",
        "verdict": None,
        "because": "",
    } == row


def test_a_verdict_stays_until_the_edit_is_noticed(tmp_path: Path) -> None:
    """The first edit is noticed later, the second is not, and the third is not judged again."""
    path = tmp_path / "survivors.yaml"
    record(path, EDITS, set(EDITS))
    for name in EDITS:
        say(path, name, "equivalent")
    said = Verdict(Kind.EQUIVALENT, "a is never b")
    assert {"second": said} == record(path, {"second": EDITS["second"]}, {"first", "second"})
    rows = yaml.safe_load(path.read_text("utf-8"))
    assert ["second", "third"] == sorted(row["edit"] for row in rows)


def test_a_verdict_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "survivors.yaml"
    record(path, EDITS, set(EDITS))
    say(path, "first", "unlikely")
    with pytest.raises(ValueError, match="unlikely"):
        record(path, EDITS, set(EDITS))


@pytest.mark.parametrize(
    ("kind", "last"),
    [
        (None, "survivors without a verdict: 1"),
        (Kind.VISIBLE, "noticed of all that are visible: 1 of 2 (50%)"),
        (Kind.HARDWARE, "noticed of all that are visible: 1 of 1 (100%)"),
    ],
)
def test_what_nobody_can_see_does_not_count(kind: Kind | None, last: str) -> None:
    known = fates(Outcome.BLAMED, Outcome.SURVIVED, Outcome.UNREACHED)
    reached = "noticed of all that are reached: 1 of 2 (50%)"
    assert [reached, last] == [*shares(known, {"second": Verdict(kind)})]
