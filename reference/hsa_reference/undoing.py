"""How a function that fails leaves nothing behind of what it has done before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def undoing(undo: Callable[[], object]) -> Iterator[None]:
    """Undo something if the block, which stands on it, is refused what it asks for.

    Raises:
        OSError: it is refused.

    """
    try:
        yield
    except OSError:
        undo()
        raise
