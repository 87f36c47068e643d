"""From a folder of C headers to what they declare, by way of libclang."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from hsa_spec.headers.builtins import BUILTINS
from hsa_spec.headers.comments import statuses
from hsa_spec.headers.declarations import (
    HeaderEnum,
    HeaderField,
    HeaderFunction,
    HeaderParameter,
    Headers,
    HeaderStruct,
    Place,
    Problem,
    Signature,
)

Cursor = Any  # libclang's Python binding has no types
Type = Any
Unit = Any
Location = Any
Kinds = Any

_INCLUDE = "/hsa-spec-include"  # exists only in the parser's eyes
_ARGUMENTS = (
    *("-xc", "-std=c11", "--target=x86_64-linux-gnu", "-ferror-limit=0"),
    "-fparse-all-comments",  # a list of statuses in a plain comment is one as well
    *("-nostdinc", f"-isystem{_INCLUDE}"),
)
_KEEP_GOING = 0x200  # a missing include must not hide the rest of a header
_ERROR = 3
_NOT_C = {"hsa_api_trace.h"}  # C++, and about the tables between a runtime and its tools
_NOWHERE: frozenset[int] = frozenset()
_INTERFACE = re.compile(r"^\s*#\s*define\s+HSA_AMD_INTERFACE_VERSION_(MAJOR|MINOR)\s+(\d+)", re.M)


class HeaderError(Exception):
    """The headers cannot be read at all; the message says what to do."""


def parse(folder: Path) -> Headers:
    """Parse the headers of a folder whose names start with `hsa`.

    What cannot be parsed is listed under `problems`, and the rest is returned.

    Args:
        folder: a folder such as /usr/include/hsa.

    Raises:
        HeaderError: libclang is not installed, or the folder has no such headers.

    """
    names = sorted({path.name for path in folder.glob("hsa*.h")} - _NOT_C)
    if not names:
        raise HeaderError(f"{folder} holds no headers hsa*.h; name the folder that holds hsa.h")
    reader = _Reader(folder)
    for name in names:
        reader.read(name)
    return reader.headers()


def normal(ctype: str) -> str:
    """Return a C type as the registry writes types: `const void*`, not `const void *`."""
    text = re.sub(r"\b(?:struct|enum|union)\s+", "", ctype).replace("_Bool", "bool")
    return re.sub(r"\s*([*\[])\s*", r"\1", text).strip()


class _Reader:
    """Collects the declarations of header after header."""

    def __init__(self, folder: Path) -> None:
        try:
            self.clang: Any = import_module("clang.cindex")
        except ImportError:
            raise HeaderError(
                "reading headers needs libclang; install hsa-conformance[headers]"
            ) from None
        try:
            self.index = self.clang.Index.create()
        except self.clang.LibclangError as error:
            raise HeaderError(f"libclang cannot be loaded: {error}".splitlines()[0]) from None
        self.folder = folder.resolve()
        self.comments: dict[str, str] = {}
        self.functions: dict[str, tuple[Place, Signature]] = {}
        self.enums: dict[Place, HeaderEnum] = {}
        self.structs: dict[str, HeaderStruct] = {}
        self.callbacks: dict[str, Signature] = {}
        self.problems: dict[tuple[str, object], Problem] = {}

    def read(self, name: str) -> None:
        """Collect what a header and those that it includes declare."""
        try:
            unit = self.index.parse(
                str(self.folder / name),
                args=[*_ARGUMENTS, f"-I{self.folder}", f"-idirafter{self.folder.parent}"],
                unsaved_files=[(f"{_INCLUDE}/{file}", text) for file, text in BUILTINS.items()],
                options=_KEEP_GOING,
            )
        except self.clang.TranslationUnitLoadError:
            self.problems[name, None] = Problem(Place(name), None, "libclang cannot read the file")
            return
        ours = [c for c in unit.cursor.get_children() if self.is_ours(c.location)]
        broken = self.note_problems(unit, name, ours)
        names = _names(ours, self.clang.CursorKind)
        for cursor in ours:
            if cursor.raw_comment:
                self.comments[cursor.spelling] = cursor.raw_comment
            if broken.get(_place(cursor.location).header, _NOWHERE).isdisjoint(_lines(cursor)):
                self.add(cursor, names)

    def is_ours(self, location: Location) -> bool:
        """Tell whether something is in the folder, not in a header that one there includes."""
        if location.file is None:
            return False
        return Path(location.file.name).parent.resolve() == self.folder

    def note_problems(
        self, unit: Unit, name: str, cursors: Sequence[Cursor]
    ) -> dict[str, frozenset[int]]:
        """Record what was not understood, and return the lines concerned by header."""
        broken: dict[str, frozenset[int]] = {}
        for diagnostic in unit.diagnostics:
            if diagnostic.severity < _ERROR:
                continue
            place = _place(diagnostic.location) if diagnostic.location.file else Place(name)
            around = [
                c
                for c in cursors
                if _place(c.location).header == place.header and place.line in _lines(c)
            ]
            # A typedef comes after the type that it names, and has the name that counts.
            named = around and not around[-1].is_anonymous()
            construct = around[-1].spelling if named else None
            # One mistake often has many consequences, and the first says enough.
            self.problems.setdefault(
                (place.header, construct or place.line),
                Problem(place, construct, diagnostic.spelling),
            )
            broken[place.header] = broken.get(place.header, _NOWHERE) | {place.line}
        return broken

    def add(self, cursor: Cursor, names: dict[int, str]) -> None:
        kinds = self.clang.CursorKind
        if cursor.kind == kinds.FUNCTION_DECL:
            signature = self.signature(cursor.result_type, cursor.get_arguments())
            self.functions.setdefault(cursor.spelling, (_place(cursor.location), signature))
        elif cursor.kind == kinds.ENUM_DECL and cursor.is_definition():
            values = {
                c.spelling: c.enum_value
                for c in cursor.get_children()
                if c.kind == kinds.ENUM_CONSTANT_DECL
            }
            place = _place(cursor.location)
            self.enums[place] = HeaderEnum(_name(cursor, names), place, values)
        elif cursor.kind == kinds.STRUCT_DECL and cursor.is_definition():
            name = _name(cursor, names)
            if name:
                self.structs[name] = _struct(name, cursor)
        elif cursor.kind == kinds.TYPEDEF_DECL:
            signature_behind = self.behind(cursor, cursor.underlying_typedef_type)
            if signature_behind:
                self.callbacks[cursor.spelling] = signature_behind

    def signature(self, result: Type, params: Iterable[Cursor]) -> Signature:
        return Signature(
            normal(result.spelling),
            tuple(
                HeaderParameter(p.spelling, normal(p.type.spelling), self.behind(p, p.type))
                for p in params
            ),
        )

    def behind(self, cursor: Cursor, ctype: Type) -> Signature | None:
        """Return the signature that a declared pointer to a function has, named or not."""
        kinds = self.clang.TypeKind
        pointee = ctype.get_canonical().get_pointee()
        if pointee.kind not in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO):
            return None
        if ctype.get_declaration().kind == self.clang.CursorKind.TYPEDEF_DECL:
            return self.callbacks.get(ctype.spelling)
        params = [c for c in cursor.get_children() if c.kind == self.clang.CursorKind.PARM_DECL]
        return self.signature(ctype.get_pointee().get_result(), params)

    def headers(self) -> Headers:
        """Return all that has been collected."""
        functions = {
            name: HeaderFunction(name, place, signature, statuses(name, self.comments))
            for name, (place, signature) in self.functions.items()
        }
        return Headers(
            functions,
            tuple(self.enums.values()),
            self.structs,
            tuple(self.problems.values()),
            self.interface(),
        )

    def interface(self) -> str | None:
        path = self.folder / "hsa_ext_amd.h"
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        found = dict(_INTERFACE.findall(text))
        return f"{found['MAJOR']}.{found['MINOR']}" if len(found) == 2 else None


def _names(cursors: Iterable[Cursor], kinds: Kinds) -> dict[int, str]:
    """Return the typedef's name of each type that has one, by the type's hash."""
    names: dict[int, str] = {}
    for cursor in cursors:
        if cursor.kind == kinds.TYPEDEF_DECL:
            declared = cursor.underlying_typedef_type.get_declaration()
            if declared.kind in (kinds.ENUM_DECL, kinds.STRUCT_DECL):
                names.setdefault(declared.hash, cursor.spelling)
    return names


def _name(cursor: Cursor, names: dict[int, str]) -> str | None:
    if cursor.hash in names:
        return names[cursor.hash]
    return None if cursor.is_anonymous() else cursor.spelling


def _struct(name: str, cursor: Cursor) -> HeaderStruct:
    fields = tuple(_fields(cursor.type))
    size, alignment = cursor.type.get_size(), cursor.type.get_align()
    return HeaderStruct(name, _place(cursor.location), size, alignment, fields)


def _fields(ctype: Type) -> Iterator[HeaderField]:
    for member in ctype.get_fields():
        offset, size = member.get_field_offsetof() // 8, member.type.get_size()
        yield HeaderField(member.spelling, normal(member.type.spelling), offset, size)


def _place(location: Location) -> Place:
    return Place(Path(location.file.name).name, location.line)


def _lines(cursor: Cursor) -> range:
    return range(cursor.extent.start.line, cursor.extent.end.line + 1)
