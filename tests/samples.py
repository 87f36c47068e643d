"""How much of a campaign the tests take: a sample of it, or the whole with HSA_TEST_WHOLE=1."""

from __future__ import annotations

import os
from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

#: Whether campaigns are run as a whole: `tox -e whole`.
WHOLE: Final = bool(os.environ.get("HSA_TEST_WHOLE"))

T = TypeVar("T")


def sample(items: Sequence[T], most: int) -> list[T]:
    """Return some items in their order: the same ones in each process of a parallel run.

    Args:
        items: all of them.
        most: how many are taken where the campaign is not run as a whole.

    """
    if WHOLE or most >= len(items):
        return list(items)
    return [items[place] for place in sorted(Random(0).sample(range(len(items)), most))]
