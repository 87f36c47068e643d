"""The C file of the device: atomic operations on lists of addresses."""

from hsa_device.native.library import OPERATIONS, modify, prepare

__all__ = ["OPERATIONS", "modify", "prepare"]
