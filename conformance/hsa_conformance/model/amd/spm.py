"""Who holds the streaming counters of a GPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hsa_conformance.findings import Unavailable
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


def _acquire(model: Model, answer: Answer) -> None:
    agent = answer.args["preferred_agent"]
    model.keep("counters", agent, thing=agent)


def _release(model: Model, answer: Answer) -> None:
    model.drop("counters", answer.args["preferred_agent"])


def _holds(model: Model, agent: int) -> bool:
    """Tell whether the process holds the counters of a GPU.

    Raises:
        Unavailable: the driver gives nobody the counters of this GPU.

    """
    if model.find("counters_offered", agent) is None:
        raise Unavailable("NOT_APPLICABLE", "the driver gives nobody a GPU's streaming counters")
    return model.find("counters", agent) is not None


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_spm_acquire": _acquire,
    "hsa_amd_spm_release": _release,
}

RELEASE: Mapping[str, tuple[str, str]] = {"counters": ("hsa_amd_spm_release", "preferred_agent")}

FACTS: Mapping[str, Fact] = {"holds_counters": _holds}
