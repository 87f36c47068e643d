"""Budgets of calls on a loaded machine."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from hsa_adapters.worker.budget import Budget, queued
from hsa_adapters.worker.children import kill
from hsa_adapters.worker.watch import Watch


def computing(processor: int) -> int:
    """Start a process that computes on one processor until it is killed."""
    pid = os.fork()
    if not pid:
        os.sched_setaffinity(0, {processor})
        while True:
            pass
    return pid


@pytest.fixture
def child() -> Iterator[int]:
    """A process that computes, on a processor that another one computes on, too."""
    processor = min(os.sched_getaffinity(0))
    pids = [computing(processor) for _ in range(2)]
    yield pids[0]
    for pid in pids:
        kill(pid)


def test_time_without_a_processor_is_no_part_of_a_budget(child: int) -> None:
    """A call that has used its budget but for that time is over it once it has used the rest."""
    watch = Watch()
    budget = Budget(watch)
    before = sum(queued(child).values())
    watch.begin(0, 0.2)
    until = watch.deadline
    assert not budget.exceeded(child)
    while time.monotonic() < until:
        time.sleep(0.01)
    # It has had half of the processor at most.
    assert not budget.exceeded(child)
    assert sum(queued(child).values()) > before
    while not budget.exceeded(child):
        time.sleep(0.01)
    assert time.monotonic() > until


def test_a_call_that_waits_is_over_its_budget_at_once(child: int) -> None:
    """Who has no use for a processor gets no more time."""
    os.kill(child, signal.SIGSTOP)
    os.waitpid(child, os.WUNTRACED)
    watch = Watch()
    budget = Budget(watch)
    watch.begin(0, 0.05)
    assert not budget.exceeded(child)
    while time.monotonic() < watch.deadline:
        time.sleep(0.01)
    assert budget.exceeded(child)


def test_nobody_who_does_nothing_is_over_a_budget() -> None:
    watch = Watch()
    budget = Budget(watch)
    assert not budget.exceeded(os.getpid())
    watch.begin(0, -1.0)
    assert budget.exceeded(os.getpid())
    watch.end()
    assert not budget.exceeded(os.getpid())


def test_nothing_is_known_of_a_process_that_is_gone() -> None:
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)
    assert {} == queued(pid)
