"""The shortest part of a list with which something still fails, by halves (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def fewest(items: Sequence[int], fails: Callable[[list[int]], bool]) -> list[int]:
    """Return a shortest list that still fails: leaving out any one item makes it pass.

    Args:
        items: the items, with which something fails.
        fails: tries it with some of them, in the same order.

    """
    kept = list(items)
    size = len(kept)
    while size:
        left_out = False
        for start in range(len(kept) - 1, -1, -size):
            fewer = kept[: max(0, start - size + 1)] + kept[start + 1 :]
            if len(fewer) < len(kept) and fails(fewer):
                kept, left_out = fewer, True
        size = size // 2 if size > 1 or not left_out else 1
    return kept
