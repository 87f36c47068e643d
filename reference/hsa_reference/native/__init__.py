"""What cannot be done in Python: atomic operations and waits on shared memory, in one C file."""

from hsa_reference.native.direct import Direct
from hsa_reference.native.errors import NativeError
from hsa_reference.native.functions import (
    ACQ_REL,
    ACQUIRE,
    NO_LIMIT,
    RELAXED,
    RELEASE,
    SEQ_CST,
    Native,
    native,
)
from hsa_reference.native.library import ATOMICS

__all__ = [
    "ACQUIRE",
    "ACQ_REL",
    "ATOMICS",
    "NO_LIMIT",
    "RELAXED",
    "RELEASE",
    "SEQ_CST",
    "Direct",
    "Native",
    "NativeError",
    "native",
]
