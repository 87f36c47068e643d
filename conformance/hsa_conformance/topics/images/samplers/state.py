"""What creating and destroying samplers changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.images.images.state import image_agent

DESTROY: Final = "hsa_ext_sampler_destroy"

#: The most that each member can be; what follows the filter is an addressing mode in the forms
#: that have no filter between levels.
COORDINATES: Final = 1
FILTERS: Final = 1
MODES: Final = 4
#: Modes that make sense whichever way coordinates count.
SIMPLE_MODES: Final = 2


@dataclass(frozen=True)
class Sampler:
    """A live sampler."""

    agent: int


def _create(model: Model, answer: Answer) -> None:
    agent, handle = answer.args["agent"], answer["sampler"]
    model.add("sampler", handle, thing=Sampler(agent))
    model.add(DESTROY, agent, handle, thing=Sampler(agent))


def _destroy(model: Model, answer: Answer) -> None:
    handle = answer.args["sampler"]
    sampler = model.find("sampler", handle)
    if isinstance(sampler, Sampler):
        model.remove("sampler", handle)
        model.remove(DESTROY, sampler.agent, handle)


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_ext_sampler_create": _create,
    "hsa_ext_sampler_create_v2": _create,
    DESTROY: _destroy,
}

CLEAN_UP = (
    CleanUp(
        DESTROY,
        DESTROY,
        "agent",
        "sampler",
        makers=["hsa_ext_sampler_create", "hsa_ext_sampler_create_v2"],
    ),
)


def _supported(model: Model, agent: int, address: int) -> bool:
    """Decide for descriptors that mean the same in every form."""
    if not address:
        return False
    if not image_agent(model, agent).limits:
        raise ProvesNothing("the texts do not say what samplers of agents without images are")
    words = [half for word in model.words(address, 3) for half in (word & 0xFFFFFFFF, word >> 32)]
    coordinates, filter_, *modes = words
    if coordinates > COORDINATES or filter_ > FILTERS + 1 or min(modes) > MODES:
        return False
    most = MODES if coordinates else SIMPLE_MODES
    if filter_ > FILTERS or max(modes) > most:
        raise ProvesNothing("the texts leave open whether such a sampler has to be there")
    return True


FACTS: Mapping[str, Fact] = {"sampler_supported": _supported}
