"""The reference in process and as a C library are one implementation: the same verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hsa_adapters import Adapter, LibraryAdapter
from hsa_conformance.engine.runner import Runner, Settings
from hsa_conformance.subjects import reference
from hsa_conformance.topics import TOPICS
from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_reports import Verdict, worst
from hsa_spec import Clause, load
from tests.samples import sample

#: How many clauses are run both ways.
SAMPLE = 160
#: How many tests they are shared by, for the processes of a parallel run.
PARTS = 4


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build(tmp_path_factory.mktemp("library"), implemented(load()))
    except LibraryError as error:
        pytest.skip(str(error))


def verdicts(adapter: Adapter, clauses: Sequence[Clause]) -> dict[str, Verdict]:
    runner = Runner(adapter, load(), TOPICS, Settings())
    try:
        return {
            clause.id: worst(Verdict(r.verdict) for r in runner.run(clause)) for clause in clauses
        }
    finally:
        runner.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_the_library_gets_the_verdicts_of_the_reference_clause_by_clause(
    library: Path, part: int
) -> None:
    registry = load()
    clauses = sample(list(registry.clauses.values()), SAMPLE)[part::PARTS]
    claims = frozenset(implemented(registry).functions)
    found = verdicts(LibraryAdapter(library, registry, claims=claims), clauses)
    assert verdicts(reference(), clauses) == found
