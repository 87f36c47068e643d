"""Types of operands: how many bits, and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Type:
    """What an operand is used as.

    Args:
        name: as the sections write it.
        width: in bits; 64 for a mask of lanes, 1 for SCC, 0 for the number of a lane.
        dtype: of numpy.

    """

    name: str
    width: int
    dtype: np.dtype[Any]

    @property
    def floating(self) -> bool:
        """Return whether it is a floating-point number."""
        return self.dtype.kind == "f"


def _types() -> dict[str, Type]:
    found = {}
    for width in (8, 16, 32, 64):
        for letter, kind in (("u", "u"), ("b", "u"), ("i", "i"), ("f", "f")):
            if letter == "f" and width == 8:
                continue
            found[f"{letter}{width}"] = Type(
                f"{letter}{width}", width, np.dtype(f"{kind}{width // 8}")
            )
    return found


#: A number of the packet, of which the operand has one for each lane, is a mask.
TYPES: dict[str, Type] = {
    **_types(),
    "mask": Type("mask", 64, np.dtype(np.bool_)),
    "scc": Type("scc", 1, np.dtype(np.bool_)),
    "exec": Type("exec", 64, np.dtype(np.uint64)),
    "exec_lo": Type("exec_lo", 32, np.dtype(np.uint32)),
    "vcc": Type("vcc", 64, np.dtype(np.bool_)),
    "m0": Type("m0", 32, np.dtype(np.uint32)),
    "lane": Type("lane", 0, np.dtype(np.uint64)),
}
#: Those that no operand is written for.
IMPLIED = frozenset(("scc", "exec", "exec_lo", "vcc", "m0", "lane"))
