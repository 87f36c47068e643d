"""Nobody is accused of a choice that the text leaves to a runtime."""

from __future__ import annotations

from itertools import count

import pytest

from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.topics.core.init.properties.restarts import _reordered
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, mistaken
from tests.wrong.inside import results

WAITS = tuple(f"hsa_signal_wait_{order}" for order in ("relaxed", "scacquire", "acquire"))


def ends_waits_early(f: Functions) -> dict[str, Function]:
    """Let two of three waits return at once, as any wait may."""
    number = count()

    def waiting(name: str) -> Function:
        def wait(signal: int, *arguments: int) -> int:
            if next(number) % 3:
                return f["hsa_signal_load_relaxed"](signal)
            return f[name](signal, *arguments)

        return wait

    return {name: waiting(name) for name in WAITS}


@pytest.mark.parametrize(
    "clause",
    [
        "hsa_amd_signal_create/ipc-any-process",
        "hsa_amd_memory_async_batch_copy/waits",
        "hsa_amd_memory_async_copy/completion",
        "hsa_queue_create/completion-decrements",
        "packet/service-is-answered",
    ],
)
def test_a_wait_that_ends_early_is_made_again(registry: Registry, clause: str) -> None:
    adapter = mistaken(registry, ends_waits_early)
    found = results(adapter, registry, clause, settings=Settings(seed=1))
    assert {Verdict.PASS} == {result.verdict for result in found}


def test_a_machine_in_another_order_is_the_same() -> None:
    """What one object says now that another one said before is no change; another value is one."""
    before = {("gpu1", "SIZE"): b"1", ("gpu2", "SIZE"): b"2", ("gpu1", "KIND"): b"1"}
    turned = {("gpu1", "SIZE"): b"2", ("gpu2", "SIZE"): b"1", ("gpu1", "KIND"): b"2"}
    assert {"SIZE"} == _reordered(before, turned)
