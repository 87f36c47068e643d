"""The compute units that queues may use, as masks with a bit for each."""

from __future__ import annotations

from ctypes import memmove, string_at

from hsa_reference.core.agents import Agents
from hsa_reference.core.queues.state import Queues
from hsa_reference.requests import UNITS, ask
from hsa_reference.state import Part, State

# From this generation on, two compute units make a work-group processor.
_FIRST_IN_PAIRS = 10
_NAME, _COUNT = "HSA_AGENT_INFO_NAME", "HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT"


class Units(Part):
    """The masks of queues. No work depends on them: kernels run where the system lets them."""

    def __init__(self, state: State) -> None:
        self._queues = state.part(Queues)
        self._agents = state.part(Agents)
        self._constants = state.registry.constants
        self._masks: dict[int, int] = {}  # by queue; one that is not here may use all units
        self._queues.ending.append(self._forget)
        state.facts["units_in_pairs"] = self._in_pairs
        state.facts["enables_masked_units"] = lambda *_: False  # nothing disables any for all

    def choose(self, queue: int, bits: int, mask: int) -> None:
        """Let a queue use the units of a mask.

        Args:
            queue: its address.
            bits: how many the mask has; with 0 the queue may use all units.
            mask: the address of the mask.

        Raises:
            OSError: the driver refuses it.

        """
        ask(UNITS)
        every = self._every(queue)
        self._masks[queue] = read(bits, mask) & every if bits else every

    def write(self, queue: int, bits: int, mask: int) -> None:
        """Write the first bits of the mask of a queue to an address."""
        found = self._masks.get(queue, self._every(queue)) & (1 << bits) - 1
        memmove(mask, found.to_bytes(bits // 8, "little"), bits // 8)

    def pairs_whole(self, agent: int, bits: int, mask: int) -> bool:
        """Return whether a mask has both units of a pair or none, where the agent has pairs."""
        name = self._attribute(agent, _NAME).rstrip(b"\0").decode()
        generation = name.removeprefix("gfx")[:-2]
        if not generation.isdigit() or int(generation) < _FIRST_IN_PAIRS:
            return True
        units = read(bits, mask)
        return all(units >> i & 3 in (0, 3) for i in range(0, bits, 2))

    def _forget(self, queue: int) -> None:
        self._masks.pop(queue, None)

    def _in_pairs(self, queue: int, bits: int, mask: int) -> bool:
        found = self._queues.by_address.get(queue)
        if found is None or not found.on_gpu or not mask:
            return True
        return self.pairs_whole(found.agent, bits, mask)

    def _every(self, queue: int) -> int:
        agent = self._queues.by_address[queue].agent
        return (1 << int.from_bytes(self._attribute(agent, _COUNT), "little")) - 1

    def _attribute(self, agent: int, name: str) -> bytes:
        return self._agents.by_handle[agent].attributes[self._constants[name]]


def read(bits: int, mask: int) -> int:
    """Return the mask of so many bits, a multiple of 8, at an address."""
    return int.from_bytes(string_at(mask, bits // 8), "little")
