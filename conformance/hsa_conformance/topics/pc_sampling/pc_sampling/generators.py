"""Agents that can be sampled, and handles that are no sampling sessions."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_reports import Verdict

ITERATE = "hsa_ven_amd_pcs_iterate_configuration"
CONFIGURATION = "hsa_ven_amd_pcs_iterate_configuration_callback_t"


def discover(fixtures: Fixtures) -> None:
    """Ask each GPU, once, how it can be sampled."""
    sampled_agents(fixtures)


def sampled_agents(fixtures: Fixtures) -> list[int]:
    """Return the GPUs that list ways to sample; they are asked once."""
    session = fixtures.session
    if session.model.find("discover", 2) is None:
        session.model.add("discover", 2, thing="sampling")
        for gpu in known_agents(fixtures, "gpu"):
            answer = session.call(
                ITERATE,
                agent=gpu.handle,
                configuration_callback=Callback(CONFIGURATION),
                callback_data=0,
            )
            if answer.ok and answer.callbacks:
                session.model.add("sampled_agent", gpu.handle, thing=gpu.handle)
    return session.model.live("sampled_agent")


def sampled_agent(fixtures: Fixtures) -> int:
    """Return a GPU that can be sampled.

    Raises:
        NotOnMachine: there is none.

    """
    found = sampled_agents(fixtures)
    if not found:
        raise NotOnMachine("no GPU agent lists a way to sample it")
    return fixtures.choose(found)


def _no_session(b: Builder, *_: str) -> None:
    sampled_agent(b)
    raise Unavailable(
        Verdict.UNTESTED, "the suite cannot read the ways to sample that an agent lists"
    )


def _sampled(b: Builder, agent: str) -> None:
    b.values[agent] = sampled_agent(b)


def _not_sampled(b: Builder, agent: str) -> None:
    listing = sampled_agents(b)
    others = [gpu.handle for gpu in known_agents(b, "gpu") if gpu.handle not in listing]
    if not others:
        raise NotOnMachine("every GPU agent lists a way to sample it")
    b.values[agent] = b.one_of(others)


def _no_handle(b: Builder, session: str) -> None:
    b.values[session] = b.no_object(session, (agent.handle for agent in known_agents(b)))


def _unsupported(b: Builder, agent: str, method: str, unit: str, interval: str) -> None:
    b.values[interval] = 0


def _unreserved(b: Builder, number: str, _: str) -> None:
    b.values[number] = b.choose([0x7FFFFFFF, 0])


def _anything(b: Builder, *_: str) -> None:
    """Leave a call as it is: what is asked for holds already."""


GENERATORS: Mapping[str, Generators] = {
    "can_be_sampled": Generators(_sampled, _not_sampled),
    "is_sampling_session": Generators(_no_session, _no_handle),
    "sampling_supported": Generators(_no_session, _unsupported),
    "is_being_sampled": Generators(_no_session, _anything),
    "sampling_is_reserved": Generators(_no_session, _unreserved),
    "sampling_runs": Generators(_no_session, _anything),
}
