"""What a condition may ask about the state of an implementation.

Two things answer these questions, and neither knows the other: the reference from its own state,
and the suite from the record of what it did to the library under test.
"""

from __future__ import annotations

from typing import Protocol


class AgentView(Protocol):
    """An agent of the machine."""

    @property
    def handle(self) -> int: ...  # noqa: D102
    @property
    def device(self) -> str: ...  # "cpu" or "gpu"  # noqa: D102


class PoolView(Protocol):
    """A memory pool; sizes are in bytes."""

    @property
    def handle(self) -> int: ...  # noqa: D102
    @property
    def agent(self) -> int: ...  # handle of the agent it belongs to  # noqa: D102
    @property
    def location(self) -> str: ...  # "cpu" or "gpu"  # noqa: D102
    @property
    def allocatable(self) -> bool: ...  # noqa: D102
    @property
    def granule(self) -> int: ...  # noqa: D102
    @property
    def max_size(self) -> int: ...  # noqa: D102


class ReservationView(Protocol):
    """A reserved range of addresses."""

    @property
    def address(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102
    @property
    def mappings(self) -> int: ...  # how many mappings lie in it  # noqa: D102


class MemoryHandleView(Protocol):
    """A virtual-memory handle that the caller holds at least one reference to."""

    @property
    def handle(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102
    @property
    def references(self) -> int: ...  # noqa: D102


class MappingView(Protocol):
    """A virtual-memory handle mapped into a reservation."""

    @property
    def address(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102
    @property
    def pool(self) -> int: ...  # the pool that its memory comes from  # noqa: D102
    def access_was_set(self, agent: int) -> bool:  # noqa: D102
        ...


class AllocationView(Protocol):
    """A block that hsa_amd_memory_pool_allocate returned."""

    @property
    def address(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102
    @property
    def pool(self) -> int: ...  # noqa: D102


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

    def agent(self, handle: int) -> AgentView | None:
        """Return the agent with this handle."""
        ...

    def pool(self, handle: int) -> PoolView | None:
        """Return the memory pool with this handle."""
        ...

    def pool_access(self, agent: int, pool: int) -> str:
        """Return "never", "default" or "on_request": how the agent reaches buffers in the pool."""
        ...

    def memory_handle(self, handle: int) -> MemoryHandleView | None:
        """Return the virtual-memory handle with this value, while references are held to it."""
        ...

    def reservation(self, address: int) -> ReservationView | None:
        """Return the reservation that starts at this address."""
        ...

    def reservation_around(self, address: int) -> ReservationView | None:
        """Return the reservation that contains this address."""
        ...

    def mapping(self, address: int) -> MappingView | None:
        """Return the mapping that starts at this address."""
        ...

    def mapping_around(self, address: int) -> MappingView | None:
        """Return the mapping that contains this address."""
        ...

    def overlaps_mapping(self, address: int, size: int) -> bool:
        """Tell whether any byte of the range is mapped."""
        ...

    def fully_mapped(self, address: int, size: int) -> bool:
        """Tell whether the range is a gapless row of whole mappings."""
        ...

    def allocation(self, address: int) -> AllocationView | None:
        """Return the pool allocation that starts at this address."""
        ...

    def is_shareable(self, descriptor: int) -> bool:
        """Tell whether this open descriptor came from an export of a virtual-memory handle."""
        ...

    def is_open(self, descriptor: int) -> bool:
        """Tell whether this file descriptor is open in the process."""
        ...

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return `count` 64-bit words of the caller's memory; `address` is readable."""
        ...

    def supports(self, feature: str) -> bool:
        """Tell whether the machine's driver offers this feature, such as "virtual memory"."""
        ...

    def exhausted(self, resource: str) -> bool:
        """Tell whether the machine was told to run out of this resource."""
        ...

    def find(self, kind: str, *key: int) -> object | None:
        """Return the live object of a kind, such as the "signal" with this handle.

        It has the attributes that the vocabulary gives to its kind.
        """
        ...

    def holds(self, fact: str, *arguments: int) -> bool:
        """Tell whether a named fact, such as "image_format_supported", holds for the arguments."""
        ...
