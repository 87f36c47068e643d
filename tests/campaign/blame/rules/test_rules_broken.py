"""Rules of memory, agents, processes and services: a reference that breaks one is blamed for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hsa_conformance import subjects
from hsa_conformance.topics.shared import signals
from hsa_reference import modelling
from hsa_reference.core.memory.state import Regions
from hsa_reference.core.queues import state as queues
from hsa_reference.core.queues.packets import PacketError, Packets
from hsa_reference.core.queues.queue import lay_out
from hsa_reference.core.queues.ring import Ring
from hsa_reference.core.signals.state import Signals
from hsa_reference.native import RELEASE
from hsa_reference.topics import effects
from hsa_reports import Verdict
from hsa_spec.machines.model import Pool

Effect = Callable[..., Any]
POOLS: Effect = modelling.usual_pools
LAY_OUT: Effect = lay_out
PERFORM: Effect = Packets.perform
PACKETS: Effect = Ring.packets
DEVICE = 17


def pools(changed: Callable[[Pool], Pool | None]) -> Effect:
    """Return what finds the pools of agents, each of them changed or left out."""
    return lambda agent: tuple(p for pool in POOLS(agent) if (p := changed(pool)) is not None)


def without(name: str) -> Effect:
    return pools(lambda pool: None if pool.name == name else pool)


def coarse(pool: Pool) -> Pool:
    return replace(pool, flags=("coarse_grained",)) if pool.segment == "global" else pool


def plain(pool: Pool) -> Pool:
    return replace(pool, flags=("fine_grained",)) if pool.name == "fine" else pool


def given_out(pool: Pool) -> Pool:
    return replace(pool, allocatable=True) if pool.name == "group" else pool


def written(offset: int, value: int) -> Effect:
    """Return what lays a queue out, with a number in its structure."""

    def wrongly(queue: Any, *rest: Any) -> None:
        LAY_OUT(queue, *rest)
        ctypes.memmove(queue.address + offset, value.to_bytes(4, "little"), 4)

    return wrongly


def unread(self: Any, index: int) -> None:
    """Give a packet back, and keep the read index."""
    self._native.store_16(self._slot(index), 1, RELEASE)


def once_round(self: Any) -> Any:
    """End with the last packet of the ring."""
    for index, slot in PACKETS(self):
        yield index, slot
        if index + 1 == self._size:
            return


def of_system_scope_alone(self: Any, address: int) -> int:
    """Take a packet whose fences reach over the system, or are none."""
    header = int.from_bytes(ctypes.string_at(address, 2), "little")
    if 1 in (header >> 9 & 3, header >> 11 & 3):
        raise PacketError("HSA_STATUS_ERROR_INVALID_PACKET_FORMAT")
    return int(PERFORM(self, address))


FEATURES, RESERVED = 4, 28
MISTAKES: Mapping[str, tuple[object, str, object]] = {
    "region/fine-grained": (modelling, "usual_pools", pools(coarse)),
    "region/kernarg": (modelling, "usual_pools", pools(plain)),
    "region/group-and-private": (modelling, "usual_pools", without("private")),
    "region/readonly": (modelling, "usual_pools", without("readonly")),
    "region/allocatable": (modelling, "usual_pools", pools(given_out)),
    "queue/features-of-agent": (queues, "lay_out", written(FEATURES, 2)),
    "queue/reserved-zero": (queues, "lay_out", written(RESERVED, 1)),
    "queue/read-index-counts": (Ring, "give_back", unread),
    "queue/ring-wraps": (Ring, "packets", once_round),
    "packet/fence-scopes": (Packets, "perform", of_system_scope_alone),
}


def another_index(effect: Effect) -> Effect:
    """Return an index that is one too large."""
    return lambda *given: effect(*given) + 1


def of_another_kind(effect: Effect) -> Effect:
    """Call CPUs signal processors."""

    def answered(state: Any, agent: int, attribute: int, value: int) -> Any:
        result = effect(state, agent, attribute, value)
        if attribute == DEVICE and not any(ctypes.string_at(value, 4)):
            ctypes.memmove(value, b"\2\0\0\0", 4)
        return result

    return answered


def zeroed(effect: Effect) -> Effect:
    """Store 0, whatever is asked for."""
    return lambda state, queue, _: effect(state, queue, 0)


def stopping(effect: Effect) -> Effect:
    """Process no packet any more."""

    def answered(state: Any, queue: int, value: int) -> Any:
        if processor := state.part(queues.Queues).by_address[queue].processor:
            processor.stop()
        return effect(state, queue, value)

    return answered


def forgetful(effect: Effect) -> Effect:
    """Set all signals to 0."""

    def answered(state: Any, *given: int) -> Any:
        held = state.part(Signals)
        for handle in list(held.by_handle):
            held.native.signal_store(handle, 0, RELEASE)
        return effect(state, *given)

    return answered


def zero(effect: Effect) -> Effect:
    """Call the signal 0."""

    def answered(state: Any, *given: int) -> Any:
        result = effect(state, *given)
        ctypes.memset(given[-1], 0, 8)
        return result

    return answered


def shared(effect: Effect) -> Effect:
    """Count what another process initialises."""
    counted = []

    def answered(state: Any) -> Any:
        counted.append(state)
        for other in counted:
            other.references += other is not state
        return effect(state)

    return answered


EFFECTS: Mapping[str, tuple[str, Callable[[Effect], Effect]]] = {
    "agent/host-is-listed": ("hsa_agent_get_info", of_another_kind),
    "signal/handle-zero-reserved": ("hsa_signal_create", zero),
    "runtime/threads": ("hsa_system_get_info", forgetful),
    "runtime/of-one-process": ("hsa_init", shared),
    "queue/index-by-store": ("hsa_queue_store_write_index_screlease", stopping),
    "packet/service-reaches-consumer": ("hsa_queue_add_write_index_screlease", another_index),
    "packet/service-is-answered": ("hsa_queue_store_read_index_screlease", zeroed),
}


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the reference does not do soon it never does."""
    monkeypatch.setattr(signals, "PATIENCE", 0.5)


@pytest.mark.parametrize("clause", MISTAKES)
def test_a_mistake_is_blamed(
    judged: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, clause: str
) -> None:
    assert judged(clause) is Verdict.PASS
    monkeypatch.setattr(*MISTAKES[clause])
    assert judged(clause) in {Verdict.WARN, Verdict.FAIL}


def test_a_second_gpu_without_regions_of_its_own_is_blamed(
    judged: Callable[..., Verdict], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it lists what the host has, and nothing else, its pools say what is missing."""
    clause = "hsa_agent_iterate_regions/as-pools"
    machine = subjects.Options(machine="gfx90a-2")
    assert judged(clause, machine) is Verdict.PASS
    of = Regions.of

    def of_the_first(regions: Regions, agent: int) -> list[int]:
        owners = [regions.by_handle[handle].heap.agent for handle in regions.by_handle]
        second = agent == list(dict.fromkeys(owners))[-1]
        lost = agent if second else None
        return [h for h in of(regions, agent) if regions.by_handle[h].heap.agent != lost]

    monkeypatch.setattr(Regions, "of", of_the_first)
    assert judged(clause, machine) is Verdict.WARN


@pytest.mark.parametrize("clause", EFFECTS)
def test_a_wrong_function_is_blamed(
    judged: Callable[[str], Verdict], monkeypatch: pytest.MonkeyPatch, clause: str
) -> None:
    function, wrong = EFFECTS[clause]
    assert judged(clause) is Verdict.PASS
    monkeypatch.setitem(effects(), function, wrong(effects()[function]))
    assert judged(clause) in {Verdict.WARN, Verdict.FAIL}
