"""The reference in process and as a C library are one implementation: its verdicts go together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.library.tool_tables import UNLOADED, for_tools
from hsa_conformance.engine.session.host import SHARED
from hsa_conformance.reference_requests import ReferenceRequests
from hsa_conformance.subjects import reference
from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_reports import Result, Verdict, worst
from hsa_spec import Clause, Registry, load
from tests.samples import sample
from tests.wrong.inside import by_clause

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


def verdict(results: Sequence[Result]) -> Verdict:
    return worst(Verdict(r.verdict) for r in results)


def as_library(clause: Clause, registry: Registry, in_process: Sequence[Result]) -> Verdict:
    """Return the verdict that the library has to get where the reference in process has these.

    It is the same but where the two differ by what they are. A process of its own can be ended, and
    then the clause holds. The functions of a table for libraries of tools are called in process as
    all others are; the library does not load such libraries, so that nobody is handed the table.
    """
    found = verdict(in_process)
    if found is Verdict.UNTESTED and {SHARED} == {r.reason for r in in_process}:
        return Verdict.PASS
    if found is Verdict.PASS and for_tools(registry.functions[clause.function], registry):
        return Verdict.NOT_APPLICABLE
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_the_library_gets_the_verdicts_of_the_reference_clause_by_clause(
    library: Path, part: int
) -> None:
    registry = load()
    clauses = sample(list(registry.clauses.values()), SAMPLE)[part::PARTS]
    claims = frozenset(implemented(registry).functions)
    counting = LibraryAdapter(library, registry, claims=claims, requests=ReferenceRequests())
    found = by_clause(counting, registry, clauses)
    in_process = by_clause(reference(), registry, clauses)

    assert {c.id: as_library(c, registry, in_process[c.id]) for c in clauses} == {
        clause: verdict(results) for clause, results in found.items()
    }


def test_the_library_is_excused_from_functions_for_tools_by_loading_no_tools(library: Path) -> None:
    """The one reason why it is not judged by their clauses is the one that is true."""
    registry = load()
    claims = frozenset(implemented(registry).functions)
    clauses = [
        c for c in registry.clauses.values() if c.function == "hsa_amd_queue_intercept_create"
    ]
    found = by_clause(LibraryAdapter(library, registry, claims=claims), registry, clauses)
    excused = [r for results in found.values() for r in results if r.verdict == "NOT_APPLICABLE"]

    assert {UNLOADED} == {r.reason for r in excused}
