"""A wait for all that sleeps although its last condition is met is found."""

from __future__ import annotations

import time

import pytest

from hsa_conformance.topics.amd.signals.properties import interruption
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, verdicts

ALL = "hsa_amd_signal_wait_all"
BLOCKED = 0
TIME = 0.4


def sleeps_until_the_time_is_over(f: Functions) -> dict[str, Function]:
    """Sleep for the events of all signals, also of those that come no more."""

    def wait(count: int, signals: int, conditions: int, values: int, *rest: int) -> int:
        _, hint, found = rest
        result = f[ALL](count, signals, conditions, values, 0, hint, found)
        if result and hint == BLOCKED:
            time.sleep(TIME)
        return f[ALL](count, signals, conditions, values, *rest) if result else result

    return {ALL: wait}


@pytest.mark.parametrize(
    ("mistake", "found"),
    [(sleeps_until_the_time_is_over, {Verdict.PASS, Verdict.FAIL}), (honest, {Verdict.PASS})],
)
def test_a_wait_for_all_ends_with_the_last_condition(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, mistake: Mistake, found: set[Verdict]
) -> None:
    monkeypatch.setattr(interruption, "GIVES_UP", TIME)
    assert found == verdicts(registry, mistake, f"{ALL}/returns-zero")
