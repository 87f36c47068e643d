"""A C++ file, as libclang reads it: which edits of it there can be."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.campaign.rocr_mutants.edit import Edit, Operator
from tests.campaign.rocr_mutants.toolchain import Clang, run

SWITCHES: Final = Path(__file__).with_name("switches.h")

_COMPARISONS: Final = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
_SUMS: Final = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
_STATUSES: Final = (
    "HSA_STATUS_SUCCESS",
    "HSA_STATUS_ERROR",
    "HSA_STATUS_ERROR_INVALID_ARGUMENT",
    "HSA_STATUS_ERROR_INVALID_ALLOCATION",
    "HSA_STATUS_ERROR_INVALID_AGENT",
    "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
)
#: A call that gives something back, by a word in the name of what is called.
_RELEASE: Final = re.compile(
    r"delete\b|([^(=]|\(\))*(free|Free|[Rr]elease|[Uu]nlock|[Dd]estroy|[Uu]nmap|[Dd]eregister"
    r"|\bclose\b|\berase\b|\bclear\b|Decrement)\w*\("
)
_NUMBER: Final = re.compile(r"(?P<digits>0[xX][0-9a-fA-F]+|0|[1-9]\d*)(?P<suffix>[uUlL]*)")


@dataclass(frozen=True)
class Body:
    """The body of a function that a file defines.

    Args:
        function: what it is called, with its class.
        line: where the body begins, from 1.
        column: where it begins in the line, in bytes, from 1.
        start: where it begins in the file, in bytes.

    """

    function: str
    line: int
    column: int
    start: int


class Source:
    """A C++ file.

    Args:
        path: the file.
        name: its path within the source tree.
        clang: what compiles it.
        options: of the compiler, such as "-std=c++17"; they include the switches.
        compiled: the object that the compiler made of it.

    Attributes:
        text: what it contains, a character for each byte.
        bodies: of its functions.
        edits: all edits of it, of which some may not compile.

    Raises:
        ValueError: the file does not compile.

    """

    def __init__(
        self, path: Path, name: str, clang: Clang, options: Sequence[str], compiled: Path
    ) -> None:
        self.path = path
        self.name = name
        self.text = path.read_text("latin-1")
        self._compiler = [clang.program("clang++"), *options]
        self._compiled = compiled
        self._options = [*options, "-resource-dir", f"{clang.resources}"]
        self._clang: Any = import_module("clang.cindex")
        self._kinds = self._clang.CursorKind
        unit = self._parse(self.text)
        if errors := self._errors(unit):
            raise ValueError(f"{path} does not compile: {errors[0]}")
        ours = [c for c in unit.cursor.get_children() if self._is_ours(c)]
        self._macros = [_extent(c) for c in ours if c.kind == self._kinds.MACRO_INSTANTIATION]
        found = [pair for cursor in ours for pair in self._bodies(cursor)]
        self.bodies = [Body(name, *self._place(c), _extent(c)[0]) for name, c in found]
        self.edits = [e for _, body in found for c in self._walk(body) for e in self._of(c)]

    @property
    def entries(self) -> Sequence[Body]:
        """Return the functions of the API that it defines."""
        return [
            body
            for body in self.bodies
            if body.function.startswith("hsa_") and self.text[body.start] == "{"
        ]

    def accepts(self, edit: Edit) -> bool:
        """Return whether the file compiles with an edit behind its switch."""
        return not self._errors(self._parse(self._with(edit, edit.switched(1))))

    def differs(self, edit: Edit) -> bool:
        """Return whether the compiler makes another object of the file with an edit."""
        with TemporaryDirectory() as folder:
            path, compiled = Path(folder, self.path.name), Path(folder, "edited.o")
            path.write_text(self._with(edit, edit.edited), "latin-1")
            # Messages and headers are the ones of the file in its own place.
            place = [f"-fmacro-prefix-map={path}={self.path}", "-iquote", f"{self.path.parent}"]
            run([*self._compiler, *place, "-c", f"{path}", "-o", f"{compiled}"])
            return compiled.read_bytes() != self._compiled.read_bytes()

    def _with(self, edit: Edit, expression: str) -> str:
        """Return the text with an expression in the place that an edit changes."""
        return self.text[: edit.start] + expression + self.text[edit.end :]

    def _parse(self, text: str) -> Any:
        detailed = self._clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        content = text.encode("latin-1").decode("utf-8", "replace")
        index = self._clang.Index.create()
        return index.parse(
            str(self.path),
            args=self._options,
            unsaved_files=[(str(self.path), content)] if text != self.text else None,
            options=detailed,
        )

    def _errors(self, unit: Any) -> list[str]:
        error = self._clang.Diagnostic.Error
        return [d.spelling for d in unit.diagnostics if d.severity >= error]

    def _is_ours(self, cursor: Any) -> bool:
        file = cursor.location.file
        return file is not None and file.name == str(self.path)

    def _text(self, cursor: Any) -> str:
        start, end = _extent(cursor)
        return self.text[start:end]

    def _place(self, cursor: Any) -> tuple[int, int]:
        """Return the line and the column, in bytes, of where a cursor begins; both are from 1."""
        start, _ = _extent(cursor)
        return self.text.count("\n", 0, start) + 1, start - self.text.rfind("\n", 0, start)

    def _bodies(self, cursor: Any) -> Iterator[tuple[str, Any]]:
        """Yield the bodies of the functions that a declaration has, with their names."""
        for child in cursor.get_children():
            if child.kind == self._kinds.COMPOUND_STMT:
                yield self._called(cursor), child
            elif child.kind.is_declaration():
                yield from self._bodies(child)

    def _called(self, function: Any) -> str:
        """Return the name of a function, with that of its class."""
        kinds, parent = self._kinds, function.semantic_parent
        if parent.kind in {kinds.CLASS_DECL, kinds.CLASS_TEMPLATE, kinds.STRUCT_DECL}:
            return f"{parent.spelling}::{function.spelling}"
        return f"{function.spelling}"

    def _walk(self, cursor: Any) -> Iterator[Any]:
        """Yield a cursor and all below it, but for what has to be a constant."""
        yield cursor
        for number, child in enumerate(cursor.get_children()):
            if cursor.kind != self._kinds.CASE_STMT or number:
                yield from self._walk(child)

    def _of(self, cursor: Any) -> Iterator[Edit]:
        """Yield the edits of a statement or an expression."""
        kinds = self._kinds
        match cursor.kind:
            case kinds.IF_STMT | kinds.WHILE_STMT | kinds.CONDITIONAL_OPERATOR:
                yield from self._negated(cursor)
            case kinds.COMPOUND_STMT:
                yield from self._deleted(cursor)
            case kinds.BINARY_OPERATOR | kinds.COMPOUND_ASSIGNMENT_OPERATOR:
                yield from self._replaced(cursor)
            case kinds.INTEGER_LITERAL | kinds.CXX_BOOL_LITERAL_EXPR:
                yield from self._counted(cursor)
            case kinds.RETURN_STMT | kinds.CXX_THROW_EXPR:
                yield from self._answered(cursor)
            case kinds.CALL_EXPR:
                yield from self._swapped(cursor)

    def _edit(self, operator: Operator, cursor: Any, new: str = "") -> Iterator[Edit]:
        """Yield an edit of an expression, unless that is a part of what a macro expands to."""
        start, end = _extent(cursor)
        if not any(
            (a <= start and end <= b) or a < end < b or a < start < b for a, b in self._macros
        ):
            inside = bisect_right(self.bodies, start, key=lambda body: body.start) - 1
            place = (self.bodies[inside].function, *self._place(cursor), start)
            yield Edit(operator, self.name, *place, self.text[start:end], new)

    def _negated(self, cursor: Any) -> Iterator[Edit]:
        condition = next(cursor.get_children(), None)
        if condition is not None and condition.kind.is_expression():
            yield from self._edit(Operator.NEGATE, condition)

    def _deleted(self, block: Any) -> Iterator[Edit]:
        kinds = self._kinds
        statements = {
            kinds.CALL_EXPR,
            kinds.CXX_DELETE_EXPR,
            kinds.COMPOUND_ASSIGNMENT_OPERATOR,
            kinds.UNARY_OPERATOR,
        }
        for statement in map(_bare, block.get_children()):
            assigns = statement.kind == kinds.BINARY_OPERATOR and self._sign(statement) == "="
            if assigns or statement.kind in statements:
                gives_back = _RELEASE.match(self._text(statement))
                operator = Operator.RELEASE if gives_back else Operator.DELETE
                yield from self._edit(operator, statement)

    def _replaced(self, cursor: Any) -> Iterator[Edit]:
        sign = self._sign(cursor)
        for operator, others in ((Operator.COMPARE, _COMPARISONS), (Operator.ARITHMETIC, _SUMS)):
            if sign in others:
                left, right = (self._text(child) for child in cursor.get_children())
                yield from self._edit(operator, cursor, f"{left} {others[sign]} {right}")

    def _sign(self, cursor: Any) -> str:
        """Return the operator between two operands."""
        left, right = cursor.get_children()
        return self.text[_extent(left)[1] : _extent(right)[0]].strip()

    def _counted(self, cursor: Any) -> Iterator[Edit]:
        text = self._text(cursor)
        if text in ("true", "false"):
            yield from self._edit(Operator.CONSTANT, cursor, "false" if text == "true" else "true")
        elif number := _NUMBER.fullmatch(text):
            value = int(number["digits"], 0)
            for other in {value + 1, max(value - 1, 0)} - {value}:
                yield from self._edit(Operator.CONSTANT, cursor, f"{other}{number['suffix']}")

    def _answered(self, cursor: Any) -> Iterator[Edit]:
        for child in self._walk(cursor):
            if child.kind == self._kinds.DECL_REF_EXPR and child.spelling.startswith("HSA_STATUS_"):
                for other in _STATUSES:
                    if other != child.spelling:
                        yield from self._edit(Operator.STATUS, child, other)

    def _swapped(self, call: Any) -> Iterator[Edit]:
        functions = {self._kinds.FUNCTION_DECL, self._kinds.CXX_METHOD}
        if call.referenced is None or call.referenced.kind not in functions:
            return
        start, end = _extent(call)
        arguments = [(*_extent(a), a.type.get_canonical().spelling) for a in call.get_arguments()]
        for (a, b, one), (c, d, other) in combinations(arguments, 2):
            first, second = self.text[a:b], self.text[c:d]
            if start < a < b < c < d < end and one == other and first != second:
                between = self.text[b:c]
                new = f"{self.text[start:a]}{second}{between}{first}{self.text[d:end]}"
                yield from self._edit(Operator.SWAP, call, new)


def _extent(cursor: Any) -> tuple[int, int]:
    """Return where the text of a cursor begins and ends, in bytes."""
    return cursor.extent.start.offset, cursor.extent.end.offset


def _bare(cursor: Any) -> Any:
    """Return an expression without what the compiler adds around it."""
    while cursor.kind.is_unexposed():
        inside = list(cursor.get_children())
        if len(inside) != 1:
            break
        cursor = inside[0]
    return cursor
