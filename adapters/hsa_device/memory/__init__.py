"""Memory: what addresses mean to a kernel."""

from hsa_device.memory.memory import Memory
from hsa_device.memory.process import content_at, mapped
from hsa_device.memory.ranges import (
    Addresses,
    Octets,
    Place,
    Range,
    load_from,
    store_to,
    without,
)

__all__ = [
    "Addresses",
    "Memory",
    "Octets",
    "Place",
    "Range",
    "content_at",
    "load_from",
    "mapped",
    "store_to",
    "without",
]
