"""Comparisons, 12.9, as the pseudo-code of the MI200 ISA manual has it.

Each says whether the bit of a lane is set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.rocr.device.manual_numbers import (
    real,
    signed,
)

COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "f": lambda a, b: False,
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "ne": lambda a, b: a != b,
    "t": lambda a, b: True,
}
_OF_FLOATS: Mapping[str, Callable[[float, float], bool]] = {
    **{name: COMPARISONS[name] for name in ("f", "lt", "eq", "le", "gt", "ge")},
    "lg": lambda a, b: a < b or a > b,
    "o": lambda a, b: a == a and b == b,
    "u": lambda a, b: a != a or b != b,
    "nge": lambda a, b: not a >= b,
    "nlg": lambda a, b: not (a < b or a > b),
    "ngt": lambda a, b: not a > b,
    "nle": lambda a, b: not a <= b,
    "neq": lambda a, b: a != b,
    "nlt": lambda a, b: not a < b,
    "tru": lambda a, b: True,
}


def _decoded(
    bits: int, decode: Callable[[int, int], float], compare: Callable[[float, float], bool]
) -> Callable[[int, int], bool]:
    return lambda a, b: compare(decode(a, bits), decode(b, bits))


#: By mnemonic: the kind of both sources, and whether the bit of a lane is set.
COMPARE: dict[str, tuple[str, Callable[[int, int], bool]]] = {}
for _bits in (16, 32, 64):
    for _name, _compare in COMPARISONS.items():
        COMPARE[f"v_cmp_{_name}_u{_bits}"] = f"u{_bits}", _compare
        COMPARE[f"v_cmp_{_name}_i{_bits}"] = (
            f"u{_bits}",
            _decoded(_bits, signed, _compare),
        )
    for _name, _compare in _OF_FLOATS.items():
        COMPARE[f"v_cmp_{_name}_f{_bits}"] = (
            f"f{_bits}",
            _decoded(_bits, real, _compare),
        )
