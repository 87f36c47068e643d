"""Signals of copies whose times were recorded."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.findings import Unavailable
from hsa_conformance.strategies.builder import Builder, Stock
from hsa_conformance.strategies.core.signals import signal
from hsa_conformance.strategies.device_copies import copied, device_room, host_room
from hsa_conformance.strategies.makers import Makers


def profile_copies(stock: Stock, *, enable: bool = True) -> None:
    """Have the times of copies recorded, or stop it."""
    stock.session.must("hsa_amd_profiling_async_copy_enable", enable=int(enable))


def profiled_copy(stock: Stock, done: int | None = None) -> int:
    """Let a GPU copy while times are recorded, and return the signal.

    Args:
        stock: where to copy.
        done: the signal; None for a new one.

    """
    source, target = host_room(stock), device_room(stock, stock.session.model.page_size)
    profile_copies(stock)
    finished = copied(stock, target, source, stock.session.model.page_size, done)
    stock.session.model.keep("profiled_copy", finished, thing=finished)
    return finished


def _profiled(b: Builder, x: str) -> None:
    if b.function.name == "hsa_amd_profiling_get_dispatch_time":
        raise Unavailable("UNTESTED", "the suite has no kernel to dispatch")
    b.values[x] = profiled_copy(b)


def _not_profiled(b: Builder, x: str) -> None:
    b.values[x] = signal(b)


MAKERS: Mapping[str, Makers] = {"was_profiled": Makers(_profiled, _not_profiled)}
