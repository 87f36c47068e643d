"""What C headers declare, as plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Place:
    """A line of a header.

    Args:
        header: the name of the file, without its folder.
        line: the line, counted from 1; 0 for the file as a whole.

    """

    header: str
    line: int = 0

    def __str__(self) -> str:
        """Return the place as compilers write it."""
        return f"{self.header}:{self.line}" if self.line else self.header


@dataclass(frozen=True)
class Signature:
    """What a function takes and returns."""

    result: str
    params: tuple[HeaderParameter, ...]


@dataclass(frozen=True)
class HeaderParameter:
    """One parameter; `callback` is the signature behind a pointer to a function, else None."""

    name: str
    type: str
    callback: Signature | None = None


@dataclass(frozen=True)
class HeaderFunction:
    """A function, with the statuses that its comment lists."""

    name: str
    place: Place
    signature: Signature
    statuses: tuple[str, ...]
    comment: str = ""


@dataclass(frozen=True)
class HeaderEnum:
    """An enumeration; `name` is None when it has neither a tag nor a typedef.

    `comment` has the comments of the enumerators as well, `comments` has those by name.
    """

    name: str | None
    place: Place
    values: Mapping[str, int] = field(hash=False)
    comment: str = ""
    comments: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class HeaderField:
    """One member of a structure, in bytes."""

    name: str
    type: str
    offset: int
    size: int


@dataclass(frozen=True)
class HeaderStruct:
    """A structure or union with its layout in bytes on a 64-bit machine.

    Members of a structure or union without a name stand among its own, and `comment` has the
    comments of all members as well.
    """

    name: str
    place: Place
    size: int
    alignment: int
    fields: tuple[HeaderField, ...]
    comment: str = ""


@dataclass(frozen=True)
class HeaderTable:
    """A structure of pointers to functions.

    Args:
        name: its name.
        place: where it is declared.
        members: its members in order, each with the function that its type is taken from, or None
            where it spells its type out.

    """

    name: str
    place: Place
    members: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True)
class HeaderCallback:
    """A name for a pointer to a function."""

    name: str
    place: Place
    signature: Signature
    comment: str = ""


@dataclass(frozen=True)
class HeaderTypedef:
    """A name for another type."""

    name: str
    place: Place
    type: str


@dataclass(frozen=True)
class HeaderMacro:
    """A macro, with the text of each of its definitions."""

    name: str
    place: Place
    values: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """Something that the parser did not understand.

    Args:
        place: where it is.
        construct: the declaration around it, or None when there is none with a name.
        message: what the parser says.

    """

    place: Place
    construct: str | None
    message: str

    def __str__(self) -> str:
        """Return the problem as one line."""
        inside = f"in {self.construct}: " if self.construct else ""
        return f"{self.place}: cannot be parsed: {inside}{self.message}"


@dataclass(frozen=True)
class Headers:
    """All that a folder of headers declares.

    Args:
        functions: by name.
        enums: those without a name as well.
        structs: by name, handles and unions among them.
        tables: by name.
        callbacks: by name.
        typedefs: by name.
        macros: by name.
        problems: what could not be parsed.
        interface: the version of the extension interface that hsa_ext_amd.h declares, or None.

    """

    functions: Mapping[str, HeaderFunction]
    enums: tuple[HeaderEnum, ...]
    structs: Mapping[str, HeaderStruct]
    tables: Mapping[str, HeaderTable]
    callbacks: Mapping[str, HeaderCallback]
    typedefs: Mapping[str, HeaderTypedef]
    macros: Mapping[str, HeaderMacro]
    problems: tuple[Problem, ...]
    interface: str | None
