"""From the formats of images in a machine's file to the capabilities of an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from hsa_reference.images.images.elements import element
from hsa_reference.words import look_up, words
from hsa_spec import Registry, machines

_ENUMS = {
    "geometries": "geometry",
    "types": "channel_type",
    "orders": "channel_order",
    "capabilities": "capability",
}


def image_formats(
    registry: Registry,
    described: machines.Machine,
    agent: str,
    formats: Sequence[machines.ImageFormats],
) -> Mapping[tuple[int, int, int], int]:
    """Return capabilities by geometry, channel type and channel order.

    Args:
        registry: names all of them.
        described: the machine.
        agent: the agent's name.
        formats: that it has.

    Raises:
        MachineError: a word is unknown, or no text says how elements are stored.

    """
    known = {
        key: words(registry, f"hsa_ext_image_{name}_t", f"HSA_EXT_IMAGE_{name.upper()}_")
        for key, name in _ENUMS.items()
    }
    found: dict[tuple[int, int, int], int] = {}
    for index, item in enumerate(formats):
        place = ("runtime", "agents", agent, "image_formats", index)
        geometries, types, orders, capabilities = (
            [look_up(described, known[key], word, (*place, key)) for word in getattr(item, key)]
            for key in _ENUMS
        )
        for kind, order in product(item.types, item.orders):
            if element(kind.upper(), order.upper()) is None:
                rule = f"no text says how elements of {order} and {kind} are stored"
                raise described.error(place, rule)
        found |= dict.fromkeys(product(geometries, types, orders), sum(set(capabilities)))
    return found
