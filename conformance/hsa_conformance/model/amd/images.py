"""Images whose layout another driver chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from hsa_conformance.findings import ProvesNothing
from hsa_conformance.model.images import images
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer

#: The version of hsa_amd_image_descriptor_t that drivers write.
VERSION: Final = 1
#: Words of 64 bits: the head, and the descriptor that kernels read.
WORDS: Final = 5


RECORD: Mapping[str, Callable[[Model, Answer], None]] = {
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
