"""A machine that does otherwise what driver and devices may do in several ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters.virtual_kfd import load_machine
from hsa_adapters.virtual_kfd.tree import TOPOLOGY
from tests.library.virtual_kfd import kfd_structures as k
from tests.library.virtual_kfd.kfd_calls import GPU, PAGE, Kfd, map_memory, refusal, until
from tests.library.virtual_kfd.kfd_process import inside
from tests.library.virtual_kfd.kfd_queue import AqlQueue, Queue, Signals, value_of

USUAL, OTHERWISE = "gfx90a", "gfx90a-otherwise"


@inside(OTHERWISE)
def test_numbers_are_others(kfd: Kfd) -> None:
    """Buffers, descriptors, queues and their doorbells have numbers that are not the first ones."""
    buffer = kfd.allocate(PAGE)
    assert 5001 == buffer.handle & 0xFFFFFFFF
    assert kfd.export(buffer.handle) >= 100
    assert 300 == Queue(kfd, k.AQL).id


@inside(OTHERWISE)
def test_refusals_have_another_reason(kfd: Kfd) -> None:
    """Arguments are refused with another errno; a lack of memory is still one."""
    assert "EPERM" == refusal(kfd.allocate, 0)
    assert "ENOMEM" == refusal(kfd.allocate, 1 << 50)


@inside(OTHERWISE)
def test_defaults_of_shared_memory_are_others(kfd: Kfd) -> None:
    """Memory of which nothing was said is at a place, and what is said of it counts as ever."""
    start = map_memory(PAGE)
    assert (GPU, GPU, 1, 5) == kfd.svm_get(
        start, PAGE, k.PREFERRED, k.PREFETCH, k.SET_FLAGS, k.GRANULARITY
    )
    kfd.svm_set(start, PAGE, (k.PREFERRED, 0), (k.GRANULARITY, 12))
    assert (0, 12) == kfd.svm_get(start, PAGE, k.PREFERRED, k.GRANULARITY)


@inside(OTHERWISE)
def test_what_has_to_be_done_is_done(kfd: Kfd) -> None:
    """A packet is processed, and its signal counted down, although all of it takes longer."""
    queue, signals = AqlQueue(kfd), Signals(kfd)
    completion = signals.new(1)
    queue.barrier(completion=completion)
    assert queue.done()
    assert until(lambda: value_of(completion) == 0)


def _node(root: Path) -> dict[str, str]:
    lines = (root / TOPOLOGY / "nodes/1/properties").read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines)


def test_the_devices_have_other_values(machines: Callable[..., Any]) -> None:
    """Of one architecture, and with other clocks, versions and places."""
    usual, other = _node(machines(USUAL).root), _node(machines(OTHERWISE).root)
    assert usual["gfx_target_version"] == other["gfx_target_version"]
    for name in ("device_id", "fw_version", "max_engine_clk_fcompute", "unique_id", "location_id"):
        assert usual[name] != other[name], name


@pytest.mark.parametrize(("name", "expected"), [(USUAL, False), (OTHERWISE, True)])
def test_a_machine_says_whether_it_does_otherwise(name: str, expected: bool) -> None:
    """Only the machine of that name does."""
    assert expected is load_machine(name).driver.otherwise
