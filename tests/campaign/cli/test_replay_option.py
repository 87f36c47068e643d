"""`run --replay`: what failed on an implementation in earlier runs is made again first."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from hsa_conformance.engine.running.replay import SHOWN
from hsa_reports import Result, Verdict, read_run
from tests.library.cli.commands import Command, CommandResult

CLAUSE = "hsa_signal_create/initial-value"
NOTHING = "Nothing is kept that could be replayed."

Judges = Callable[..., tuple[CommandResult, list[Result]]]


@pytest.fixture
def library(fake: Callable[..., Path], tmp_path: Path) -> Path:
    """A library that forgets one value in sixteen."""
    return Path(shutil.copy(fake("signals", FAKE_FORGETS=1), tmp_path))


@pytest.fixture
def judges(
    command: Command, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Judges:
    """Return a function that runs the library, and returns what was found of one clause."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    number = count()

    def judges(*words: str) -> tuple[CommandResult, list[Result]]:
        out = tmp_path / f"out{next(number)}"
        one = ("--library", str(library), "--release", "6.1.2", "--select", CLAUSE)
        done = command("run", *one, "--out", str(out), "-n", "1", *words)
        return done, [*read_run(out).by_clause[CLAUSE]]

    return judges


def test_a_rare_failure_is_found_again_by_any_seed(judges: Judges) -> None:
    """Without the option what is kept changes nothing; on another machine it is not made again."""
    seeds: dict[Verdict, str] = {}
    for seed in map(str, count()):
        drawn = judges("--seed", seed)[1]
        seeds[Verdict.FAIL if any(r.failure for r in drawn) else Verdict.PASS] = seed
        if len(seeds) == 2:
            break
    unlucky = ("--seed", seeds[Verdict.PASS])
    usual = judges(*unlucky)
    assert (0, [0]) == (usual[0].status, [r.replayed for r in usual[1]])

    done, (found,) = judges(*unlucky, "--replay")
    assert 1 == done.status
    assert (Verdict.FAIL, 1) == (found.verdict, found.replayed)
    assert "note: 1 example of earlier runs made again first." in done.out
    assert f"{found.reason}" in done.err
    assert (found.reason or "").endswith(SHOWN)
    assert found.failure is not None
    assert "--replay" in found.failure.reproduce

    parallel = judges(*unlucky, "--replay", "-n", "2")[1]
    assert [(Verdict.FAIL, 1)] == [(r.verdict, r.replayed) for r in parallel]
    done, elsewhere = judges(*unlucky, "--replay", "--env", "SOME=thing")
    assert NOTHING in done.out
    assert [Verdict.PASS] == [r.verdict for r in elsewhere]


def test_that_nothing_is_kept_is_said_and_no_failure(command: Command, tmp_path: Path) -> None:
    """The reference has a store as any implementation has."""
    done = command("run", "--replay", "--select", "hsa_shut_down/success", "--out", "out")
    assert 0 == done.status
    assert f"note: {NOTHING}" in done.out
    assert (NOTHING,) == tuple(read_run(tmp_path / "out").notices)


def test_it_is_an_option_that_a_resumed_run_has_to_have(command: Command) -> None:
    words = ("run", "--select", "hsa_shut_down/success", "--out", "out")
    assert 0 == command(*words).status
    done = command(*words, "--resume", "--replay")
    assert 2 == done.status
    assert "--replay" in done.err
