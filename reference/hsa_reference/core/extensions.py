"""Which extensions the reference has, and their tables of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from hsa_reference import memory
from hsa_reference.attributes import static_text
from hsa_reference.core.agents import Agents
from hsa_reference.core.system import System
from hsa_reference.effects import unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer
from hsa_spec.model import Table

_POINTER = 8  # bytes
_MASK = 128  # bytes of a mask of extensions


class Version(NamedTuple):
    """A version of an extension; without a minor one, its table serves all of the major one."""

    number: int
    major: int
    minor: int | None
    table: Table


class Extensions(Part):
    """The extensions: those versions all of whose functions the reference has.

    Attributes:
        names: the addresses of the names of all extensions that exist, by number.
        withdrawn: the numbers of those that the machine does not have.

    """

    def __init__(self, state: State) -> None:
        self._registry = state.registry
        self._code = state.code
        self._agents = state.part(Agents)
        self.withdrawn: set[int] = set()
        self._limited: dict[int, Callable[[int], bool]] = {}
        known = state.registry.enums["hsa_extension_t"].enumerators
        self.names = {e.value: static_text(e.name) for e in known}
        constants = state.registry.constants
        state.part(System).changing[constants["HSA_SYSTEM_INFO_EXTENSIONS"]] = self._mask
        self._agents.changing[constants["HSA_AGENT_INFO_EXTENSIONS"]] = self._mask_of
        state.facts["extension_offered"] = lambda number: number in self._offered
        state.facts["major_extension_supported"] = self._has_major
        state.facts["extension_supported"] = self.has

    def newest(self, number: int, major: int) -> int | None:
        """Return the newest minor version of a major one, None where it is not offered."""
        return max(self._minors(number, major), default=None)

    def has(self, number: int, major: int, minor: int) -> bool:
        """Return whether a version is offered."""
        return minor in self._minors(number, major)

    def limit(self, number: int, takes_part: Callable[[int], bool]) -> None:
        """Say which agents take part in an extension, where not all devices do."""
        self._limited[number] = takes_part

    def of_agent(self, number: int, agent: int) -> bool:
        """Return whether an agent takes part in an extension: the devices do, unless limited."""
        if number not in self._offered:
            return False
        takes_part = self._limited.get(number)
        return takes_part(agent) if takes_part else not self._agents.on_host(agent)

    def table(self, number: int, major: int, minor: int | None) -> Table:
        """Return the table of a version that is offered; the longest of the major one for None."""
        tables = [
            version.table
            for version in self._versions
            if (version.number, version.major) == (number, major) and minor in (None, version.minor)
        ]
        return max(tables, key=lambda t: len(t.members))

    @cached_property
    def _versions(self) -> Sequence[Version]:
        versions = (
            Version(self._registry.constants[e.name], e.major, e.minor, table)
            for table in self._registry.tables.values()
            if (e := table.extension) and all(m.function in self._code for m in table.members)
        )
        return [version for version in versions if version.number not in self.withdrawn]

    @cached_property
    def _offered(self) -> frozenset[int]:
        return frozenset(v.number for v in self._versions if v.minor is not None)

    def _has_major(self, number: int, major: int) -> bool:
        return bool(self._minors(number, major))

    def _minors(self, number: int, major: int) -> list[int]:
        return [
            version.minor
            for version in self._versions
            if (version.number, version.major) == (number, major) and version.minor is not None
        ]

    def _mask(self) -> bytes:
        return _bits(self._offered)

    def _mask_of(self, agent: int) -> bytes:
        return _bits(n for n in self._offered if self.of_agent(n, agent))


def _bits(positions: Iterable[int]) -> bytes:
    return sum(1 << position for position in positions).to_bytes(_MASK, "little")


PART = Extensions


@unlocked
def hsa_extension_get_name(state: State, extension: int, name: int) -> Answer:
    """Write the address of an extension's name."""
    memory.store(name, state.part(Extensions).names[extension], 8)
    return SUCCESS


@unlocked
def hsa_system_extension_supported(
    state: State, extension: int, version_major: int, version_minor: int, result: int
) -> Answer:
    """Write whether a version of an extension is offered."""
    offered = state.part(Extensions).has(extension, version_major, version_minor)
    memory.store(result, offered, 1)
    return SUCCESS


@unlocked
def hsa_system_major_extension_supported(
    state: State, extension: int, version_major: int, version_minor: int, result: int
) -> Answer:
    """Write whether a major version of an extension is offered, and its newest minor one."""
    _write_newest(state.part(Extensions).newest(extension, version_major), version_minor, result)
    return SUCCESS


@unlocked
def hsa_agent_extension_supported(
    state: State, extension: int, agent: int, version_major: int, version_minor: int, result: int
) -> Answer:
    """Write whether an agent has a version of an extension."""
    known = state.part(Extensions)
    offered = known.of_agent(extension, agent) and known.has(
        extension, version_major, version_minor
    )
    memory.store(result, offered, 1)
    return SUCCESS


@unlocked
def hsa_agent_major_extension_supported(
    state: State, extension: int, agent: int, version_major: int, version_minor: int, result: int
) -> Answer:
    """Write whether an agent has a major version of an extension, and its newest minor one."""
    known = state.part(Extensions)
    has = known.of_agent(extension, agent)
    newest = known.newest(extension, version_major) if has else None
    _write_newest(newest, version_minor, result)
    return SUCCESS


@unlocked
def hsa_system_get_extension_table(
    state: State, extension: int, version_major: int, version_minor: int, table: int
) -> Answer:
    """Fill the table of a version."""
    known = state.part(Extensions)
    if not known.has(extension, version_major, version_minor):
        return INVALID_ARGUMENT
    found = known.table(extension, version_major, version_minor)
    _fill(state, found, table, len(found.members))
    return SUCCESS


@unlocked
def hsa_system_get_major_extension_table(
    state: State, extension: int, version_major: int, table_length: int, table: int
) -> Answer:
    """Fill as much of the longest table of a major version as fits into the length."""
    known = state.part(Extensions)
    if known.newest(extension, version_major) is None:
        return INVALID_ARGUMENT
    _fill(state, known.table(extension, version_major, None), table, table_length // _POINTER)
    return SUCCESS


def _write_newest(newest: int | None, minor: int, result: int) -> None:
    if newest is not None:
        memory.store(minor, newest, 2)
    memory.store(result, newest is not None, 1)


def _fill(state: State, table: Table, address: int, most: int) -> None:
    for index, member in enumerate(table.members[:most]):
        memory.store(address + _POINTER * index, state.code[member.function], _POINTER)
