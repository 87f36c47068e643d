"""What a condition may ask about the state of an implementation.

Two things answer these questions, and neither knows the other: the reference from its own state,
and the suite from the record of what it did to the library under test. The protocol knows no topic:
which kinds of things there are, and which facts, the vocabulary says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class World(Protocol):
    """The state that conditions are evaluated in. Look-ups return None where there is nothing."""

    @property
    def references(self) -> int:
        """How many times hsa_init succeeded without its hsa_shut_down."""
        ...

    @property
    def page_size(self) -> int:
        """The size of a page of the host, in bytes."""
        ...

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return `count` 64-bit words of the caller's memory; `address` is readable."""
        ...

    def supports(self, feature: str) -> bool:
        """Return whether the machine's driver offers this feature, such as "virtual memory"."""
        ...

    def exhausted(self, resource: str) -> bool:
        """Return whether the machine was told to run out of this resource."""
        ...

    def find(self, kind: str, *key: int) -> Any:  # noqa: ANN401 - the vocabulary gives its type
        """Return the live object of a kind, such as the "signal" with this handle, or None.

        It has the attributes that the vocabulary gives to its kind.
        """
        ...

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the live objects of a kind that any of these bytes lie in, by address.

        Args:
            kind: a kind of objects that have an address and a size and do not overlap.
            address: of the first byte.
            size: how many bytes; in no bytes there is nothing.

        """
        ...

    def holds(self, fact: str, *arguments: int) -> bool:
        """Return whether a named fact, such as "image_format_supported", holds for arguments."""
        ...
