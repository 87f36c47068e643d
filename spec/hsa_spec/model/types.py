"""Everything that headers declare beside functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from hsa_spec.model.functions import Parameter
from hsa_spec.model.versions import Change, Versions


@dataclass(frozen=True)
class Enumerator:
    """One named value of an enumeration."""

    name: str
    value: int
    summary: str
    versions: Versions = field(default_factory=Versions)
    deprecated: str | None = None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Enum:
    """An enumeration of the API."""

    name: str
    header: str
    topic: str
    summary: str
    enumerators: tuple[Enumerator, ...]

    @cached_property
    def values(self) -> frozenset[int]:
        """Return every value that has a name."""
        return frozenset(e.value for e in self.enumerators)

    @cached_property
    def by_value(self) -> Mapping[int, Enumerator]:
        """Return the enumerators by value, the first name where several share one."""
        table: dict[int, Enumerator] = {}
        for enumerator in self.enumerators:
            table.setdefault(enumerator.value, enumerator)
        return table

    def __getitem__(self, name: str) -> int:
        """Return the value of the enumerator with this name."""
        return next(e.value for e in self.enumerators if e.name == name)


@dataclass(frozen=True)
class Field:
    """One member of a structure."""

    name: str
    type: str
    offset: int
    size: int
    summary: str = ""
    versions: Versions = field(default_factory=Versions)
    reserved: bool = False


@dataclass(frozen=True)
class Struct:
    """A structure, union or opaque handle, with its layout on a 64-bit machine."""

    name: str
    header: str
    topic: str
    summary: str
    size: int
    alignment: int
    fields: tuple[Field, ...]
    handle: bool = False  # an opaque handle: one 64-bit member
    union: bool = False
    versions: Versions = field(default_factory=Versions)
    changes: tuple[Change, ...] = ()

    @cached_property
    def field(self) -> Mapping[str, Field]:
        """Return the members by name."""
        return {f.name: f for f in self.fields}


@dataclass(frozen=True)
class CallbackType:
    """The type of a function that the application passes in."""

    name: str
    header: str
    topic: str
    summary: str
    result: str
    params: tuple[Parameter, ...]
    contract: tuple[str, ...] = ()
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Typedef:
    """Another name for a type of C."""

    name: str
    header: str
    topic: str
    summary: str
    type: str
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Macro:
    """A macro; `value` is None where it is no constant."""

    name: str
    header: str
    topic: str
    summary: str
    value: int | str | None = None
    versions: Versions = field(default_factory=Versions)
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Member:
    """One pointer of a table, to the function it stands for."""

    name: str
    function: str
    versions: Versions = field(default_factory=Versions)


@dataclass(frozen=True)
class Extension:
    """A version of an extension: its enumerator in hsa_extension_t, major and minor version.

    `minor` is None for a table that serves all versions with this major one.
    """

    name: str
    major: int
    minor: int | None = None

    def __str__(self) -> str:
        minor = "" if self.minor is None else f".{self.minor:02}"
        return f"{self.name} {self.major}{minor}"


@dataclass(frozen=True)
class Table:
    """A structure of pointers to functions, in the order that is part of the ABI.

    `version` says whether a table of the tools' interface starts with its own version; `extension`
    whose functions a table holds that hsa_system_get_major_extension_table fills.
    """

    name: str
    header: str
    topic: str
    summary: str
    members: tuple[Member, ...]
    version: bool = False
    versions: Versions = field(default_factory=Versions)
    changes: tuple[Change, ...] = ()
    extension: Extension | None = None


@dataclass(frozen=True)
class RetiredType:
    """A type that later headers lack, and of which nothing more is kept than that it was."""

    name: str
    header: str
    topic: str
    summary: str
    versions: Versions


#: What headers declare beside functions.
Type = Enum | Struct | CallbackType | Typedef | Table | Macro | RetiredType
