"""A library with HSA 1.0 alone, which claims it: the reference, as a C library."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from hsa_adapters import LibraryAdapter
from hsa_reference.library import LibraryError
from hsa_reports import Verdict
from hsa_spec import load
from hsa_spec.sets import read_claim
from tests.cuts import SHOWN, cut
from tests.wrong.inside import running

#: How many clauses of what is claimed are judged, of a thousand; `tox -e cuts` judges all.
CLAIMED = 250
#: How many clauses of what is not claimed are asked for, of some three thousand.
OTHERS = 300


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a library that exports HSA 1.0 and no more."""
    try:
        return cut("1.0", tmp_path_factory.mktemp("cut"))
    except LibraryError as error:
        pytest.skip(str(error))


def test_what_is_claimed_holds_and_nothing_else_is_asked(library: Path) -> None:
    """A clause of what is claimed passes or says why it is untested; the rest is no matter."""
    claim = read_claim(library.with_name("claim.yaml"), load())
    adapter = LibraryAdapter(library, load(), claims=claim.functions, claimed=claim.release)
    with running(adapter, load()) as runner:
        clauses = load().clauses.values()
        mine = [c for c in clauses if c.function in claim.functions]
        rest = [c for c in clauses if c.function not in claim.functions]
        random = Random(0)
        asked = [*random.sample(mine, CLAIMED), *random.sample(rest, OTHERS)]
        results = [(c, r.verdict) for c in asked for r in runner.run(c)]
    assert ("1.0", False) == (runner.release.hsa, runner.release.is_rocm)
    claimed = {verdict for clause, verdict in results if clause.function in claim.functions}
    others = {verdict for clause, verdict in results if clause.function not in claim.functions}
    assert SHOWN == claimed
    assert {Verdict.NOT_APPLICABLE} == others
