"""Mistakes over the reference that take a sequence of calls to show, and who is blamed for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hsa_conformance.engine.running.failures import shortening
from hsa_conformance.engine.running.runner import Settings
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.library.suite.lives import (
    blocks,
    executables,
    images,
    locks,
    queues,
    ranges,
    sharing,
    signals,
    starts,
    virtual_memory,
)
from tests.samples import sample
from tests.wrong.functions import Cases, Mistake, honest, mistaken
from tests.wrong.inside import running

ROOMS = (
    blocks,
    locks,
    virtual_memory,
    sharing,
    signals,
    images,
    ranges,
    queues,
    executables,
    starts,
)
MISTAKES: Cases = {name: case for room in ROOMS for name, case in room.MISTAKES.items()}


@pytest.fixture
def sequences(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return a function that plays the sequences of a clause on a reference with a mistake.

    What Hypothesis draws depends on the modules that are loaded, so it plays many of them.
    """
    monkeypatch.setitem(shortening.SHORTER, "quick", 10)

    def play(clause: str, mistake: Mistake, effort: float = 20) -> Result:
        with running(mistaken(registry, mistake), registry, Settings(seed=1)) as runner:
            check = next(c for c in runner.checks.of(registry.clauses[clause]) if c.stepwise)
            return runner.campaign.run(replace(check, examples=effort * check.examples))

    return play


@pytest.mark.parametrize("mistake", sample(list(MISTAKES), 10))
def test_a_mistake_that_takes_several_calls_is_blamed(
    sequences: Callable[..., Result], mistake: str
) -> None:
    clause, wrong, blamed = MISTAKES[mistake]
    result = sequences(clause, wrong)
    assert result.verdict in {Verdict.FAIL, Verdict.WARN}
    assert result.clause in blamed or not blamed


def test_a_reference_without_a_mistake_passes(
    sequences: Callable[..., Result],
) -> None:
    for clause in dict.fromkeys(clause for clause, _, _ in MISTAKES.values()):
        assert "PASS" == sequences(clause, honest, effort=1).verdict
