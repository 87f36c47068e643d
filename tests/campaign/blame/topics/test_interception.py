"""Queues whose packets handlers rewrite: a reference that loses or repeats some is blamed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hsa_conformance.topics.shared import signals
from hsa_reference.amd.queues.interception import Pipe
from hsa_reports import Verdict

FUNCTION = "hsa_amd_queue_intercept_register"
Put = Callable[[Any, int, int], None]
PUT: Put = Pipe.put
FITS = 64  # packets: all of the queue


def lossy(pipe: Any, packets: int, number: int) -> None:
    """Lose the last of more packets than fit."""
    PUT(pipe, packets, number if number < FITS else number - 1)


def twice(pipe: Any, packets: int, number: int) -> None:
    """Take the first of several packets twice."""
    PUT(pipe, packets, number)
    if number > 1:
        PUT(pipe, packets, 1)


def whole_alone(pipe: Any, packets: int, number: int) -> None:
    """Take what a handler wrote in one call, and of what it wrote in several only the first."""
    before = getattr(pipe, "last", None)
    pipe.last = None if before else packets
    if not before:
        PUT(pipe, packets, number)


COMPLETES, PIECES = f"{FUNCTION}/written-completes", f"{FUNCTION}/written-in-pieces"
MISTAKES: Mapping[str, tuple[str, Put]] = {
    "lossy": (COMPLETES, lossy),
    "twice": (COMPLETES, twice),
    "whole_alone": (PIECES, whole_alone),
}


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reference does not do soon it never does."""
    monkeypatch.setattr(signals, "PATIENCE", 0.5)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_packets_that_are_lost_or_taken_twice_are_noticed(
    judged: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, mistake: str
) -> None:
    clause, wrong = MISTAKES[mistake]
    monkeypatch.setattr(Pipe, "put", wrong)
    assert judged(clause) == Verdict.WARN
