"""The reference in process and as a C library are one implementation: the same verdicts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hsa_adapters import Adapter, LibraryAdapter
from hsa_conformance.engine.runner import Runner, Settings
from hsa_conformance.subjects import reference
from hsa_conformance.topics import TOPICS
from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_reports import Verdict, worst
from hsa_spec import load

#: How many clauses are run both ways; all of them take minutes.
SAMPLE = 1000


def verdicts(adapter: Adapter) -> dict[str, Verdict]:
    registry = load()
    clauses = Random(0).sample(list(registry.clauses.values()), SAMPLE)
    runner = Runner(adapter, registry, TOPICS, Settings())
    try:
        return {
            clause.id: worst(Verdict(r.verdict) for r in runner.run(clause)) for clause in clauses
        }
    finally:
        runner.close()


def test_the_library_gets_the_verdicts_of_the_reference_clause_by_clause(tmp_path: Path) -> None:
    registry = implemented(load())
    try:
        library = build(tmp_path, registry)
    except LibraryError as error:
        pytest.skip(str(error))

    assert verdicts(reference()) == verdicts(
        LibraryAdapter(library, load(), claims=frozenset(registry.functions))
    )
