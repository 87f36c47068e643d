"""The conditions of values of signals, by hsa_signal_condition_t."""

from __future__ import annotations

import operator
from collections.abc import Callable

EQ, NE = 0, 1

_MEETS: tuple[Callable[[int, int], bool], ...] = (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.ge,
)


def meets(value: int, condition: int, compare: int) -> bool:
    """Return whether a value meets a condition; one that is unknown is met by every value.

    Args:
        value: of a signal.
        condition: a hsa_signal_condition_t.
        compare: what the value is compared with.

    """
    return condition >= len(_MEETS) or _MEETS[condition](value, compare)
