"""How runs are planned, how many processes they have, and how they stop at a failure."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_conformance.cli import processes
from hsa_conformance.runs.compatibility import differences
from hsa_conformance.selection.durations import ROCR, estimate
from hsa_reports import RunEnded, RunStarted, Verdict, read_events, read_run
from hsa_spec import Registry
from tests.library.cli.commands import Command

SHORT = ("--select", "hsa_shut_down", "--select", "hsa_init/exported")


def test_a_dry_run_lists_and_judges_nothing(command: Command, tmp_path: Path) -> None:
    """The library is not even there."""
    words = ("run", "--host", "nowhere", "--select", "hsa_init")
    assert 0 != command(*words, "--dry-run").status  # a host has to be there

    done = command("run", "--library", "/nowhere.so", "--select", "hsa_init", "--dry-run")

    assert 0 == done.status, done.err
    *clauses, end = done.out.splitlines()
    assert 31 == len(clauses)
    assert any(line.startswith("hsa_init/success  ") for line in clauses)
    assert any("UNTESTED: " in line for line in clauses)
    assert "31 clauses, of which" in end
    assert "about" not in end  # nobody has measured it
    assert [] == list(tmp_path.iterdir())
    assert "about" in command("run", "--select", "hsa_init", "--dry-run").out


def test_a_dry_run_of_shards_lists_each_clause_once(command: Command) -> None:
    lists = [
        command("run", *SHORT, "--dry-run", *shard).out.splitlines()[:-1]
        for shard in ((), ("--shard", "1/2"), ("--shard", "2/2"))
    ]
    assert sorted(lists[0]) == sorted(lists[1] + lists[2])


def test_a_dry_run_of_a_resumed_run_lists_what_is_left(command: Command) -> None:
    assert 0 == command("run", *SHORT, "--out", "run").status
    done = command("run", *SHORT, "--out", "run", "--resume", "--dry-run")
    assert (0, True) == (done.status, done.out.startswith("0 clauses, of which")), done.out


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_run_stops_at_the_first_failure(
    command: Command, fake: Callable[..., Path], tmp_path: Path, workers: str
) -> None:
    wrong = {"FUNCTION": "hsa_system_get_info", "FROM": 0x1001, "TO": 0x1000}
    library = fake("wrong_status", **{f"FAKE_WRONG_{what}": value for what, value in wrong.items()})
    words = ("--select", "hsa_system_get_info", "--select", "hsa_shut_down", "-n", workers)

    done = command("run", "--library", library, *words, "--fail-fast", "--out", "run")

    assert 1 == done.status, done.err
    assert "interrupted" not in done.err
    run = read_run(tmp_path / "run")
    assert Verdict.NOT_RUN in run.verdicts.values()
    [end] = [event for event in read_events(tmp_path / "run") if isinstance(event, RunEnded)]
    assert 1 == end.exit_status
    assert "never reached" in end.summary
    assert Verdict.XPASS not in run.verdicts.values()

    rest = command("run", "--library", library, *words, "--out", "run", "--resume")

    assert 1 == rest.status, rest.err
    assert Verdict.NOT_RUN not in read_run(tmp_path / "run").verdicts.values()


def test_as_many_processes_as_cores_where_it_is_worth_it(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = [*registry.clauses]
    monkeypatch.setattr(processes, "cores", lambda: 4)
    assert 4 == processes.processes(None, everything, ROCR)
    monkeypatch.setattr(processes, "cores", lambda: 1000)
    assert processes.processes(None, everything, ROCR) == int(
        estimate(everything) / processes.WORTH
    )
    assert 1 == processes.processes(None, ["hsa_init/exported"], ROCR)
    assert [1, 1, 7] == [processes.processes(n, everything, ROCR) for n in (0, 1, 7)]


def test_cores_are_those_that_this_process_may_use() -> None:
    assert 1 <= processes.cores() <= len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    ("own", "outer", "expected"),
    [("150000 100000", "max 100000", [2]), ("max 100000", "400000 100000", [4]), ("", "x", [])],
)
def test_the_quotas_of_control_groups_count(
    tmp_path: Path, own: str, outer: str, expected: list[int]
) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/cpu.max").write_text(own)
    (tmp_path / "a/cpu.max").write_text(outer)
    (tmp_path / "membership").write_text("1:cpu:/old\n0::/a/b\n")
    assert expected == processes._quotas(tmp_path / "membership", tmp_path)
    assert [] == processes._quotas(tmp_path / "nothing", tmp_path)


def test_runs_of_other_lengths_are_not_joined(command: Command, tmp_path: Path) -> None:
    """The time of a long run is one of the options that its verdicts depend on."""

    def begun(length: str) -> RunStarted:
        words = ("run", "--profile", "soak", "--for", length, "--select", "hsa_init/exported")
        done = command(*words, "-n", "1", "--out", str(tmp_path / length))
        assert 0 == done.status, done.err
        return read_run(tmp_path / length).started

    assert ["--for is 120, not 90"] == list(differences(begun("90s"), begun("2m")))
