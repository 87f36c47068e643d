"""Buffers of other drivers that are mapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.core.agents.state import find_agent

UNMAP: Final = "hsa_amd_interop_unmap_buffer"


@dataclass(frozen=True)
class Buffer:
    """A mapping of a buffer."""

    size: int


def _map(model: Model, answer: Answer) -> None:
    model.add("interop buffer", answer["ptr"], thing=Buffer(answer.number("size")))


def _unmap(model: Model, answer: Answer) -> None:
    model.remove("interop buffer", answer.args["ptr"])


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_interop_map_buffer": _map,
    "hsa_amd_interop_map_buffer_with_size": _map,
    UNMAP: _unmap,
}

CLEAN_UP = (
    CleanUp(
        "interop buffer",
        UNMAP,
        "ptr",
        makers=["hsa_amd_interop_map_buffer", "hsa_amd_interop_map_buffer_with_size"],
    ),
)


def _can_export(model: Model, agents: int, handle: int) -> bool:
    """Decide for the suite's own buffers, and for the first agent, which is a GPU in its calls."""
    if handle not in model.descriptors or not agents:
        return False
    if not model.holds("is_shareable", handle):
        return False
    agent = find_agent(model, model.words(agents, 1)[0])
    if agent is None or agent.device != "gpu":
        raise ProvesNothing("the texts do not say which agents can map a buffer")
    return True


def _is_buffer(model: Model, address: int) -> bool:
    return model.find("interop buffer", address) is not None


FACTS: Mapping[str, Fact] = {"can_export_buffer": _can_export, "is_interop_buffer": _is_buffer}
