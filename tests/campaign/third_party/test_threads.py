"""What goes wrong in the runtime of `tests/library/third_party/` when several threads call it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from hsa_reports import Verdict
from tests.library.third_party.build import compile_library
from tests.library.third_party.defects import defects
from tests.library.third_party.judging import JudgedRun, judge
from tests.samples import WHOLE

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

#: The defects that no call of one thread shows, and those of them that are met late, by chance.
DEFECTS: Final = (
    "the lock is let go before the sum is stored",
    "a table that two threads may fill is freed for each of them",
)
LATE: Final = (
    "the count is changed without a lock",
    "the list of registrations is changed without a lock",
)


def judged(library: Path, out: Path, functions: Iterable[str] = ("*",)) -> JudgedRun:
    selected = [word for name in functions for word in ("--select", f"clause:{name}/threads")]
    return judge(library, out, *selected, "-n", "0")


def accused(found: JudgedRun) -> frozenset[str]:
    """Return the clauses that are said to be broken, not what was seen once alone."""
    return frozenset(c for c in found.accused() if found.verdicts[c] is not Verdict.FLAKY)


def test_a_runtime_with_its_locks_is_accused_of_nothing(tmp_path: Path) -> None:
    """Nearly each clause about threads holds; on a busy machine too few calls of some overlap."""
    found = judged(compile_library(tmp_path / "libthird-party.so"), tmp_path / "run")
    assert frozenset() == found.accused()
    assert found.passing > 60


@pytest.mark.parametrize("name", (*DEFECTS, *LATE) if WHOLE else DEFECTS)
def test_a_lock_that_is_left_out_is_found(name: str, tmp_path: Path) -> None:
    """The function is blamed, and nobody who is not at fault."""
    [defect] = [d for d in defects() if d.name == name]
    library = defect.library(tmp_path)
    runs = (judged(library, tmp_path / f"run{n}", sorted(defect.blame)) for n in range(3))
    broken = next(filter(None, map(accused, runs)), frozenset())  # chance decides when it shows
    assert broken
    assert {clause.partition("/")[0] for clause in broken} <= defect.blame
