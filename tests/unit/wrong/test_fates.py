"""Fates of mistakes are kept, counted, and compared with those of another commit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.wrong.__main__ import main
from tests.wrong.fates import Fate, Mistake, Outcome, compared, read, table, write

ONE, OTHER = (
    Mistake("toys", kind, name, {"hsa_init"})
    for kind, name in (("locks", "no lock"), ("values", "a wrong value"))
)
BLAMED = ONE.fate(Outcome.BLAMED, {"hsa_init/threads": "WARN"}, {"hsa_init/counted": "BLOCKED"})
SURVIVOR = OTHER.fate(
    Outcome.SURVIVED, others={"hsa_shut_down/success": "FAIL"}, why="others blamed"
)

SURVIVOR_OF_ONE = ONE.fate(Outcome.SURVIVED, why="not noticed")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "fates.jsonl"


def test_what_is_written_is_read_again(file: Path) -> None:
    for fate in (BLAMED, SURVIVOR):
        write(fate, file)
    assert [BLAMED, SURVIVOR] == read(file)


def test_a_mistake_that_is_judged_again_has_its_last_fate(file: Path) -> None:
    later = replace(BLAMED, outcome=Outcome.BLOCKED)
    for fate in (BLAMED, SURVIVOR, later):
        write(fate, file)
    assert [later, SURVIVOR] == read(file)


def test_a_line_has_all_clauses_and_the_reason() -> None:
    assert "blamed    no lock [hsa_init/threads (WARN), hsa_init/counted (BLOCKED)]" == str(BLAMED)
    assert "survived  a wrong value (others blamed) [hsa_shut_down/success (FAIL)]" == str(SURVIVOR)


def test_the_table_counts_by_kind_and_names_survivors() -> None:
    """A mistake that no call reaches counts neither way."""
    unreached = replace(SURVIVOR, mistake="never called", outcome=Outcome.UNREACHED, why="")
    lines = [line.split() for line in table([BLAMED, SURVIVOR, unreached])]
    assert ["locks", "1", "1", "0", "0", "0", "0", "100%"] == lines[1]
    assert ["values", "2", "0", "0", "0", "1", "1", "0%"] == lines[2]
    assert ["all", "3", "1", "0", "0", "1", "1", "50%"] == lines[3]
    assert str(SURVIVOR).split() == lines[4]


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.BLAMED])
def test_a_mistake_that_is_no_longer_blamed_is_named(outcome: Outcome) -> None:
    later = replace(BLAMED, outcome=outcome)
    lost, lines = compared([BLAMED, SURVIVOR], [SURVIVOR, later])
    assert [later] == lost
    assert [f"no longer blamed: toys: {later}", _counts(2, 0, 0)] == lines


def test_a_mistake_that_is_blamed_now_is_named_too() -> None:
    later = replace(SURVIVOR, outcome=Outcome.BLAMED)
    lost, lines = compared([SURVIVOR], [later])
    assert ([], [f"now blamed: toys: {later}", _counts(1, 0, 0)]) == (lost, lines)


def test_mistakes_that_one_commit_alone_judged_are_counted() -> None:
    """So are those of another campaign with the same name."""
    elsewhere = replace(BLAMED, campaign="others")
    assert ([], [_counts(0, 1, 2)]) == compared([BLAMED], [elsewhere, SURVIVOR])


@pytest.mark.parametrize(("later", "status"), [(BLAMED, 0), (SURVIVOR_OF_ONE, 1)])
def test_the_command_fails_where_a_mistake_is_no_longer_blamed(
    later: Fate,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [tmp_path / "before", tmp_path / "after"]
    for fate, path in zip((BLAMED, later), files, strict=True):
        write(fate, path)
    monkeypatch.setattr("sys.argv", ["tests.wrong", "compare", *map(str, files)])
    assert status == main()
    assert bool(status) == ("no longer blamed: toys: survived  no lock" in capsys.readouterr().out)


def _counts(both: int, before: int, after: int) -> str:
    return f"mistakes in both: {both}; only before: {before}; only after: {after}"
