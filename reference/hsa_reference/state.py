"""The state of one runtime; it knows no topic, and answers what hsa_spec.world.World asks."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from threading import Condition
from typing import Any, TypeVar

from hsa_reference import memory
from hsa_reference.effects import LOCK
from hsa_reference.kernels import Executor
from hsa_reference.machine import Machine
from hsa_reference.objects import Listed, Objects
from hsa_reference.ranges import Ranges
from hsa_reference.undoing import undoing
from hsa_spec import Registry


class Part:
    """What one topic keeps in the state of a runtime.

    It is made with the state, and tells it how conditions find its objects and facts. It must not
    keep the state: a runtime that nobody holds any more gives its memory back.

    Args:
        state: of the runtime.

    """

    def __init__(self, state: State) -> None:
        pass

    def begin(self) -> None:
        """Take what there has to be from the first hsa_init on.

        Raises:
            OSError: the machine refuses it.

        """

    def holdings(self) -> Mapping[str, int]:
        """Return how much it holds, by what one of it is called."""
        tables = (t for t in vars(self).values() if isinstance(t, Objects | Listed | Ranges))
        return {"object of the runtime": sum(map(len, tables))}

    def release(self) -> None:
        """Give back every resource, as the last hsa_shut_down does.

        A later call with such a handle is refused by the check that is made of its clauses, as
        nothing is found.
        """


P = TypeVar("P", bound=Part)


class State:
    """What one runtime knows.

    Args:
        machine: the machine that it models.
        registry: the specification that it follows.
        parts: what its topics keep.
        code: the addresses of the runtime's functions, by name.
        executors: what runs kernels; the first that has a kernel runs it.

    Attributes:
        things: how conditions find a live object of a kind by its key.
        ranges: the live objects that lie at an address, by kind.
        facts: what conditions ask by name.
        features: what the machine's driver offers.
        farewells: how the application is told of the last hsa_shut_down, before anything ends.
        before_end: what to do before the last hsa_shut_down takes everything, without the lock.
        ending: the process in which the last hsa_shut_down is under way, 0 for none.
        ended: notified when it is not any more; its lock is the lock of the process.
        code: the addresses of the runtime's functions, by name.
        executors: what runs kernels.

    """

    def __init__(
        self,
        machine: Machine,
        registry: Registry,
        parts: Iterable[type[Part]],
        code: Mapping[str, int],
        executors: Sequence[Executor] = (),
    ) -> None:
        self.machine = machine
        self.registry = registry
        self.references = machine.references
        self.page_size = memory.PAGE
        self.things: dict[str, Callable[..., object | None]] = {}
        self.ranges: dict[str, Ranges[Any]] = {}
        self.facts: dict[str, Callable[..., bool]] = {}
        self.features: set[str] = set()
        self.farewells: list[Callable[[], None]] = []
        self.before_end: list[Callable[[], None]] = []
        self.ending = 0
        self.ended = Condition(LOCK)
        self.code = code
        self.executors = executors
        self._parts: dict[type[Part], Any] = {}
        for part in parts:
            self.part(part)
        # A runtime that nobody shuts down must not keep memory of a process that made another one.
        weakref.finalize(self, _release, self._parts.values()).atexit = False

    def part(self, of: type[P]) -> P:
        """Return what a topic keeps; it is made when it is first asked for."""
        found: P | None = self._parts.get(of)
        if found is None:
            found = self._parts[of] = of(self)
        return found

    def begin(self) -> None:
        """Take what there has to be from the first hsa_init on.

        Raises:
            OSError: the machine refuses some of it, and nothing is taken.

        """
        with undoing(self.release_everything):
            for part in list(self._parts.values()):
                part.begin()

    def release_everything(self) -> None:
        """Give back every resource, as the last hsa_shut_down does."""
        _release(self._parts.values())

    def holdings(self) -> Mapping[str, int]:
        """Return how much the runtime holds, by what one of it is called."""
        held = Counter({"bytes of addresses": memory.held()})
        for part in self._parts.values():
            held.update(part.holdings())
        return held

    # hsa_spec.world.World

    def words(self, address: int, count: int) -> tuple[int, ...]:
        """Return `count` 64-bit words of the caller's memory; `address` is readable."""
        return memory.words(address, count)

    def supports(self, feature: str) -> bool:
        """Return whether the machine's driver offers this feature, such as "virtual memory"."""
        return feature in self.features

    def exhausted(self, resource: str) -> bool:
        """Return whether the machine was told to run out of this resource."""
        return resource in self.machine.exhausted

    def find(self, kind: str, *key: int) -> Any:  # noqa: ANN401 - the vocabulary gives its type
        """Return the live object of a kind; there is none of topics that are not here."""
        if kind in self.ranges:
            return self.ranges[kind].at(*key)
        look_up = self.things.get(kind)
        return look_up(*key) if look_up else None

    def overlapping(self, kind: str, address: int, size: int) -> Sequence[Any]:
        """Return the live objects of a kind that any of these bytes lie in, by address."""
        return self.ranges[kind].overlapping(address, size)

    def holds(self, fact: str, *arguments: int) -> bool:
        """Return whether a named fact holds; those of topics that are not here do not."""
        known = self.facts.get(fact)
        return known is not None and known(*arguments)


def _release(parts: Collection[Part]) -> None:
    # What stands on others was made after them, and goes before them.
    for part in reversed(list(parts)):
        part.release()
