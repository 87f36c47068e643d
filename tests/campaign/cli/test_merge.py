"""`run --shard` and `merge`: several runs find what one does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hsa_reports import (
    Event,
    EventWriter,
    Judged,
    Result,
    RunStarted,
    Verdict,
    read_events,
    read_run,
)
from tests.library.cli.commands import Command

#: How far calls of several threads overlap is chance, and differs between runs.
ALIKE = "and not clause:*/threads"
SELECTED = ("--select", f"(function:hsa_init or function:hsa_shut_down) {ALIKE}", "-n", "0")


def told(folder: Path) -> tuple[object, ...]:
    """Return what a run tells, without times, and calls that only make processes ready."""
    run = read_run(folder)
    results = Counter(
        (r.clause, r.check, r.verdict, r.reason, *_examples(r), r.value, r.values)
        for r in run.results
    )
    assert run.end is not None
    end = (run.end.exit_status, run.end.initialised, run.end.summary)
    return run.started.clauses, run.started.shard, results, run.verdicts, run.notices, end


def _examples(result: Result) -> tuple[int, int]:
    """Return how many examples a result counts: of one that fails, whether there is any.

    An example that fails in a process which others have used is made again in a fresh one, and
    counts twice. Which processes are used depends on the clauses that come before.
    """
    if result.verdict is Verdict.PASS:
        return result.satisfied, result.near_misses
    return min(result.satisfied, 1), min(result.near_misses, 1)


@pytest.fixture
def shards(command: Command, tmp_path: Path) -> list[Path]:
    """Return the folders of two shards of a run on the reference."""
    folders = [tmp_path / f"shard{number}" for number in (1, 2)]
    for number, folder in enumerate(folders, start=1):
        done = command("run", *SELECTED, "--shard", f"{number}/2", "--out", folder)
        assert 0 == done.status, done.err
    return folders


def change(folder: Path, changed: Callable[[Event], Event | None]) -> None:
    """Write the events of a run anew, without those that come to nothing."""
    events = [new for event in read_events(folder) if (new := changed(event)) is not None]
    (folder / "events.jsonl").unlink()
    with EventWriter(folder / "events.jsonl") as writer:
        for event in events:
            writer.write(event)


def test_merged_shards_are_one_run(command: Command, shards: list[Path], tmp_path: Path) -> None:
    assert 0 == command("run", *SELECTED, "--out", "whole").status
    parts = [read_run(folder) for folder in shards]
    assert all(Verdict.NOT_RUN not in part.verdicts.values() for part in parts)

    done = command("merge", *reversed(shards), "--out", "merged")

    assert 0 == done.status, done.err
    assert told(tmp_path / "whole") == told(tmp_path / "merged")
    assert (tmp_path / "merged/report.html").exists()
    assert "--shard" not in read_run(tmp_path / "merged").started.command


def test_merged_shards_of_a_broken_library_are_one_run(
    command: Command, fake: Callable[..., Path], tmp_path: Path
) -> None:
    wrong = {"FUNCTION": "hsa_system_get_info", "FROM": 0x1001, "TO": 0x1000}
    library = fake("wrong_status", **{f"FAKE_WRONG_{what}": value for what, value in wrong.items()})
    selected = ("--select", f"(function:hsa_shut_down or function:hsa_system_get_info) {ALIKE}")
    words = ("run", "--library", library, *selected, "-n", "0")
    status = command(*words, "--out", "whole").status
    for number in (1, 2, 3):
        command(*words, "--shard", f"{number}/3", "--out", f"shard{number}")

    done = command("merge", "shard1", "shard2", "shard3", "--out", "merged")

    assert status == done.status == 1
    assert told(tmp_path / "whole") == told(tmp_path / "merged")


def test_a_shard_that_is_missing_is_told(
    command: Command, shards: list[Path], tmp_path: Path
) -> None:
    done = command("merge", shards[0], "--out", "merged")
    assert (2, True) == (done.status, "no run of shard 2/2" in done.err), done.err
    assert not (tmp_path / "merged").exists()

    done = command("merge", shards[0], "--out", "merged", "--partial")

    assert 3 == done.status
    run = read_run(tmp_path / "merged")
    left = {clause for clause, verdict in run.verdicts.items() if verdict is Verdict.NOT_RUN}
    assert set(read_run(shards[1]).started.clauses) == left
    assert any("no run of shard 2/2" in notice for notice in run.notices)


def test_a_shard_that_was_cut_short_is_told(command: Command, shards: list[Path]) -> None:
    events = shards[1] / "events.jsonl"
    events.write_bytes(events.read_bytes()[:-900])

    done = command("merge", *shards, "--out", "merged")

    assert (2, True) == (done.status, "shard2 was cut short, and" in done.err), done.err
    assert 0 == command("run", *SELECTED, "--shard", "2/2", "--out", shards[1], "--resume").status
    assert 0 == command("merge", *shards, "--out", "merged").status


@pytest.mark.parametrize(
    ("words", "what"),
    [(("--seed", "3"), "seed is"), (("--profile", "full"), "profile is"), (("--budget", "9"), "9")],
)
def test_shards_of_different_runs_are_refused(
    command: Command, shards: list[Path], words: tuple[str, ...], what: str
) -> None:
    command("run", *SELECTED, *words, "--shard", "2/2", "--out", "other")

    done = command("merge", shards[0], "other", "--out", "merged")

    assert 2 == done.status
    assert "is no part of the same run as" in done.err
    assert what in done.err


def test_shards_of_different_divisions_are_refused(command: Command, shards: list[Path]) -> None:
    command("run", *SELECTED, "--shard", "2/3", "--out", "other")
    done = command("merge", shards[0], "other", "--out", "merged")
    assert (2, True) == (done.status, "shards of different divisions" in done.err), done.err


def test_runs_that_contradict_each_other_are_refused(command: Command, shards: list[Path]) -> None:
    """The same clause, judged twice: where both found the same, it counts once."""
    command("run", *SELECTED, "--shard", "1/2", "--out", "again")
    assert 0 == command("merge", *shards, "again", "--out", "merged").status
    clause = read_run(Path("again")).started.clauses[0]

    def failing(event: Event) -> Event:
        if isinstance(event, Result) and event.clause == clause:
            return replace(event, verdict=Verdict.FAIL)
        return event

    change(Path("again"), failing)
    done = command("merge", *shards, "again", "--out", "other")

    assert 2 == done.status
    assert f"{clause} is " in done.err
    assert "leave one of them out" in done.err


def test_failures_of_several_values_for_one_reason_stay_several(
    command: Command, shards: list[Path]
) -> None:
    clause = read_run(shards[0]).started.clauses[0]
    failures = [
        Result(clause, "satisfied", Verdict.WARN, "the same", value=f"x={number}")
        for number in range(3)
    ]
    events: list[Event] = []
    for event in read_events(shards[0]):
        if isinstance(event, Judged) and event.clause == clause:
            events += failures
        events.append(event)
    (shards[0] / "events.jsonl").unlink()
    with EventWriter(shards[0] / "events.jsonl") as writer:
        for event in events:
            writer.write(event)

    command("merge", *shards, "--out", "merged")

    found = [r.value for r in read_run(Path("merged")).results if r.clause == clause and r.value]
    assert ["x=0", "x=1", "x=2"] == found


def test_shards_judged_by_another_specification_are_refused(
    command: Command, shards: list[Path]
) -> None:
    def other(event: Event) -> Event:
        return replace(event, registry_digest="0") if isinstance(event, RunStarted) else event

    for folder in shards:
        change(folder, other)
    done = command("merge", *shards, "--out", "merged")
    assert (2, True) == (done.status, "by another specification" in done.err), done.err


def test_what_was_found_on_other_hosts_is_merged_with_a_notice(
    command: Command, shards: list[Path]
) -> None:
    def elsewhere(event: Event) -> Event:
        if not isinstance(event, RunStarted):
            return event
        host = {**event.subject.host, "processor": "another"}
        return replace(event, subject=replace(event.subject, host=host))

    change(shards[1], elsewhere)
    assert 0 == command("merge", *shards, "--out", "merged").status
    assert any("on different hosts" in notice for notice in read_run(Path("merged")).notices)


@pytest.mark.parametrize("shard", ["0/3", "4/3", "x"])
def test_what_is_no_shard_is_refused(command: Command, shard: str) -> None:
    done = command("run", *SELECTED, "--shard", shard)
    assert (2, True) == (done.status, "is no shard such as 1/3" in done.err), done.err
