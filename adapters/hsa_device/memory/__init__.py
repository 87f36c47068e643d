"""Memory: what addresses mean to a kernel."""

from hsa_device.memory.memory import Memory, Range, load_from, store_to, without
from hsa_device.memory.process import content_at, mapped

__all__ = ["Memory", "Range", "content_at", "load_from", "mapped", "store_to", "without"]
