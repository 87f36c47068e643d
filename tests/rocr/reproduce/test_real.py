"""Programs of failures of the installed ROCr, on an imitated machine."""

from __future__ import annotations

import ctypes.util
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_adapters import Adapter, LibraryAdapter
from hsa_adapters.calls import Callback
from hsa_adapters.errors import Ended
from hsa_adapters.virtual_kfd import DEFAULT, ImitatedAdapter, load_machine, prepare
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_reports import Failure, Step
from hsa_reports.demands import Survives
from hsa_spec import Registry
from tests.campaign.reproduce.programs import LANGUAGES, PRESENT, Show

CLAUSE = "hsa_amd_memory_pool_get_info/pool-invalid"
ITERATE = "hsa_ven_amd_loader_executable_iterate_loaded_code_objects"


@pytest.fixture
def library() -> str:
    found = ctypes.util.find_library("hsa-runtime64")
    if found is None:
        pytest.skip("ROCr is not installed")
    return found


@pytest.fixture
def rocr(
    library: str, registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> ImitatedAdapter:
    """The adapter of ROCr on an imitated machine, which programs run on as well."""
    machine = load_machine(DEFAULT)
    for name, value in prepare(machine, tmp_path / "machine").environment().items():
        monkeypatch.setenv(name, value)
    return ImitatedAdapter(LibraryAdapter(library, registry), machine)


@pytest.mark.parametrize("language", LANGUAGES)
def test_crash_of_rocr(
    rocr: Adapter, library: str, failing_with: Callable[..., Failure], show: Show, language: str
) -> None:
    """A pool that is none ends the process."""
    failure = failing_with(rocr, CLAUSE)
    said = show(failure, CLAUSE, language, library)
    assert (PRESENT, f"{CLAUSE}: Segmentation fault, in step 2") == (
        said.status,
        said.line.partition(", hsa_")[0],
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_crash_of_rocr_in_a_function_of_a_table(
    rocr: Adapter, library: str, registry: Registry, show: Show, language: str
) -> None:
    """An executable that is none ends the process, in a function without a symbol."""
    pool = SessionPool(rocr, registry, TOPICS, expect_no_device=False)
    try:
        with pool.session(initialised=True, fresh=True) as session, pytest.raises(Ended):
            session.call(
                ITERATE,
                executable=session.place(bytes(256)),
                callback=Callback("hsa_ven_amd_loader_loaded_code_object_callback"),
                data=0,
            )
        steps = tuple(Step(s.process, s.call, s.result, s.action) for s in session.trace.steps)
    finally:
        pool.close()
    ended = Failure("it dies", steps, "got", (), None, None, None, "run again", Survives())
    said = show(ended, f"{ITERATE}/executable-invalid", language, library)
    assert (PRESENT, f"{ITERATE}/executable-invalid: Segmentation fault, in step 5") == (
        said.status,
        said.line.partition(", hsa_")[0],
    )
