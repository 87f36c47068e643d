"""Limits of scratch that queues keep: libraries that do not wait, or lose private memory."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from hsa_reference.core.queues.packets import Packets
from hsa_reference.core.queues.scratch import Scratch
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, mistaken
from tests.wrong.inside import results

pytestmark = pytest.mark.skipif(find_spec("numpy") is None, reason="kernels need numpy")

SET_LIMIT = "hsa_amd_agent_set_async_scratch_limit"
WAITS, KEEP = f"{SET_LIMIT}/waits", f"{SET_LIMIT}/kernels-keep-private-memory"
PRIVATE, COMPLETION = slice(24, 28), slice(56, 64)  # of a packet


def verdicts(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, *, lost_at: int | None
) -> set[str]:
    """Return the broken clauses of a library.

    Args:
        registry: the registry.
        monkeypatch: puts the reference right again.
        lost_at: the limit from which down kernels with private memory do nothing; None for none.

    """
    limit = [1 << 64]
    dispatch = Packets._dispatch

    def launch(packets: Packets, packet: bytes, address: int, number: int) -> int:
        private = int.from_bytes(packet[PRIVATE], "little")
        if lost_at is not None and private and limit[0] <= lost_at:
            return int.from_bytes(packet[COMPLETION], "little")
        return dispatch(packets, packet, address, number)

    def mistake(real: Functions) -> dict[str, Function]:
        def set_limit(agent: int, threshold: int) -> int:
            limit[0] = threshold
            return real[SET_LIMIT](agent, threshold)

        return {SET_LIMIT: set_limit}

    monkeypatch.setattr(Packets, "_dispatch", launch)
    found = results(mistaken(registry, mistake, "gfx90a-kernels"), registry, WAITS, KEEP)
    assert {"PASS", "FAIL"} >= {result.verdict for result in found}, found
    return {result.clause for result in found if result.verdict == "FAIL"}


def test_the_reference_does_as_the_text_says(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set() == verdicts(registry, monkeypatch, lost_at=None)


def test_a_limit_that_does_not_wait_is_found(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Scratch, "wait", lambda _, limit: None)
    assert {WAITS} == verdicts(registry, monkeypatch, lost_at=None)


def test_private_memory_that_is_lost_with_a_limit_of_0_is_found(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {KEEP} == verdicts(registry, monkeypatch, lost_at=0)
