"""Refusals by an implementation that asks in one place for whatever it takes.

It counts what its functions ask for, and refuses what a test wants refused; so it needs no imitated
machine, and nobody stands between it and the system.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from hsa_adapters.faults import Faults, OnRealDevices


class Requests(Protocol):
    """What the functions of an implementation ask for, by kind."""

    def arm(self, kinds: Sequence[str], after: int, *, lasting: bool) -> None:
        """Count from here on, and refuse a later request of one of these kinds.

        Args:
            kinds: of requests.
            after: how many of these are granted before.
            lasting: whether all later ones are refused, too.

        """
        ...

    def disarm(self) -> None:
        """Grant everything, and forget what was counted."""
        ...

    def watch(self) -> None:
        """Grant everything, and count from here on."""
        ...

    def hits(self) -> int:
        """Return how many requests were refused since `arm`."""
        ...

    def left(self) -> int:
        """Return how many more requests are granted before one is refused."""
        ...

    def made(self) -> Mapping[str, int]:
        """Return how many requests there were since `arm` or `watch`, by kind."""
        ...

    def noted(self) -> Sequence[str]:
        """Return the kind of the request that was refused first, and of the few next ones."""
        ...


class CountedElsewhere(Protocol):
    """Requests that a library counts in its processes, if it is one that counts them."""

    def environment(self) -> Mapping[str, str]:
        """Return the variables by which the library knows where to count."""
        ...

    def refusers(self) -> tuple[Faults, Faults] | None:
        """Return what refuses it the driver's resources and memory, once it is loaded.

        None where the library does not count.
        """
        ...

    def close(self) -> None:
        """Remove what is shared with the processes."""
        ...


class RequestFaults(OnRealDevices):
    """Refuses requests to the functions of an implementation; see `hsa_adapters.faults.Faults`.

    Args:
        requests: of the implementation.
        calls: what can be refused, with the errno's name and the kinds of requests that it stands
            for.

    """

    def __init__(self, requests: Requests, calls: Mapping[str, tuple[str, Sequence[str]]]) -> None:
        self._requests = requests
        self._calls = calls
        self.disarm, self.watch = requests.disarm, requests.watch
        self.hits, self.left, self.noted = requests.hits, requests.left, requests.noted

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Refuse a later request, in place of what was to be refused before.

        Args:
            call: what is refused.
            error: the errno's name.
            after: how many requests are granted before.
            lasting: whether all later ones are refused, too.

        Raises:
            ValueError: there is no such call, or it is refused with another error.

        """
        if error not in self.errors(call):
            raise ValueError(f"{call} cannot be refused with {error}")
        self._requests.arm(self._calls[call][1], after, lasting=lasting)

    def made(self) -> Mapping[str, int]:
        """Return how many requests were made since `arm` or `watch`, if any were."""
        made = self._requests.made()
        counted = {
            call: sum(made[kind] for kind in kinds) for call, (_, kinds) in self._calls.items()
        }
        return {call: count for call, count in counted.items() if count}

    def alike(self) -> tuple[int, int]:
        """Return 0 and 0: requests are counted by their kind."""
        return 0, 0

    def errors(self, call: str) -> Sequence[str]:
        """Return how a kind of request is refused."""
        return (self._calls[call][0],) if call in self._calls else ()
