"""The suite put over a fake, and sessions on the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance import subjects
from hsa_conformance.engine.running.failures import shortening
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.selection.names import select
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.amd.copies import state
from hsa_conformance.topics.shared import copies, signals
from hsa_reports import Verdict, worst
from hsa_spec import Registry
from tests.library.suite.fake_results import Put, Results
from tests.wrong.inside import by_clause, results


@pytest.fixture(scope="session")
def put(registry: Registry, fake: Callable[..., Path]) -> Put:
    """Return a function that builds a fake and runs clauses on it."""

    def put(
        name: str, *wanted: str, budget: float = 5.0, seed: int = 0, **defines: object
    ) -> Results:
        library = fake(name, **defines)
        adapter = LibraryAdapter(library, registry, budget=budget)
        return by_clause(adapter, registry, select(registry, TOPICS, wanted), Settings(seed=seed))

    return put


@pytest.fixture(scope="session")
def pool(registry: Registry) -> Iterator[SessionPool]:
    """A session pool over the reference on the default machine."""
    pool = SessionPool(subjects.reference(None, registry), registry, TOPICS, expect_no_device=False)
    yield pool
    pool.close()


@pytest.fixture
def session(pool: SessionPool) -> Iterator[Session]:
    """An initialised session of a process of its own."""
    with pool.session(initialised=True, fresh=True) as session:
        yield session


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait half a second for what a mistake never completes; right ones end at once."""
    monkeypatch.setattr(state, "LONGEST_COPY", 0.5)
    monkeypatch.setattr(copies, "PATIENCE", 0.5)
    monkeypatch.setattr(signals, "PATIENCE", 0.5)


@pytest.fixture
def judged(
    registry: Registry, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Verdict]:
    """Return the worst verdict of a clause on the reference, in which a test has put a mistake."""
    monkeypatch.setitem(shortening.SHORTER, "quick", 0)

    def judged(clause: str, options: subjects.Options | None = None) -> Verdict:
        found = results(subjects.reference(options, registry), registry, clause)
        return worst(Verdict(result.verdict) for result in found)

    return judged
