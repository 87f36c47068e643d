"""Settings of the runtime and of agents, which last as long as the process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition


@dataclass(frozen=True)
class Scratch:
    """The scratch memory of an agent.

    Attributes:
        reclaimed: whether it can be reclaimed while the agent runs, None where nobody knows.
        most: the largest limit, in bytes.

    """

    reclaimed: bool | None
    most: int


def _lasts(model: Model, _: Answer) -> None:
    model.lasting = True


def _reclaims_scratch(model: Model, agent: int) -> bool:
    known = model.find("scratch", agent)
    if not isinstance(known, Scratch):
        return False
    if known.reclaimed is None:
        raise ProvesNothing("whether scratch memory can be reclaimed is not known")
    return known.reclaimed


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_agent_set_async_scratch_limit": _lasts,
    "hsa_amd_enable_logging": _lasts,
    "hsa_amd_coherency_set_type": _lasts,
}

FACTS: Mapping[str, Fact] = {"reclaims_scratch": _reclaims_scratch}
