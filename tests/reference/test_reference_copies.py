"""Copies of the reference where threads meet."""

from __future__ import annotations

import ctypes
import threading

import pytest

from hsa_reference.amd.copies.batches import EQUAL, Batches
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import LOCK
from hsa_reference.native import native
from tests.reference.reference_client import Client


def lock_is_held() -> bool:
    """Return whether no other thread could take the lock."""
    free: list[bool] = []

    def look() -> None:
        free.append(LOCK.acquire(blocking=False))
        if free[0]:
            LOCK.release()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return not free[0]


def test_nobody_gives_back_what_a_batch_reads_to_wait_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[bool] = []
    load = native().load_64

    def watched(address: int, order: int) -> int:
        held.append(lock_is_held())
        return load(address, order)

    monkeypatch.setattr(native(), "load_64", watched)
    number, state = ctypes.c_uint64(0x107), client.runtime.state
    wait = {"addr": ctypes.addressof(number), "mask": 0xFF, "value": 7, "function": EQUAL}
    operation = {f"wait.{name}": value for name, value in wait.items()}
    state.part(Batches)._wait(operation, state.part(Places).era)
    assert [True] == held
