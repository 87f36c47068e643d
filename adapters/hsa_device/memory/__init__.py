"""Memory: what addresses mean to a kernel."""

from hsa_device.memory.memory import Memory, Range, load_from, store_to
from hsa_device.memory.process import mapped

__all__ = ["Memory", "Range", "load_from", "mapped", "store_to"]
