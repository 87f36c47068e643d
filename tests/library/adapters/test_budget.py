"""Budgets of calls on a loaded machine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from hsa_adapters.worker.calls.watch import Watch
from hsa_adapters.worker.supervision import call_budget as budgets
from hsa_adapters.worker.supervision.call_budget import CallBudget, queued
from hsa_adapters.worker.supervision.children import kill

#: Sets for how many seconds something was ready to run, and had no processor.
Load = Callable[[float], None]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Return a function that says how loaded the machine was so far."""

    def load(seconds: float) -> None:
        monkeypatch.setattr(budgets, "queued", lambda: seconds)

    load(100.0)
    return load


def late(watch: Watch, seconds: float) -> None:
    """Let a call be over its deadline."""
    watch.begin(0, -seconds)


def test_time_without_a_processor_is_no_part_of_a_budget(load: Load) -> None:
    """A call is over its budget once it is later than the time without one since it began."""
    watch = Watch()
    budget = CallBudget(watch)
    watch.begin(0, 0.05)
    assert not budget.exceeded()
    load(100.2)
    while time.monotonic() < watch.deadline + 0.05:
        time.sleep(0.01)
    assert not budget.exceeded()
    while time.monotonic() < watch.deadline + 0.25:
        time.sleep(0.01)
    assert budget.exceeded()


def test_a_load_lengthens_no_budget_for_ever(load: Load) -> None:
    """Who asked waits longer than that, and gets an answer."""
    watch = Watch()
    budget = CallBudget(watch)
    watch.begin(0, 0.01)
    deadline = watch.deadline
    assert not budget.exceeded()
    load(1000.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: deadline + 19)
        assert not budget.exceeded()
        patch.setattr(time, "monotonic", lambda: deadline + 21)
        assert budget.exceeded()


def test_each_call_has_a_budget_of_its_own(load: Load) -> None:
    """What an earlier call had to wait for lengthens no later one."""
    watch = Watch()
    budget = CallBudget(watch)
    watch.begin(0, 5.0)
    assert not budget.exceeded()
    load(105.0)
    late(watch, 1.0)
    assert budget.exceeded()


def test_a_call_that_waits_is_over_its_budget_at_once(load: Load) -> None:
    """On a machine with processors to spare there is no more time."""
    watch = Watch()
    late(watch, 0.01)
    assert CallBudget(watch).exceeded()


def test_nobody_who_does_nothing_is_over_a_budget(load: Load) -> None:
    watch = Watch()
    budget = CallBudget(watch)
    assert not budget.exceeded()
    late(watch, 1.0)
    assert budget.exceeded()
    watch.end()
    assert not budget.exceeded()


def test_two_processes_on_one_processor_are_a_load() -> None:
    """One of them is always ready to run, and waits."""
    if not queued():
        pytest.skip("this kernel does not count it")
    processor, before = min(os.sched_getaffinity(0)), queued()
    pids = []
    for _ in range(2):
        pid = os.fork()
        if not pid:
            os.sched_setaffinity(0, {processor})
            while True:
                pass
        pids.append(pid)
    while queued() < before + 0.1:
        time.sleep(0.05)
    for pid in pids:
        kill(pid)
