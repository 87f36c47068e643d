"""Queues, and handlers of signals: what is right passes, a fault is blamed on its own clause."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hsa_adapters import InProcessAdapter
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.topics.shared import signals
from hsa_reference import Runtime
from hsa_spec import Registry, named_sets
from tests.library.suite.fake_queues import put_over
from tests.wrong.inside import results

#: What the fake does wrong, and the clause that says so.
FAULTS = {
    "size": "hsa_queue_create/size",
    "type": "hsa_queue_create/type",
    "last packet": "hsa_queue_create/packets-invalid",
    "id": "hsa_queue_create/id-unique",
    "both indices": "hsa_queue_store_write_index_relaxed/alone",
    "sum": "hsa_queue_add_write_index_relaxed/returns-previous",
    "careless": "hsa_queue_cas_write_index_release/keeps-otherwise",
    "mask": "hsa_amd_queue_cu_set_mask/read-back",
    "mask overrun": "hsa_amd_queue_cu_get_mask/writes-first-bits",
    "early": "hsa_amd_signal_async_handler/called-once-met",
    "once": "hsa_amd_signal_async_handler/again",
    "never stops": "hsa_amd_signal_async_handler/stops",
    "twice": "hsa_amd_async_function/called-once",
    "index": "hsa_amd_signal_wait_any/returns-index",
    "value": "hsa_amd_signal_wait_any/writes-value",
    "order": "hsa_amd_signal_wait_all/writes-values",
    "no end": "hsa_amd_signal_wait_all/timeout",
}


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fake calls back at once, or never."""
    monkeypatch.setattr(signals, "PATIENCE", 0.1)


def verdicts(registry: Registry, fault: str, *clauses: str) -> dict[str, set[str]]:
    """Return the verdicts of the results by the clause that they are about."""
    found: dict[str, set[str]] = {}
    for judged in put_over(registry, fault, *clauses).values():
        for result in judged:
            found.setdefault(result.clause, set()).add(result.verdict)
    return found


def test_what_is_right_passes(registry: Registry) -> None:
    """Every clause that some fault breaks holds without it."""
    expected = {clause: {"PASS"} for clause in FAULTS.values()}
    assert expected == verdicts(registry, "", *FAULTS.values())


@pytest.mark.parametrize(("fault", "clause"), FAULTS.items())
def test_a_fault_is_blamed_on_its_clause(registry: Registry, fault: str, clause: str) -> None:
    """The verdict is the one of the clause's strength."""
    expected = "FAIL" if registry.clauses[clause].strength == "must" else "WARN"
    assert {clause: {expected}} == verdicts(registry, fault, clause)


def test_a_function_that_is_right_otherwise_still_passes(registry: Registry) -> None:
    """A fault in what an addition returns is none in what it makes of the index."""
    clause = "hsa_queue_add_write_index_relaxed/raises"
    assert {clause: {"PASS"}} == verdicts(registry, "sum", clause)


def test_a_type_that_nothing_claimed_speaks_of_accuses_nobody(registry: Registry) -> None:
    """The attribute of cooperative queues is AMD's; without AMD's extension nobody can ask."""
    core = named_sets(registry)["core-1.2"].functions

    def functions() -> dict[str, Callable[..., int]]:
        return {n: f for n, f in Runtime(registry=registry).functions().items() if n in core}

    adapter, settings = InProcessAdapter("core", functions, registry), Settings(hsa_version="1.2")
    found = results(adapter, registry, "hsa_queue_create/type-unsupported", settings=settings)
    assert {"PASS"} == {result.verdict for result in found}
