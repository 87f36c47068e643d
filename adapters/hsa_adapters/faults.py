"""What can be made to fail: the driver, or the memory that a library asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Protocol

from hsa_device.wire import NOT_IMITATED

__all__ = ["NOT_IMITATED", "Faults", "OnRealDevices", "Refusal"]


class Refusal(Enum):
    """What a call of the driver has done that was refused."""

    NOTHING = "it has taken nothing"
    KEPT = "it has given nothing back"
    ALL = "it has done its work, and the device did not answer"


class Faults(Protocol):
    """A driver that can be made to fail, in one way at a time."""

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        """Let a later call of the driver fail, in place of what was armed before.

        Args:
            call: the kind of call, such as "ALLOC_MEMORY_OF_GPU".
            error: the errno's name, such as "ENOMEM".
            after: how many calls of the kind succeed before.
            lasting: whether all later ones of the kind fail, too.

        """
        ...

    def disarm(self) -> None:
        """Let no call fail any more."""
        ...

    def hits(self) -> int:
        """Return how many calls have failed since the driver was armed."""
        ...

    def left(self) -> int:
        """Return how many more calls succeed before one fails."""
        ...

    def watch(self) -> None:
        """Let no call fail, and count them from here on."""
        ...

    def made(self) -> Mapping[str, int]:
        """Return how many calls of each kind were made since `arm` or `watch`, if any were."""
        ...

    def noted(self) -> Sequence[str]:
        """Return what was refused first since `arm`, and what was asked for next, in words.

        These are requests of all kinds, and only the first few.
        """
        ...

    def alike(self) -> tuple[int, int]:
        """Return what tells the request for memory that was refused first since `arm` from others.

        That is its size in bytes, and how many of this size were met before it since `arm`; 0 and
        0 of a driver's.
        """
        ...

    def beyond(self) -> int:
        """Return how often more was asked of devices than they can do, since `arm` or `watch`.

        What follows from that is the imitation's doing.
        """
        ...

    def lacking(self) -> Sequence[str]:
        """Return what devices lacked that execute kernels, in lines, each once.

        A line has the words `NOT_IMITATED` where they lack it by design.
        """
        ...

    def executed(self) -> Mapping[str, str]:
        """Return how devices executed the instructions of kernels, by their names.

        That is "exact", "near" where hardware may round in another way, or "lacking".
        """
        ...

    def errors(self, call: str) -> Sequence[str]:
        """Return the errnos by which a kind of call can be refused, the usual one first.

        There are none where it cannot be.
        """
        ...

    def done(self, call: str) -> Refusal:
        """Return what a call of a kind has done that was refused."""
        ...


class OnRealDevices:
    """The part of `Faults` about devices, where none is imitated: they lack nothing."""

    def beyond(self) -> int:
        """Return 0: nothing is imitated."""
        return 0

    def lacking(self) -> Sequence[str]:
        """Return nothing: nothing is imitated."""
        return ()

    def executed(self) -> Mapping[str, str]:
        """Return nothing: nothing is imitated."""
        return {}

    def done(self, call: str) -> Refusal:
        """Return that a request which was refused has done nothing."""
        del call
        return Refusal.NOTHING
