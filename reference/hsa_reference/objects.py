"""What a runtime keeps of its objects: each takes memory of the runtime itself."""

from __future__ import annotations

from typing import TypeVar

from hsa_reference.requests import OBJECT, ask

K = TypeVar("K")
T = TypeVar("T")


class Objects(dict[K, T]):
    """Live objects by their handles."""

    def __setitem__(self, handle: K, item: T) -> None:
        """Keep an object.

        Raises:
            OSError: there is no memory for it.

        """
        ask(OBJECT)
        super().__setitem__(handle, item)


class Listed(list[T]):
    """Live objects in their order."""

    def append(self, item: T) -> None:
        """Keep an object.

        Raises:
            OSError: there is no memory for it.

        """
        ask(OBJECT)
        super().append(item)
