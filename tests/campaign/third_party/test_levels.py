"""The levels of a new runtime, on the runtime of this folder as it would be half written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hsa_conformance.cli import main
from hsa_reports.run import read_run
from hsa_spec import Registry, load
from hsa_spec.ladder import read_ladder, up_to
from tests.library.third_party.build import compile_library

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load()


@pytest.mark.parametrize("level", ["regions", "packets"])
def test_a_level_stands_on_those_before_it(level: str, registry: Registry, tmp_path: Path) -> None:
    """What a level is judged with is of that level, or of one before it."""
    levels = up_to(read_ladder(registry), level)
    exports = [function.name for each in levels for function in each.functions]
    library = compile_library(tmp_path / "libthird-party.so", exports=exports)
    words = ["check", f"smoke/{level}", "--library", str(library), "--out", str(tmp_path / "run")]
    assert 0 == main(words)
    run = read_run(tmp_path / "run")
    reasons = [r.reason or "" for r in run.results]
    assert [] == [reason for reason in reasons if "not said to have" in reason]
    judged = {clause for clause, verdict in run.verdicts.items() if verdict == "PASS"}
    assert judged & levels[-1].clauses
