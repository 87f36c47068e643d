"""Libraries that take more than the user allows: named, and no finding about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_reports import Run, Verdict, read_run
from tests.library.cli.commands import Command, CommandResult

RESERVE = "hsa_amd_vmem_address_reserve/success"
ENDS = "hsa_shut_down/success"

Greedy = Callable[..., tuple[CommandResult, Run]]


@pytest.fixture
def greedy(program: Command, fake: Callable[..., Path], tmp_path: Path) -> Greedy:
    """Return a function that runs one clause on a library that takes something, with options."""

    def greedy(clause: str, *options: str, **takes: int) -> tuple[CommandResult, Run]:
        library = fake("greedy", **{f"FAKE_{what.upper()}": much for what, much in takes.items()})
        words = ("--library", library, "--select", clause, *options, "--out", "out")
        done = program("hsa-conformance", "run", *words)
        return done, read_run(tmp_path / "out")

    return greedy


def test_a_process_over_its_memory_is_ended_and_named(greedy: Greedy) -> None:
    """It is no crash of the library: nothing was judged, and nothing held."""
    done, run = greedy(RESERVE, "--memory", "256", memory=400)

    assert (3, Verdict.NOT_RUN) == (done.status, run.verdicts[RESERVE])
    result, *_ = run.by_clause[RESERVE]
    assert result.reason == (
        "the process was ended in hsa_amd_vmem_address_reserve: it held more than the 256 MiB of "
        "memory that --memory allows"
    )
    assert result.reason in done.out


@pytest.mark.parametrize("options", [(), ("--memory", "4096")])
def test_memory_within_the_limit_is_nobodys_business(
    greedy: Greedy, options: tuple[str, ...]
) -> None:
    done, run = greedy(RESERVE, *options, memory=2)
    assert (0, Verdict.PASS) == (done.status, run.verdicts[RESERVE])


def test_threads_left_behind_are_counted(greedy: Greedy) -> None:
    done, run = greedy(ENDS, "--threads", "2", threads=3)

    assert (3, Verdict.NOT_RUN) == (done.status, run.verdicts[ENDS])
    result, *_ = run.by_clause[ENDS]
    message = "hsa_shut_down leaves 3 threads behind, more than the 2 that --threads allows"
    assert message == result.reason


@pytest.mark.parametrize("options", [(), ("--threads", "3")])
def test_threads_within_the_limit_may_stay(greedy: Greedy, options: tuple[str, ...]) -> None:
    done, run = greedy(ENDS, *options, threads=3)
    assert (0, Verdict.PASS) == (done.status, run.verdicts[ENDS])


def test_output_beyond_the_limit_changes_nothing(greedy: Greedy) -> None:
    """A library that prints without end is judged like any other."""
    done, run = greedy(RESERVE, "--output", "1", output=300)
    assert (0, Verdict.PASS) == (done.status, run.verdicts[RESERVE])
