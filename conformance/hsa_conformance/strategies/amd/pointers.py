"""Structures that hsa_amd_pointer_info fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.strategies.builder import Builder
from hsa_conformance.strategies.makers import Comparer, near


def _size(b: Builder, names: Sequence[str], _: str, op: str, bound: object) -> None:
    """Lay out a hsa_amd_pointer_info_t whose size member is as wanted, with room for more."""
    size = near(b, op, int(str(bound)), unit=8)
    room = size.to_bytes(4, "little") + bytes(252)
    b.values[names[0]] = b.session.place(room, f"&{{.size = {size}}}")


COMPARERS: Mapping[str, Comparer] = {"pointer_info_size": _size}
