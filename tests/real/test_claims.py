"""A library with a part of HSA 1.0, which claims that part: the reference, as a C library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_reports import Verdict
from hsa_spec import Registry, load, named_sets
from hsa_spec.sets import read_claim


@pytest.fixture(scope="module")
def part() -> Registry:
    """Return the functions of HSA 1.0 that the reference has."""
    have = implemented(load())
    core = named_sets(load())["core-1.0"].functions
    return replace(have, functions={n: f for n, f in have.functions.items() if n in core})


@pytest.fixture(scope="module")
def library(part: Registry, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a library that exports these functions and no others."""
    try:
        return build(tmp_path_factory.mktemp("part"), part)
    except LibraryError as error:
        pytest.skip(str(error))


def test_what_is_claimed_holds_and_nothing_else_is_asked(
    part: Registry, library: Path, tmp_path: Path
) -> None:
    """Every clause of what is claimed passes or says why it is untested; the rest is no matter."""
    file = tmp_path / "claim.yaml"
    names = "".join(f"  - {name}\n" for name in part.functions)
    file.write_text(f'implementation: a part\nhsa: "1.0"\nfunctions:\n{names}', "utf-8")
    claim = read_claim(file, load())
    adapter = LibraryAdapter(library, load(), claims=claim.functions, claimed=claim.release)
    runner = Runner(adapter, load(), TOPICS, Settings())
    try:
        results = [r for c in load().clauses.values() for r in runner.run(c)]
    finally:
        runner.close()
    assert ("1.0", False) == (runner.release.hsa, runner.release.is_rocm)
    claimed = {r.verdict for r in results if r.clause.partition("/")[0] in part.functions}
    others = {r.verdict for r in results if r.clause.partition("/")[0] not in part.functions}
    assert claimed <= {Verdict.PASS, Verdict.UNTESTED, Verdict.NOT_APPLICABLE}
    assert {Verdict.NOT_APPLICABLE} == others
    assert Verdict.PASS in claimed
