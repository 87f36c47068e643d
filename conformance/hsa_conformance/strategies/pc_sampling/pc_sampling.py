"""Agents that can be sampled, and handles that are no sampling sessions."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_adapters.protocol import Callback
from hsa_conformance.findings import Unavailable
from hsa_conformance.strategies.builder import Builder, Lacking, Stock
from hsa_conformance.strategies.makers import Makers

ITERATE = "hsa_ven_amd_pcs_iterate_configuration"
CONFIGURATION = "hsa_ven_amd_pcs_iterate_configuration_callback_t"


def survey(stock: Stock) -> None:
    """Ask each GPU, once, how it can be sampled."""
    sampled_agents(stock)


def sampled_agents(stock: Stock) -> list[int]:
    """Return the GPUs that list ways to sample; they are asked once."""
    session = stock.session
    if session.model.find("survey", 2) is None:
        session.model.keep("survey", 2, thing="sampling")
        for gpu in stock.agents("gpu"):
            answer = session.call(
                ITERATE,
                agent=gpu.handle,
                configuration_callback=Callback(CONFIGURATION),
                callback_data=0,
            )
            if answer.ok and answer.callbacks:
                session.model.keep("sampled_agent", gpu.handle, thing=gpu.handle)
    return session.model.kept("sampled_agent")


def sampled_agent(stock: Stock) -> int:
    """Return a GPU that can be sampled.

    Raises:
        Lacking: there is none.

    """
    found = sampled_agents(stock)
    if not found:
        raise Lacking("no GPU agent lists a way to sample it")
    return stock.choose(found)


def _no_session(b: Builder, *_: str) -> None:
    sampled_agent(b)
    raise Unavailable("UNTESTED", "the suite cannot read the ways to sample that an agent lists")


def _sampled(b: Builder, agent: str) -> None:
    b.values[agent] = sampled_agent(b)


def _not_sampled(b: Builder, agent: str) -> None:
    listing = sampled_agents(b)
    others = [gpu.handle for gpu in b.agents("gpu") if gpu.handle not in listing]
    if not others:
        raise Lacking("every GPU agent lists a way to sample it")
    b.values[agent] = b.choose(others)


def _no_handle(b: Builder, session: str) -> None:
    b.values[session] = b.choose([b.readable(), b.choose(b.agents()).handle])


def _unsupported(b: Builder, agent: str, method: str, unit: str, interval: str) -> None:
    b.values[interval] = 0


def _unreserved(b: Builder, number: str, _: str) -> None:
    b.values[number] = b.choose([0x7FFFFFFF, 0])


def _anything(b: Builder, *_: str) -> None:
    """Leave a call as it is: what is asked for holds already."""


MAKERS: Mapping[str, Makers] = {
    "can_be_sampled": Makers(_sampled, _not_sampled),
    "is_sampling_session": Makers(_no_session, _no_handle),
    "sampling_supported": Makers(_no_session, _unsupported),
    "is_being_sampled": Makers(_no_session, _anything),
    "sampling_is_reserved": Makers(_no_session, _unreserved),
    "sampling_runs": Makers(_no_session, _anything),
}
