"""Who holds the streaming counters of a GPU."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_reports import Verdict


def _acquire(model: Model, answer: Answer) -> None:
    agent = answer.args["preferred_agent"]
    model.add("counters", agent, thing=agent)


def _release(model: Model, answer: Answer) -> None:
    model.remove("counters", answer.args["preferred_agent"])


def _holds(model: Model, agent: int) -> bool:
    """Return whether the process holds the counters of a GPU.

    Raises:
        Unavailable: the driver gives nobody the counters of any GPU.
        ProvesNothing: it gives nobody those of this one.

    """
    offered = model.live("counters_offered")
    if not offered:
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "the driver gives nobody a GPU's streaming counters"
        )
    known = model.find("agent", agent)
    if known is not None and known.device == "gpu" and agent not in offered:
        raise ProvesNothing("the driver gives nobody the streaming counters of this GPU")
    return model.find("counters", agent) is not None


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_spm_acquire": _acquire,
    "hsa_amd_spm_release": _release,
}

CLEAN_UP = (
    CleanUp("counters", "hsa_amd_spm_release", "preferred_agent", makers=["hsa_amd_spm_acquire"]),
)

FACTS: Mapping[str, Fact] = {"holds_counters": _holds}
