"""What takes long: the profile of long runs alone judges it, and who does not last is blamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.selection.selection import choose
from hsa_conformance.topics.core.init.properties import limits
from hsa_reference import memory
from hsa_reports import Result
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import results

LIMIT = "hsa_init/count-at-limit"
QUEUES = "hsa_queue_destroy/creates-again"
RANGES = "hsa_amd_vmem_address_free/reusable"
WAIT = "hsa_signal_group_wait_any_relaxed/no-timeout"
OUT_OF_RESOURCES = 0x1008

#: Seconds of a long run.
RUN_LENGTH = 6.0


def runs_out(name: str, most: int) -> Mistake:
    """Return a mistake: a function succeeds so many times and no more."""

    def mistake(f: Functions) -> dict[str, Function]:
        made: list[int] = []

        def wrong(*arguments: int) -> int:
            made.append(0)
            return f[name](*arguments) if len(made) <= most else OUT_OF_RESOURCES

        return {name: wrong}

    return mistake


def returns_early(f: Functions) -> dict[str, Function]:
    """End a wait for a group at once, with the value that is there."""
    name = WAIT.partition("/")[0]

    def wrong(*arguments: int) -> int:
        memory.store(arguments[-2], 1, 8)
        memory.store(arguments[-1], 1, 8)
        return SUCCESS

    del f
    return {name: wrong}


def judged(registry: Registry, clause: str, mistake: Mistake, profile: str = "soak") -> Result:
    """Return the result of a clause on a reference with a mistake."""
    settings = Settings(profile=profile, length=RUN_LENGTH)
    return results(mistaken(registry, mistake), registry, clause, settings=settings)[0]


@pytest.mark.parametrize(
    ("clause", "mistake", "verdict"),
    [
        (QUEUES, runs_out("hsa_queue_create", 500), "WARN"),
        (RANGES, runs_out("hsa_amd_vmem_address_reserve", 200), "WARN"),
        (WAIT, returns_early, "FAIL"),
        (RANGES, honest, "PASS"),
        (WAIT, honest, "PASS"),
    ],
)
def test_what_does_not_last_is_blamed(
    registry: Registry, clause: str, mistake: Mistake, verdict: str
) -> None:
    """What works a few times and then no more fails its clause, and what goes on holds."""
    found = judged(registry, clause, mistake)
    assert (clause, verdict) == (found.clause, found.verdict), found.reason


def test_a_run_without_time_praises_nobody(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the time ends before the rounds do, nothing is shown."""
    monkeypatch.setattr(f"{__name__}.RUN_LENGTH", 0.001)
    assert "VACUOUS" == judged(registry, QUEUES, honest).verdict


@pytest.mark.parametrize("profile", ["quick", "full", "exhaustive"])
def test_other_profiles_do_not_take_long(registry: Registry, profile: str) -> None:
    """They say which profile does."""
    found = judged(registry, QUEUES, honest, profile)
    assert ("UNTESTED", True) == (found.verdict, "--profile soak" in (found.reason or ""))


@pytest.mark.parametrize(
    ("most", "verdict", "words"),
    [
        ("LIMIT", "PASS", ""),
        ("LIMIT-1", "UNTESTED", "before its count is at the limit, as it may"),
        ("LIMIT-2", "BLOCKED", "hsa_init/success: a call failed"),
        ("INT32_MAX", "FAIL", "hsa_init answered HSA_STATUS_SUCCESS"),
    ],
)
def test_the_count_of_hsa_init_has_a_limit(
    registry: Registry,
    fake: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    most: str,
    verdict: str,
    words: str,
) -> None:
    """Nobody may count further, or less far; the call that reaches the limit may be refused."""
    monkeypatch.setattr(limits, "LIMIT", 1 << 20)
    monkeypatch.setattr(limits, "BURST", 0.02)
    library = fake("honest", FAKE_MOST_REFERENCES=f"({most.replace('LIMIT', '(1<<20)')})")
    settings = Settings(profile="soak", length=RUN_LENGTH)
    [found] = results(LibraryAdapter(library, registry), registry, LIMIT, settings=settings)
    assert verdict == found.verdict, found.reason
    assert words in (found.reason or "")


def test_a_runtime_that_is_too_slow_is_not_held_up(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The calls of a slow hsa_init are not made to the end."""
    monkeypatch.setattr(limits, "BURST", 0.02)
    found = judged(registry, LIMIT, honest)
    assert ("UNTESTED", True) == (found.verdict, "would take more than" in (found.reason or ""))


def test_the_profile_is_about_what_takes_long(registry: Registry) -> None:
    """Other clauses are judged where they are selected."""
    chosen = choose(registry, [], None, "soak")
    assert [] == [clause.id for clause in chosen.clauses if "long_run" not in clause.needs]
    assert len(registry.clauses) == len(choose(registry, [], None).ids)
    assert 1 == len(choose(registry, ["hsa_init/success"], None, "soak").ids)
