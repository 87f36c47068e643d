"""Images whose layout another driver chose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition
from hsa_conformance.topics.images.images import state as images

#: The version of hsa_amd_image_descriptor_t that drivers write.
VERSION: Final = 1
#: Words of 64 bits: the head, and the descriptor that kernels read.
WORDS: Final = 5


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_image_create": images.create,
    "hsa_amd_image_create_v2": images.create,
}


def _layout_matches(model: Model, agent: int, address: int, layout: int) -> bool:
    descriptor = images.described(model, address)
    if descriptor is None or not layout:
        return False
    words = model.words(layout, WORDS)
    version, device = words[0] & 0xFFFFFFFF, words[0] >> 32
    if version != VERSION or device != images.image_agent(model, agent).device:
        return False
    if model.find("image layout", agent, *descriptor.key, *words):
        return True
    raise ProvesNothing("nobody knows what the layout is for")


FACTS: Mapping[str, Fact] = {"image_layout_matches": _layout_matches}
