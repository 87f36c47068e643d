"""Agents whose scratch memory can be reclaimed."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from hsa_conformance.calls import Out
from hsa_conformance.model.amd.settings import Scratch
from hsa_conformance.strategies.builder import Builder, Stock
from hsa_conformance.strategies.makers import Makers

SET_LIMIT = "hsa_amd_agent_set_async_scratch_limit"
REFUSED = "HSA_STATUS_ERROR_INVALID_ARGUMENT"


def survey(stock: Stock) -> None:
    """Find out once which GPUs reclaim scratch memory: no query tells, only the call itself."""
    session = stock.session
    if session.model.kept("scratch") or SET_LIMIT not in session.exports:
        return
    for agent in stock.agents("gpu"):
        answer = session.call(SET_LIMIT, agent=agent.handle, threshold=limit(stock, agent.handle))
        reclaimed = True if answer.ok else False if answer.name == REFUSED else None
        most = limit(stock, agent.handle, "MAX")
        session.model.keep("scratch", agent.handle, thing=Scratch(reclaimed, most))


def limit(stock: Stock, agent: int, which: str = "CURRENT") -> int:
    """Return a limit of the scratch memory of an agent, 0 where the release does not tell."""
    answer = stock.session.call(
        "hsa_agent_get_info",
        agent=agent,
        attribute=stock.session.registry.constants[f"HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_{which}"],
        value=Out(8),
    )
    return answer.number("value") if answer.ok else 0


def reclaiming(stock: Stock, *, wanted: bool = True) -> tuple[int, Scratch]:
    """Return a GPU that does or does not reclaim scratch memory, and what is known of it.

    Raises:
        Unavailable: there is none.

    """
    survey(stock)
    known = {a.handle: stock.session.model.find("scratch", a.handle) for a in stock.agents("gpu")}
    found = [(h, s) for h, s in known.items() if isinstance(s, Scratch) and s.reclaimed is wanted]
    what = "GPU whose scratch memory can be reclaimed" if wanted else "GPU that cannot reclaim"
    return stock.available(found, what)


def _reclaims(b: Builder, x: str) -> None:
    b.values[x], scratch = reclaiming(b)
    b.values["threshold"] = b.draw(st.integers(0, scratch.most))


def _does_not_reclaim(b: Builder, x: str) -> None:
    b.values[x], _ = reclaiming(b, wanted=False)


MAKERS: Mapping[str, Makers] = {"reclaims_scratch": Makers(_reclaims, _does_not_reclaim)}
