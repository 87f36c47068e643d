"""Streaming counters of GPUs."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.strategies.builder import Builder, Lacking, Stock
from hsa_conformance.strategies.makers import Makers


def survey(stock: Stock) -> None:
    """Find out, once, which GPUs give their counters to those who ask."""
    session = stock.session
    if session.model.find("survey", 1) is not None:
        return
    session.model.keep("survey", 1, thing="streaming counters")
    for gpu in stock.agents("gpu"):
        if session.call("hsa_amd_spm_acquire", preferred_agent=gpu.handle).ok:
            session.must("hsa_amd_spm_release", preferred_agent=gpu.handle)
            session.model.keep("counters_offered", gpu.handle, thing=gpu.handle)


def offering(stock: Stock) -> int:
    """Return a GPU that gives its counters.

    Raises:
        Lacking: there is none.

    """
    survey(stock)
    found = stock.session.model.kept("counters_offered")
    if not found:
        raise Lacking("the driver gives nobody a GPU's streaming counters")
    gpu: int = stock.choose(found)
    return gpu


def _held(b: Builder, agent: str) -> None:
    b.values[agent] = offering(b)
    b.session.must("hsa_amd_spm_acquire", preferred_agent=b.number(agent))


def _not_held(b: Builder, agent: str) -> None:
    b.values[agent] = offering(b)


MAKERS: Mapping[str, Makers] = {"holds_counters": Makers(_held, _not_held)}
