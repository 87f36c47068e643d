"""Errors of our own in the threads of a runtime: a line, and an end that the client sees."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator

import pytest

from hsa_reference.amd.copies.batches import Batches
from hsa_reference.amd.copies.worker import Worker
from hsa_reference.amd.queues.interception import Interceptor
from hsa_reference.amd.signals.handlers import Handlers
from hsa_reference.core.queues.packets import Packets
from hsa_reference.memory import PAGE
from tests.library.reference.reference_client import Client
from tests.library.reference.test_reference_copies import Batch, copy, signal, wait
from tests.library.reference.test_reference_queues import BARRIER_AND, OUT, barrier, submit

_ADVICE = ": this is a defect of the reference, please report it"
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)


@pytest.fixture
def line(capfd: pytest.CaptureFixture[str]) -> Iterator[list[str]]:
    """What the one line on stderr begins with, which the test appends."""
    expected: list[str] = []
    yield expected
    [found] = capfd.readouterr().err.splitlines()
    assert found.startswith(f"hsa_reference: {expected[0]} (")
    assert found.endswith(_ADVICE)


def fail(*_: object) -> None:
    raise TypeError("no good")


@pytest.mark.parametrize("when", ["do", "is_ready"])  # in its work, and while it waits
def test_a_copy_that_meets_a_defect_fails(
    client: Client, monkeypatch: pytest.MonkeyPatch, line: list[str], when: str
) -> None:
    line.append("a copy: TypeError: no good")
    batch = Batch(client)
    monkeypatch.setattr(Batches, when, fail)
    source, target = batch.at(0, 1)
    batch.start(0, src=source, dst=target, size=8)
    assert -1 == wait(client, batch.done, 1)


def test_a_number_to_wait_for_that_cannot_be_read_fails_the_operation(client: Client) -> None:
    batch = Batch(client)
    source, target = batch.at(0, 1)
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, PAGE, 0, OUT)
    batch.start(0, src=source, dst=target, size=8, **{"wait.addr": there + PAGE - 4})
    assert -1 == wait(client, batch.done, 1)


def test_copies_that_nobody_does_any_more_fail_and_later_ones_do_not(
    client: Client, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    line.append("copies: TypeError: no good")
    gate, done, later = signal(client, 1), signal(client, 1), signal(client, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Worker, "_wait", fail)
        copy(client, gate, done)
        assert -1 == wait(client, done, 1)
    copy(client, 0, later)
    assert 0 == wait(client, later, 1)


@pytest.mark.parametrize("intercepted", [False, True])
def test_a_queue_that_meets_a_defect_is_in_error(
    client: Client, monkeypatch: pytest.MonkeyPatch, line: list[str], intercepted: bool
) -> None:
    line.append("a queue: TypeError: no good")
    told, statuses = threading.Event(), []

    def callback(status: int, source: int, data: int) -> None:
        statuses.append(client.runtime.registry.status_name(status))
        told.set()

    kept = _CALLBACK(callback)
    address = ctypes.cast(kept, ctypes.c_void_p).value or 0
    if intercepted:
        monkeypatch.setattr(Interceptor, "_pass", fail)
        create = "hsa_amd_queue_intercept_create"
        made = client.ok(create, client.gpu, 64, 0, address, 0, 0, 0, OUT)
    else:
        monkeypatch.setattr(Packets, "perform", fail)
        made = client.ok("hsa_queue_create", client.gpu, 64, 0, address, 0, 0, 0, OUT)
    submit(client, made, barrier(BARRIER_AND, [], 0))
    assert told.wait(5)
    client.ok("hsa_queue_destroy", made)
    assert ["HSA_STATUS_ERROR_FATAL"] == statuses


def test_handlers_that_meet_a_defect_end_with_a_line(
    client: Client, monkeypatch: pytest.MonkeyPatch, line: list[str]
) -> None:
    line.append("HSA handlers: TypeError: no good")
    monkeypatch.setattr(Handlers, "_look_at", fail)
    nothing = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_uint64)(lambda *_: False)
    address = ctypes.cast(nothing, ctypes.c_void_p).value
    client.ok("hsa_amd_signal_async_handler", signal(client, 0), 0, 0, address, 0)
    [thread] = [t for t in threading.enumerate() if t.name == "HSA handlers"]
    thread.join(5)
    assert not thread.is_alive()
