"""Sampling sessions: the suite can make none, since ways to sample are listed in structures."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.session.model import Fact, Model


def _is_supported(_: Model, agent: int, method: int, unit: int, interval: int) -> bool:
    """Return whether an agent can be sampled in a way; none has an interval of nothing."""
    if interval:
        raise ProvesNothing("nobody knows the intervals of an agent")
    return False


FACTS: Mapping[str, Fact] = {
    "can_be_sampled": lambda model, agent: model.find("sampled_agent", agent) is not None,
    "sampling_supported": _is_supported,
    "is_being_sampled": lambda model, agent: False,
    "sampling_is_reserved": lambda model, number, agent: False,
    "sampling_runs": lambda model, session: False,
}
