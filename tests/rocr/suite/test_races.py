"""A race that a sanitizer reports is a warning at both calls, and what is none is not told."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.library.sanitizers import PRELOAD, variables
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.fakes.build import build
from tests.wrong.inside import results

CREATE, DESTROY = "hsa_signal_create/threads", "hsa_signal_destroy/threads"


@pytest.fixture(scope="module")
def sanitizer() -> Mapping[str, str]:
    """Return the variable that has Clang's sanitizer of threads preloaded."""
    file = "libclang_rt.tsan-x86_64.so"
    try:
        asked = ["clang-19", f"-print-file-name={file}"]
        runtime = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        runtime = file
    if runtime == file:
        pytest.skip("needs clang-19 and libclang-rt-19-dev")
    return {PRELOAD: runtime}


def judged(
    registry: Registry, folder: Path, given: Mapping[str, str], counts: str, *clauses: str
) -> list[Result]:
    """Return the results of clauses, on a library that counts calls in a certain way."""
    compiler = ("clang-19", "-fsanitize=thread", "-shared-libsan")
    library = build("races", folder, compiler, FAKE_COUNTS=counts)
    environment = variables(library, given)
    adapter = LibraryAdapter(library, registry, budget=60.0, environment=environment)
    return results(adapter, registry, *clauses)


def test_a_race_is_a_warning_at_both_calls(
    registry: Registry, tmp_path: Path, sanitizer: Mapping[str, str]
) -> None:
    """Each counts with a lock of its own, and the threads of one clause make calls of both."""
    found = judged(registry, tmp_path, sanitizer, "TWO_LOCKS", CREATE)
    assert {(CREATE, Verdict.WARN), (DESTROY, Verdict.WARN)} == {
        (r.clause, r.verdict) for r in found if r.failure
    }
    failures = [r.failure for r in found if r.failure]
    said = "SIGABRT, by ThreadSanitizer: data race, between calls of hsa_signal_"
    assert [said, said] == [failure.summary[: len(said)] for failure in failures]
    both = {"hsa_signal_create", "hsa_signal_destroy"}
    assert all(f.place and f.place.function in both for f in failures)


def test_where_there_is_no_race_none_is_told(
    registry: Registry, tmp_path: Path, sanitizer: Mapping[str, str]
) -> None:
    found = judged(registry, tmp_path, sanitizer, "ONE_LOCK", "hsa_init/success", CREATE, DESTROY)
    assert [Verdict.PASS] * len(found) == [r.verdict for r in found]
    assert {"hsa_init/success", CREATE, DESTROY} == {r.clause for r in found}
