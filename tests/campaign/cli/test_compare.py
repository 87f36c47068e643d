"""`compare` after runs of two libraries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.library.cli.commands import Command

FREE = "hsa_amd_vmem_address_free"


def test_two_builds_of_a_library(
    fake: Callable[..., Path], program: Command, tmp_path: Path
) -> None:
    """A build that answers another status is told by clause, and a fix is no failure."""
    for name, library in (("old", "honest"), ("new", "wrong_status")):
        words = ("--library", fake(library), "--select", FREE, "--out", tmp_path / name)
        assert program("hsa-conformance", "run", *words).status in (0, 1)
    worse = program("hsa-conformance", "compare", "old", "new")
    assert 1 == worse.status, worse.err
    assert "Regressed: 1\n" in worse.out
    assert f"  PASS -> FAIL  {FREE}/in-use\n" in worse.out
    assert f"Not tried: 1\n  PASS -> VACUOUS  {FREE}/in-use-changes-nothing\n" in worse.out
    last = "2 clauses got worse from old to new (1 regressed, 1 not tried)."
    assert last == worse.out.splitlines()[-1]
    better = program("hsa-conformance", "compare", "new", "old")
    assert (0, True) == (better.status, f"  FAIL -> PASS  {FREE}/in-use\n" in better.out)
