"""Processes that end, and copies of them: each fault of a runtime is blamed on its clause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hsa_conformance.topics.core.init.properties import copies
from tests.library.suite.fake_results import Put
from tests.samples import WHOLE

CLAUSES = (
    "ends-by-exit",
    "leaves-nothing",
    "programs-inherit-nothing",
    "unloaded",
    "copies-end",
    "original-goes-on",
    "copies-begin",
)
FAULTS = {
    "FAKE_ABORTS": {"ends-by-exit", "copies-end"},
    "FAKE_HANGS": {"ends-by-exit", "copies-end"},
    "FAKE_SHARES": {"leaves-nothing"},
    "FAKE_SPAWNS": {"leaves-nothing"},
    "FAKE_INHERITED": {"programs-inherit-nothing"},
    "FAKE_THREAD": {"unloaded"},
    "FAKE_LOCKED": {"copies-end"},
    "FAKE_FORGETS": {"original-goes-on"},
    "FAKE_GENERATIONS": {"copies-begin"},
}


#: Takes half a minute: `tox -e whole`.
LONG = {"FAKE_LOCKED"}


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "PATIENCE", 1.0)


@pytest.fixture(autouse=True)
def _remove_what_stays() -> Iterator[None]:
    yield
    for path in Path("/dev/shm").glob("fake-*"):
        path.unlink(missing_ok=True)


def verdicts(put: Put, **defines: object) -> dict[str, str]:
    found = put("ends", *(f"runtime/{name}" for name in CLAUSES), budget=0.7, **defines)
    return {
        clause.removeprefix("runtime/"): "WARN"
        if any(r.verdict in ("WARN", "FAIL", "FRAGILE") for r in results)
        else "/".join({str(r.verdict) for r in results})
        for clause, results in found.items()
    }


def test_an_orderly_runtime_passes(put: Put) -> None:
    """Nothing is wrong with a runtime that ends as it should."""
    assert dict.fromkeys(CLAUSES, "PASS") == verdicts(put)


@pytest.mark.parametrize("fault", sorted(FAULTS if WHOLE else FAULTS.keys() - LONG))
def test_a_fault_is_blamed_on_its_clause(put: Put, fault: str) -> None:
    """The clauses that speak of what is wrong are broken, and no others."""
    found = verdicts(put, **{fault: 1})
    assert FAULTS[fault] == {name for name, verdict in found.items() if verdict != "PASS"}


def test_copies_are_not_blamed_where_no_process_can_start_a_runtime(put: Put) -> None:
    """That hsa_init fails is for its own clause to say, also where it is seen in a copy."""
    found = verdicts(put, FAKE_NEVER_STARTS=1)
    assert "BLOCKED" == found["copies-begin"]
    assert "WARN" not in found.values()
