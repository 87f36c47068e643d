"""Attributes of the system."""

from __future__ import annotations

import time
from collections.abc import Callable

from hsa_reference.attributes import answer, defaults, pack_all
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import Answer

FREQUENCY = 100_000_000  # of the system's clock, in Hz; attributes.yaml says the same


class System(Part):
    """The system.

    Attributes:
        attributes: the packed values of its attributes, by attribute.
        changing: how other topics compute attributes that are theirs, by attribute.

    """

    def __init__(self, state: State) -> None:
        values = {**defaults()["system"], **state.machine.system}
        self.attributes = pack_all(state.registry, ["hsa_system_info_t"], values)
        self.changing: dict[int, Callable[[], bytes]] = {}


PART = System


def timestamp() -> int:
    """Return the value of the system's clock, in ticks."""
    return time.monotonic_ns() * FREQUENCY // 10**9


@unlocked
def hsa_system_get_info(state: State, attribute: int, value: int) -> Answer:
    """Write the value of an attribute."""
    system = state.part(System)
    data = system.attributes.get(attribute)
    if data is None and attribute in system.changing:
        data = system.changing[attribute]()
    if data is None and attribute == state.registry.constants["HSA_SYSTEM_INFO_TIMESTAMP"]:
        data = timestamp().to_bytes(8, "little")
    return answer(data, value)
