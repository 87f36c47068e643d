"""Agents whose scratch memory can be reclaimed."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.engine.judging.statuses import INVALID_ARGUMENT
from hsa_conformance.topics.amd.settings.state import Scratch
from hsa_conformance.topics.core.agents.fixtures import known_agents

SET_LIMIT = "hsa_amd_agent_set_async_scratch_limit"


def discover(fixtures: Fixtures) -> None:
    """Find out once which GPUs reclaim scratch memory: no query tells, only the call itself."""
    session = fixtures.session
    if session.model.live("scratch") or not session.offers(SET_LIMIT):
        return
    for agent in known_agents(fixtures, "gpu"):
        answer = session.call(
            SET_LIMIT, agent=agent.handle, threshold=limit(fixtures, agent.handle)
        )
        reclaimed = True if answer.ok else False if answer.name == INVALID_ARGUMENT else None
        most = limit(fixtures, agent.handle, "MAX")
        session.model.add("scratch", agent.handle, thing=Scratch(reclaimed, most))


def limit(fixtures: Fixtures, agent: int, which: str = "CURRENT") -> int:
    """Return a limit of the scratch memory of an agent, 0 where the release does not tell."""
    session, attribute = fixtures.session, f"HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_{which}"
    if not session.offered_api.has_attribute(attribute):
        return 0
    number = session.registry.constants[attribute]
    answer = session.call("hsa_agent_get_info", agent=agent, attribute=number, value=Out())
    return answer.number("value") if answer.ok else 0


def reclaiming(fixtures: Fixtures, *, wanted: bool = True) -> tuple[int, Scratch]:
    """Return a GPU that does or does not reclaim scratch memory, and what is known of it.

    Raises:
        Unavailable: there is none.

    """
    discover(fixtures)
    known = {
        a.handle: fixtures.session.model.find("scratch", a.handle)
        for a in known_agents(fixtures, "gpu")
    }
    found = [(h, s) for h, s in known.items() if isinstance(s, Scratch) and s.reclaimed is wanted]
    what = "GPU whose scratch memory can be reclaimed" if wanted else "GPU that cannot reclaim"
    return fixtures.available(found, what)


def _reclaims(b: Builder, x: str) -> None:
    b.values[x], scratch = reclaiming(b)
    b.values["threshold"] = b.draw(drawing.integers(0, scratch.most))


def _does_not_reclaim(b: Builder, x: str) -> None:
    b.values[x], _ = reclaiming(b, wanted=False)


GENERATORS: Mapping[str, Generators] = {
    "reclaims_scratch": Generators(_reclaims, _does_not_reclaim)
}
