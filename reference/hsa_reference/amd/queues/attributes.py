"""What queues say of themselves."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reference.core.queues.queue import READ_INDEX, WRITE_INDEX
from hsa_reference.core.queues.state import Queues
from hsa_reference.state import Part, State

_UNCOUNTED = 2**32 - 1
_NOT_SUPPORTED = 255  # the version of packets with metadata that no queue here takes


class QueueAttributes(Part):
    """The attributes of queues; one that the application processes has none."""

    def __init__(self, state: State) -> None:
        self._queues = state.part(Queues)
        self._registry = state.registry
        state.facts["queue_has_attribute"] = self._has

    def of(self, queue: int) -> Mapping[str, object]:
        """Return the attributes that a queue has, by name."""
        found = self._queues.by_address[queue]
        hardware = found.hardware
        if hardware is None:
            return {}
        prefix = "HSA_AMD_QUEUE_INFO_"
        metadata = f"{prefix}PREFETCH_METADATA"
        return {
            f"{prefix}AGENT": found.agent,
            f"{prefix}DOORBELL_ID": hardware.number,
            "HSA_QUEUE_INFO_USE_COUNT": (
                self._queues.users(hardware) if hardware.lasting else _UNCOUNTED
            ),
            "HSA_QUEUE_INFO_HW_ID": hardware.number,
            f"{metadata}_DISPATCH_PKT_VERSION_MAJOR": _NOT_SUPPORTED,
            f"{metadata}_DISPATCH_PKT_VERSION_MINOR": _NOT_SUPPORTED,
            f"{metadata}_BARRIER_PKT_VERSION_MAJOR": _NOT_SUPPORTED,
            f"{metadata}_BARRIER_PKT_VERSION_MINOR": _NOT_SUPPORTED,
            f"{prefix}PROPERTIES": bytes(8),
            f"{prefix}VM_FAULT_STATUS": False,
            f"{prefix}VM_FAULT_ADDRESS": 0,
            f"{prefix}VM_FAULT_REASON": 0,
            f"{prefix}ENGINE_TYPE": "HSA_AMD_QUEUE_ENGINE_COMPUTE",
            f"{prefix}READ_POINTER": queue + READ_INDEX,
            f"{prefix}WRITE_POINTER": queue + WRITE_INDEX,
        }

    def _has(self, queue: int, attribute: int) -> bool:
        known = self._registry.reported("hsa_amd_queue_get_info", attribute)
        return known is not None and known.name in self.of(queue)
