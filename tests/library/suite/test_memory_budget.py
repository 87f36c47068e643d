"""The memory that one call may take."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from hsa_conformance.engine.calls import memory_budget
from hsa_conformance.engine.calls.memory_budget import MUCH, SHARE, MemoryBudget, free_share
from hsa_conformance.engine.calls.outcomes import OverBudget

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
