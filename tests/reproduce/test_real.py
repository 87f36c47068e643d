"""Programs of failures of the installed ROCr, on an imitated machine."""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import LANGUAGES, PRESENT, Show

from hsa_adapters import LibraryAdapter
from hsa_adapters.virtual_kfd import DEFAULT, ImitatedAdapter, load_machine, prepare
from hsa_reports import Failure
from hsa_spec import Registry

CLAUSE = "hsa_amd_memory_pool_get_info/pool-invalid"


@pytest.mark.parametrize("language", LANGUAGES)
def test_crash_of_rocr(
    registry: Registry,
    failing_with: Callable[..., Failure],
    show: Show,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
) -> None:
    """A pool that is none ends the process."""
    library = ctypes.util.find_library("hsa-runtime64")
    if library is None:
        pytest.skip("ROCr is not installed")
    machine = load_machine(DEFAULT)
    adapter = ImitatedAdapter(LibraryAdapter(library, registry), machine)
    failure = failing_with(adapter, CLAUSE)
    for name, value in prepare(machine, tmp_path / "machine").environment().items():
        monkeypatch.setenv(name, value)
    said = show(failure, CLAUSE, language, library)
    assert (PRESENT, f"{CLAUSE}: Segmentation fault, in step 2") == (
        said.status,
        said.line.partition(", hsa_")[0],
    )
