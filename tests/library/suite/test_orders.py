"""What a reference with a wrong order of memory gets; for C see third_party."""

from __future__ import annotations

import threading
import time

import pytest

from hsa_conformance.engine.running.runner import Settings
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import results

RELAXED, EXCHANGE = "hsa_signal_load_relaxed", "hsa_signal_exchange_relaxed"
STORE, LOAD = "hsa_signal_store_screlease", "hsa_signal_load_scacquire"
WAIT, WAIT_ANY = "hsa_signal_wait_scacquire", "hsa_signal_group_wait_any_scacquire"


def gives_again_what_was_loaded(f: Functions) -> dict[str, Function]:
    """Load a signal anew by a relaxed load only when the thread has changed one since."""
    kept = threading.local()

    def load(signal: int) -> int:
        if getattr(kept, "signal", 0) != signal:
            kept.signal, kept.value = signal, f[RELAXED](signal)
        return int(kept.value)

    def exchange(*arguments: int) -> int:
        kept.signal = 0
        return f[EXCHANGE](*arguments)

    return {RELAXED: load, EXCHANGE: exchange}


def stores_behind_the_next_load(f: Functions) -> dict[str, Function]:
    """Keep what a thread stores until it has loaded something."""
    kept = threading.local()

    def store(*arguments: int) -> int:
        kept.stored = arguments
        return 0

    def load(signal: int) -> int:
        value = f[LOAD](signal)
        if stored := getattr(kept, "stored", None):
            time.sleep(0.001)  # the other thread loads meanwhile
            f[STORE](*stored)
            kept.stored = None
        return value

    return {STORE: store, LOAD: load}


def judged(registry: Registry, mistake: Mistake, clause: str) -> Result:
    adapter = mistaken(registry, mistake)
    [result] = results(adapter, registry, clause, settings=Settings(seed=1))
    return result


@pytest.mark.parametrize("function", [WAIT, WAIT_ANY])
def test_a_load_that_a_wait_does_not_renew_is_blamed_on_the_wait(
    registry: Registry, function: str
) -> None:
    found = judged(registry, gives_again_what_was_loaded, f"{function}/order")
    assert (Verdict.FAIL, f"{function}/order") == (found.verdict, found.clause)


@pytest.mark.parametrize("clause", [f"{WAIT_ANY}/order", f"{STORE}/order", "signal/one-order"])
def test_who_is_right_passes(registry: Registry, clause: str) -> None:
    assert Verdict.PASS == judged(registry, honest, clause).verdict


def test_a_store_behind_a_load_is_recorded_and_accuses_nobody(registry: Registry) -> None:
    runs = (judged(registry, stores_behind_the_next_load, "signal/one-order") for _ in range(5))
    # Whether two threads meet so is chance.
    found = next((run for run in runs if run.verdict is not Verdict.PASS), None)
    assert found is not None
    assert found.verdict is Verdict.UNTESTED
    assert (found.reason or "").startswith("recorded, never judged: ")


def test_relaxed_functions_order_nothing(registry: Registry) -> None:
    """So nothing that they do can be wrong."""
    found = judged(registry, gives_again_what_was_loaded, f"{RELAXED}/order")
    assert (Verdict.UNTESTED, "a permission, which no behaviour can break") == (
        found.verdict,
        found.reason,
    )
