"""Queues and signals at work: packets at the doorbell, and who still needs a signal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hsa_reference.checking import own_memory
from hsa_reference.checking.ledger import Ledger, Site
from hsa_reference.checking.packets import KERNEL, SYSTEM_SCOPE, Packet, Ring, scope

#: So many uses of a signal are remembered.
_REMEMBERED = 64


@dataclass(frozen=True)
class PacketUse:
    """A packet that a signal is the completion or a dependency of."""

    ring: Ring
    packet: Packet
    site: Site

    def under_way(self) -> bool:
        """Return whether the packet certainly still needs the signal."""
        return self.ring.waits(self.packet)


@dataclass(frozen=True)
class CopyUse:
    """A copy that has not started, because a signal that it waits for is not zero.

    Attributes:
        site: the call that asked for it.
        value: of its completion signal at that time.
        completion: the handle of that.
        dependencies: the signals that it waits for.

    """

    site: Site
    value: int
    completion: int
    dependencies: tuple[int, ...]

    def under_way(self) -> bool:
        """Return whether the copy certainly has not started."""
        waits = any(own_memory.value_of(s) not in (0, None) for s in self.dependencies)
        return waits and own_memory.value_of(self.completion) == self.value


class Doorbells:
    """The rings of a client's queues, and what uses its signals.

    Args:
        ledger: the objects.
        watch: is told which signals' changes matter, and which do so no more.

    """

    def __init__(self, ledger: Ledger, watch: Callable[[int, bool], None]) -> None:
        self._ledger = ledger
        self._watch = watch
        self._rings: dict[int, Ring] = {}
        self._uses: dict[int, list[PacketUse | CopyUse]] = {}

    def clear(self) -> None:
        """Forget everything."""
        for signal in [*self._rings, *self._uses]:
            self._watch(signal, False)
        self._rings.clear()
        self._uses.clear()

    def opened(self, queue: int) -> None:
        """Record a queue that was made."""
        ring = Ring.of(queue)
        if ring is not None and ring.doorbell:
            # The runtime made the doorbell, maybe where a signal of the client was.
            self._ledger.revived("signal", ring.doorbell)
            self._rings[ring.doorbell] = ring
            self._watch(ring.doorbell, True)

    def found(self, queue: int) -> None:
        """Forget that there was a queue here, or a signal where its doorbell is: it is new."""
        self._ledger.revived("queue", queue)
        ring = Ring.of(queue)
        if ring is not None and ring.doorbell:
            self._ledger.revived("signal", ring.doorbell)

    def closed(self, queue: int) -> None:
        """Record that a queue is being destroyed, or inactivated: its packets need nothing."""
        for doorbell, ring in list(self._rings.items()):
            if ring.queue == queue:
                del self._rings[doorbell]
                self._watch(doorbell, False)
        for signal, uses in self._uses.items():
            self._uses[signal] = [
                use for use in uses if not (isinstance(use, PacketUse) and use.ring.queue == queue)
            ]

    def copies(self, site: Site, completion: int, dependencies: tuple[int, ...]) -> None:
        """Record a copy that was asked for."""
        value = own_memory.value_of(completion)
        if value is not None and dependencies:
            use = CopyUse(site, value, completion, dependencies)
            for signal in (completion, *dependencies):
                self._used(signal, use)

    def changed(self, signal: int) -> None:
        """Forget what may have used a signal before: the client sets it, maybe for another use.

        What stays are the packets that certainly still need it.
        """
        if signal in self._uses:
            self._uses[signal] = [
                use for use in self._uses[signal] if isinstance(use, PacketUse) and use.under_way()
            ]

    def ended(self, signal: int) -> None:
        """Forget what used a signal that is gone."""
        if self._uses.pop(signal, None) is not None and signal not in self._rings:
            self._watch(signal, False)

    def users(self, signal: int) -> Iterator[PacketUse | CopyUse]:
        """Yield what certainly still needs a signal."""
        return (use for use in list(self._uses.get(signal, ())) if use.under_way())

    def rung(self, doorbell: int, value: int, site: Callable[[], Site]) -> Iterator[str]:
        """Yield the mistakes in what a doorbell is rung for.

        Args:
            doorbell: the signal that is stored to.
            value: what is stored.
            site: the call.

        """
        ring = self._rings.get(doorbell)
        if ring is None or value < 0:
            return
        read = ring.read_index
        if value >= read + ring.size:
            yield (
                f"index beyond the ring: packet {value} has no place yet: the ring has "
                f"{ring.size} places, and packet {read} is not processed"
            )
            return
        for packet in ring.new(value):
            yield from packet.mistakes()
            if packet.release_scope == SYSTEM_SCOPE:
                ring.released = packet.index
            for signal in (packet.completion, *packet.dependencies):
                if signal and self._ledger.gone("signal", signal):
                    yield (
                        f"use after destruction: packet {packet.index} has the signal "
                        f"{signal:#x}, which was destroyed"
                    )
                elif signal:
                    self._used(signal, PacketUse(ring, packet, site()))

    def unreleased(self, signal: int) -> PacketUse | None:
        """Return a dispatch that completes a signal and releases nothing to who waits for it."""
        for use in self._uses.get(signal, ()):
            if (
                isinstance(use, PacketUse)
                and use.packet.completion == signal
                and use.packet.type == KERNEL  # who serves agent dispatches has fences of its own
                and use.packet.release_scope != SYSTEM_SCOPE
                and use.ring.released < use.packet.index
            ):
                return use
        return None

    def _used(self, signal: int, use: PacketUse | CopyUse) -> None:
        uses = self._uses.setdefault(signal, [])
        if not uses:
            self._watch(signal, True)
        uses.append(use)
        del uses[:-_REMEMBERED]


def fence(packet: Packet) -> str:
    """Return the release fence of a packet in words."""
    return f"its release fence has the scope {scope(packet.release_scope)}"
