"""Reads C headers one by one with libclang and collects what they declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from hsa_spec.headers.builtins import BUILTINS
from hsa_spec.headers.comments import statuses
from hsa_spec.headers.declarations import (
    HeaderCallback,
    HeaderEnum,
    HeaderField,
    HeaderFunction,
    HeaderMacro,
    HeaderParameter,
    Headers,
    HeaderStruct,
    HeaderTable,
    HeaderTypedef,
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
_C = ("-xc", "-std=c11")
_CPP = ("-xc++", "-std=c++11", "-DAMD_INTERNAL_BUILD")  # its includes are in the same folder
_IN_CPP = {"hsa_api_trace.h"}
_ARGUMENTS = (
    *("--target=x86_64-linux-gnu", "-ferror-limit=0"),
    "-fparse-all-comments",  # a list of statuses in a plain comment is one as well
    *("-nostdinc", f"-isystem{_INCLUDE}"),
)
_KEEP_GOING = 0x200  # a missing include must not hide the rest of a header
_ERROR = 3
_NOWHERE: frozenset[int] = frozenset()
_DEFINE = re.compile(r"^\s*#\s*define\s+(?P<name>\w+)(?:\([^)]*\))?(?P<value>.*?)(?:/[/*].*)?$")


def normal(ctype: str) -> str:
    """Return a C type as the registry writes types: `const void*`, not `const void *`."""
    ctype = re.sub(r"\bstruct (\w+)_s\b", r"\1_t", ctype)  # a tag, and the typedef beside it
    text = re.sub(r"\b(?:struct|enum|union)\s+", "", ctype).replace("_Bool", "bool")
    return re.sub(r"\s*([*\[])\s*", r"\1", text).strip()


class HeaderError(Exception):
    """The headers cannot be read at all; the message says what to do."""


class Reader:
    """Collects the declarations of header after header.

    Args:
        folder: the folder of the headers.

    Raises:
        HeaderError: libclang is not installed.

    """

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
        self.tables: dict[str, HeaderTable] = {}
        self.callbacks: dict[str, HeaderCallback] = {}
        self.typedefs: dict[str, HeaderTypedef] = {}
        self.macros: dict[str, HeaderMacro] = {}
        self.problems: dict[tuple[str, object], Problem] = {}

    def read(self, name: str) -> None:
        """Collect what a header and those that it includes declare."""
        self._add_macros(name)
        try:
            unit = self.index.parse(
                str(self.folder / name),
                args=[
                    *(_CPP if name in _IN_CPP else _C),
                    *_ARGUMENTS,
                    f"-I{self.folder}",
                    f"-idirafter{self.folder.parent}",
                ],
                unsaved_files=[(f"{_INCLUDE}/{file}", text) for file, text in BUILTINS.items()],
                options=_KEEP_GOING,
            )
        except self.clang.TranslationUnitLoadError:
            self.problems[name, None] = Problem(Place(name), None, "libclang cannot read the file")
            return
        ours = [c for c in unit.cursor.get_children() if self._is_ours(c.location)]
        broken = self._note_problems(unit, name, ours)
        names = _names(ours, self.clang.CursorKind)
        for cursor in ours:
            if cursor.raw_comment:
                self.comments[cursor.spelling] = cursor.raw_comment
            if broken.get(_place(cursor.location).header, _NOWHERE).isdisjoint(_lines(cursor)):
                self._add(cursor, names)

    def _add_macros(self, name: str) -> None:
        """Collect every definition in a header, those that this machine would not choose too."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        for line, content in enumerate(text.splitlines(), start=1):
            if found := _DEFINE.match(content):
                macro = self.macros.get(
                    found["name"], HeaderMacro(found["name"], Place(name, line), ())
                )
                self.macros[found["name"]] = replace(
                    macro, values=(*macro.values, found["value"].strip())
                )

    def _is_ours(self, location: Location) -> bool:
        """Return whether something is in the folder, not in a header that one there includes."""
        if location.file is None:
            return False
        return Path(location.file.name).parent.resolve() == self.folder

    def _note_problems(
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

    def _add(self, cursor: Cursor, names: dict[int, str]) -> None:
        kinds = self.clang.CursorKind
        if cursor.kind == kinds.FUNCTION_DECL:
            signature = self._signature(cursor.result_type, cursor.get_arguments())
            self.functions.setdefault(cursor.spelling, (_place(cursor.location), signature))
        elif cursor.kind == kinds.ENUM_DECL and cursor.is_definition():
            found = [c for c in cursor.get_children() if c.kind == kinds.ENUM_CONSTANT_DECL]
            place = _place(cursor.location)
            self.enums[place] = HeaderEnum(
                _name(cursor, names),
                place,
                {c.spelling: c.enum_value for c in found},
                _comments(cursor),
                _comments_of_each(found),
            )
        elif cursor.kind in (kinds.STRUCT_DECL, kinds.UNION_DECL) and cursor.is_definition():
            name = _name(cursor, names)
            if name:
                self._add_struct(name, cursor)
        elif cursor.kind == kinds.TYPEDEF_DECL:
            self._add_typedef(cursor)

    def _add_struct(self, name: str, cursor: Cursor) -> None:
        if any(c.kind == self.clang.CursorKind.CONSTRUCTOR for c in cursor.get_children()):
            return  # a class of C++, which C knows nothing of
        members = list(cursor.type.get_fields())
        if len(members) > 1 and all(self._is_function(m.type) for m in members[1:]):
            functions = tuple((m.spelling, taken_from(m.type.spelling)) for m in members)
            # The version that a table may start with is no member.
            functions = functions if self._is_function(members[0].type) else functions[1:]
            self.tables.setdefault(name, HeaderTable(name, _place(cursor.location), functions))
        else:
            self.structs.setdefault(name, _struct(name, cursor))

    def _add_typedef(self, cursor: Cursor) -> None:
        name, place, ctype = (
            cursor.spelling,
            _place(cursor.location),
            cursor.underlying_typedef_type,
        )
        signature = self._behind(cursor, ctype)
        if signature:
            comment = cursor.raw_comment or ""
            self.callbacks.setdefault(name, HeaderCallback(name, place, signature, comment))
        elif not self._is_declared_here(ctype):
            self.typedefs.setdefault(name, HeaderTypedef(name, place, normal(ctype.spelling)))

    def _is_declared_here(self, ctype: Type) -> bool:
        """Return whether a typedef's type is a structure or an enumeration, to which it belongs."""
        kinds = self.clang.CursorKind
        declared = ctype.get_declaration().kind
        return declared in (kinds.STRUCT_DECL, kinds.UNION_DECL, kinds.ENUM_DECL)

    def _is_function(self, ctype: Type) -> bool:
        kinds = self.clang.TypeKind
        pointee = ctype.get_canonical().get_pointee()
        return pointee.kind in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO)

    def _signature(self, result: Type, params: Iterable[Cursor]) -> Signature:
        return Signature(
            normal(result.spelling),
            tuple(
                HeaderParameter(p.spelling, normal(p.type.spelling), self._behind(p, p.type))
                for p in params
            ),
        )

    def _behind(self, cursor: Cursor, ctype: Type) -> Signature | None:
        """Return the signature that a declared pointer to a function has, named or not."""
        if not self._is_function(ctype):
            return None
        if ctype.get_declaration().kind == self.clang.CursorKind.TYPEDEF_DECL:
            named = self.callbacks.get(ctype.spelling)
            return named.signature if named else None
        params = [c for c in cursor.get_children() if c.kind == self.clang.CursorKind.PARM_DECL]
        return self._signature(ctype.get_pointee().get_result(), params)

    def headers(self) -> Headers:
        """Return all that has been collected."""
        functions = {
            name: HeaderFunction(
                name,
                place,
                signature,
                statuses(name, self.comments),
                self.comments.get(name, ""),
            )
            for name, (place, signature) in self.functions.items()
        }
        return Headers(
            functions,
            tuple(self.enums.values()),
            self.structs,
            self.tables,
            self.callbacks,
            self.typedefs,
            self.macros,
            tuple(self.problems.values()),
            self._interface(),
        )

    def _interface(self) -> str | None:
        """Return the version of the extension interface that the macros declare."""
        name = "HSA_AMD_INTERFACE_VERSION"
        found = [self.macros.get(f"{name}_{part}") for part in ("MAJOR", "MINOR")]
        return ".".join(m.values[0] for m in found if m) if all(found) else None


def _names(cursors: Iterable[Cursor], kinds: Kinds) -> dict[int, str]:
    """Return the typedef's name of each type that has one, by the type's hash."""
    names: dict[int, str] = {}
    for cursor in cursors:
        if cursor.kind == kinds.TYPEDEF_DECL:
            declared = cursor.underlying_typedef_type.get_declaration()
            if declared.kind in (kinds.ENUM_DECL, kinds.STRUCT_DECL, kinds.UNION_DECL):
                names.setdefault(declared.hash, cursor.spelling)
    return names


def _name(cursor: Cursor, names: dict[int, str]) -> str | None:
    if cursor.hash in names:
        return names[cursor.hash]
    return None if cursor.is_anonymous() else cursor.spelling


def _struct(name: str, cursor: Cursor) -> HeaderStruct:
    fields = tuple(_fields(cursor.type))
    size, alignment = cursor.type.get_size(), cursor.type.get_align()
    comment = _comments(cursor)
    return HeaderStruct(name, _place(cursor.location), size, alignment, fields, comment)


def _comments_of_each(enumerators: Sequence[Cursor]) -> dict[str, str]:
    """Return the comment of each enumerator; libclang gives one also to those that follow it."""
    comments = [c.raw_comment or "" for c in enumerators]
    before = ["", *comments]
    return {
        c.spelling: comment if comment != last else ""
        for c, comment, last in zip(enumerators, comments, before, strict=False)
    }


def _comments(cursor: Cursor) -> str:
    """Return the comments of a declaration and of what is in it."""
    inside = (c.raw_comment for c in cursor.walk_preorder())
    return "\n".join(comment for comment in inside if comment)


def _fields(ctype: Type, start: int = 0, prefix: str = "") -> Iterator[HeaderField]:
    for member in ctype.get_fields():
        if member.is_bitfield():
            continue  # a byte is the smallest thing that has an offset
        offset, size = start + member.get_field_offsetof() // 8, member.type.get_size()
        if _is_nameless(member.type):
            yield from _fields(member.type.get_canonical(), offset, prefix + _part_of(member))
        else:
            yield HeaderField(prefix + member.spelling, normal(member.type.spelling), offset, size)


def _is_nameless(ctype: Type) -> bool:
    """Return whether a member's structure or union has no name, and so no entry of its own."""
    return bool(ctype.get_declaration().is_anonymous())


def _part_of(member: Cursor) -> str:
    """Return what stands before the names of a nameless structure's members."""
    # libclang gives a member without a name the text of its type.
    return f"{member.spelling}." if member.spelling.isidentifier() else ""


def taken_from(ctype: str) -> str | None:
    """Return the function that a member such as `decltype(hsa_init) *` is for."""
    found = re.match(r"decltype\((\w+)\)", ctype)
    return found[1] if found else None


def _place(location: Location) -> Place:
    return Place(Path(location.file.name).name, location.line)


def _lines(cursor: Cursor) -> range:
    return range(cursor.extent.start.line, cursor.extent.end.line + 1)
