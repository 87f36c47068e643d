"""What a runtime knows of shared virtual memory: the attributes of each page of the process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from hsa_reference import memory
from hsa_reference.amd.copies import Copies
from hsa_reference.core.agents import Agents
from hsa_reference.core.system import System
from hsa_reference.requests import PAGES, ask
from hsa_reference.spans import Spans
from hsa_reference.state import Part, State

_PREFIX = "HSA_AMD_SVM_ATTRIB_"
_END = 1 << 64


@dataclass(frozen=True)
class Attributes:
    """What was said about pages.

    Args:
        values: of the attributes that were set, by number.
        access: the attribute that says how an agent has access, by the agent's handle.
        fetched: the handle of the agent of the prefetch that was complete last, 0 for none.
        awaited: the number and the agent of the prefetch that was issued last, while it waits.

    """

    values: Mapping[int, int] = field(default_factory=dict)
    access: Mapping[int, int] = field(default_factory=dict)
    fetched: int = 0
    awaited: tuple[int, int] | None = None

    @property
    def destination(self) -> int:
        """Return the agent of the latest prefetch."""
        return self.awaited[1] if self.awaited else self.fetched


class SharedAddresses(Part):
    """The attributes of pages, and what the machine offers.

    Attributes:
        supported: whether host and GPUs share addresses.

    """

    def __init__(self, state: State) -> None:
        enum, constants = state.registry.enums["hsa_amd_svm_attribute_t"], state.registry.constants
        self.supported = _offers(state, "HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED")
        retries = _offers(state, "HSA_AMD_SYSTEM_INFO_XNACK_ENABLED")
        by_default = _offers(state, "HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT")
        self._agents = state.part(Agents)
        self._pages: Spans[Attributes] = Spans(Attributes())
        self._numbers = count()
        self._flag, self._granularity, self._location, self._fetched = (
            enum[f"{_PREFIX}{name}"]
            for name in (
                "GLOBAL_FLAG",
                "MIGRATION_GRANULARITY",
                "PREFERRED_LOCATION",
                "PREFETCH_LOCATION",
            )
        )
        # The first of these numbers is the least that an agent can have.
        self._accesses = tuple(
            enum[f"{_PREFIX}AGENT_{name}"]
            for name in ("NO_ACCESS", "ACCESSIBLE", "ACCESSIBLE_IN_PLACE")
        )
        self._query = enum[f"{_PREFIX}ACCESS_QUERY"]
        self._of_gpus = self._accesses[1] if by_default else self._accesses[0]
        self._mixed = constants["HSA_AMD_SVM_GLOBAL_FLAG_INDETERMINATE"]
        state.part(Copies).reaching.append(self.reaches)
        state.facts["shares_addresses"] = lambda _: self.supported
        state.facts["allows_retries"] = lambda _: retries
        state.facts["attribute_values_valid"] = self._are_valid

    def set(self, address: int, size: int, pairs: Iterable[tuple[int, int]]) -> None:
        """Set attributes of every page that a range touches; of several, the last one counts.

        Raises:
            OSError: the driver refuses it.

        """
        ask(PAGES)
        values: dict[int, int] = {}
        access: dict[int, int] = {}
        for attribute, value in pairs:
            if attribute in self._accesses:
                access[value] = attribute
            else:
                values[attribute] = value
        self._pages.change(
            *pages(address, size),
            lambda old: replace(
                old, values={**old.values, **values}, access={**old.access, **access}
            ),
        )

    def get(self, address: int, size: int, attribute: int, value: int) -> tuple[int, int]:
        """Return the pair that answers a pair of a query."""
        found = self._pages.over(*pages(address, size))
        if attribute == self._query:
            return min((self._access(a, value) for a in found), key=self._accesses.index), value
        if attribute == self._fetched:
            return attribute, _same({a.destination for a in found}, 0)
        values = {a.values.get(attribute, 0) for a in found}
        if attribute == self._flag:
            return attribute, _same(values, self._mixed)
        if attribute == self._location:
            return attribute, _same(values, 0)
        # What holds for every page: the smallest granularity, and true where all are true.
        return attribute, min(values) if attribute == self._granularity else int(all(values))

    def next_number(self) -> int:
        """Return the number of a prefetch."""
        return next(self._numbers)

    def issue(self, address: int, size: int, agent: int, number: int) -> None:
        """Remember where a range will be fetched to by the prefetch with a number."""
        self._pages.change(*pages(address, size), lambda old: replace(old, awaited=(number, agent)))

    def fetch(self, address: int, size: int, agent: int, number: int) -> None:
        """Remember where a range was fetched to by the prefetch with a number.

        Raises:
            OSError: a part of it is not mapped.

        """
        start, end = pages(address, size)
        awaited = (number, agent)
        self._pages.change(
            start,
            end,
            lambda old: replace(old, awaited=None) if old.awaited == awaited else old,
        )
        memory.require_mapped(start, end - start)
        self._pages.change(start, end, lambda old: replace(old, fetched=agent))

    def reaches(self, agent: int, address: int, size: int) -> bool:
        """Return whether an agent has access to the program's own memory at an address."""
        return self.supported and all(
            self._access(a, agent) != self._accesses[0]
            for a in self._pages.over(*pages(address, size))
        )

    def release(self) -> None:
        """Forget everything."""
        self._pages = Spans(Attributes())

    def _access(self, attributes: Attributes, agent: int) -> int:
        usual = self._accesses[2] if self._agents.on_host(agent) else self._of_gpus
        return attributes.access.get(agent, usual)

    def _are_valid(self, pairs: int, count: int) -> bool:
        return all(self._is_valid(*pair) for pair in read_pairs(pairs, count))

    def _is_valid(self, attribute: int, value: int) -> bool:
        if attribute == self._flag:
            return value < self._mixed
        if attribute == self._location and value == 0:
            return True
        of_agents = (*self._accesses, self._query, self._location)
        return attribute not in of_agents or value in self._agents.by_handle


def read_pairs(address: int, count: int) -> list[tuple[int, int]]:
    """Return what an array of hsa_amd_svm_attribute_pair_t says."""
    words = memory.words(address, 2 * count)
    return list(zip(words[0::2], words[1::2], strict=True))


def pages(address: int, size: int) -> tuple[int, int]:
    """Return where the first page that a range touches starts, and where the last one ends."""
    end = address + max(size, 1)
    return address // memory.PAGE * memory.PAGE, min(-(-end // memory.PAGE) * memory.PAGE, _END)


def _same(values: set[int], otherwise: int) -> int:
    """Return the one value that there is, and another one where there are several."""
    return values.pop() if len(values) == 1 else otherwise


def _offers(state: State, attribute: str) -> bool:
    return any(state.part(System).attributes[state.registry.constants[attribute]])
