"""The memory that one call may take."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.calls import memory_budget
from hsa_conformance.engine.calls.memory_budget import MUCH, SHARE, MemoryBudget, free_share
from hsa_conformance.engine.calls.outcomes import OverBudget
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry

LIMIT = 1 << 20


def others_wait() -> bool:
    """Return whether another process would have to wait before it takes much."""
    with Path(memory_budget.__file__).open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def test_more_than_the_budget_is_not_taken() -> None:
    budget = MemoryBudget(LIMIT)
    budget.claim(LIMIT)
    budget.release()
    with pytest.raises(OverBudget, match="1048577 bytes are more than the 1 MiB"):
        budget.claim(LIMIT + 1)


def test_an_imitation_has_no_budget() -> None:
    MemoryBudget(None).claim(1 << 60)


@pytest.mark.parametrize(("size", "expected"), [(LIMIT // MUCH, False), (LIMIT, True)])
def test_others_wait_until_much_is_given_back(size: int, expected: bool) -> None:
    """Little is taken by all at a time."""
    budget = MemoryBudget(LIMIT)
    budget.claim(size)
    during = others_wait()
    budget.release()
    assert (expected, False) == (during, others_wait())


def test_a_share_of_the_free_memory_is_the_default() -> None:
    total = next(
        int(line.split()[1]) * 1024
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        if line.startswith("MemTotal:")
    )
    assert 0 < free_share() <= total // SHARE


def test_a_size_that_is_left_to_the_runtime_takes_nothing(registry: Registry) -> None:
    """UINT32_MAX bytes for each work-item mean that their number is unknown."""
    adapter = subjects.reference(None, registry)
    runner = Runner(adapter, registry, TOPICS, Settings(memory_budget=LIMIT))
    results = runner.run(registry.clauses["hsa_queue_create/success"])
    runner.close()
    assert {"PASS"} == {result.verdict for result in results if result.value is None}
