"""The reference where what executes kernels is missing: nobody waits for them, or is blamed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.running.runner import Runner
from hsa_reference import Runtime
from hsa_reference.kernels import device, lacking
from hsa_spec import Registry
from tests.wrong.inside import running


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "find_spec", lambda _: None)


@pytest.fixture
def runner(registry: Registry, without_numpy: None) -> Iterator[Runner]:
    with running(subjects.reference(None, registry), registry) as runner:
        yield runner


@pytest.mark.usefixtures("without_numpy")
def test_what_is_to_be_installed_is_said(registry: Registry) -> None:
    assert (lacking("gfx90a") or "").endswith("pip install 'hsa-conformance[device]'")
    assert not Runtime(None, registry).executes_code()


@pytest.mark.parametrize(
    ("clause", "verdict"),
    [
        ("hsa_queue_create/barrier-bit", "PASS"),
        ("hsa_queue_create/completion-decrements", "PASS"),
        ("hsa_amd_profiling_get_dispatch_time/ordered", "UNTESTED"),
        ("hsa_executable_symbol_get_info/kernel-object-frozen", "PASS"),
    ],
)
def test_packets_are_judged_and_kernels_are_not(
    runner: Runner, registry: Registry, clause: str, verdict: str
) -> None:
    assert {verdict} == {str(r.verdict) for r in runner.run(registry.clauses[clause])}
