"""The suite put over a fake, and sessions on the reference."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_results import Put, Results

from hsa_adapters import LibraryAdapter
from hsa_conformance import subjects
from hsa_conformance.engine.runner import Runner, Settings
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.session_pool import SessionPool
from hsa_conformance.select import select
from hsa_conformance.topics import TOPICS
from hsa_spec import Registry, load

sys.path.insert(0, str(Path(__file__).parents[1] / "fakes"))

from build import build


@pytest.fixture(scope="session")
def registry() -> Registry:
    return load()


@pytest.fixture(scope="session")
def put(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> Put:
    """Return a function that builds a fake and runs clauses on it."""
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")

    def put(
        name: str, *wanted: str, budget: float = 5.0, seed: int = 0, **defines: object
    ) -> Results:
        library = build(name, tmp_path_factory.mktemp("fake"), **defines)
        runner = Runner(
            LibraryAdapter(library, registry, budget=budget), registry, TOPICS, Settings(seed=seed)
        )
        try:
            return {clause.id: runner.run(clause) for clause in select(registry, TOPICS, wanted)}
        finally:
            runner.close()

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
