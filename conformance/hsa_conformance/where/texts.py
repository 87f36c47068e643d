"""Looks names up in the text of files: Python by its syntax, anything else by its lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax of a file of Python."""
    return ast.parse(path.read_text(encoding="utf-8"))


def assigned(path: Path, name: str) -> int | None:
    """Return the line where a module gives a name its value, None if it does not."""
    for node in tree(path).body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found))
            ):
                if found == name:
                    return node.lineno
            case _:
                pass
    return None


def constants(path: Path, text: str) -> Iterator[int]:
    """Yield the lines of a file of Python where a text is a constant."""
    if text in path.read_text(encoding="utf-8"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and node.value == text:
                yield node.lineno


def first_arguments(path: Path, functions: Container[str], text: str) -> Iterator[int]:
    """Yield the lines of a file of Python that call a function with a text as first argument."""
    for node in ast.walk(tree(path)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=value), *_]):
                if name in functions and value == text:
                    yield node.lineno
            case _:
                pass


def mentions(paths: Iterable[Path], name: str) -> Iterator[tuple[Path, int, str]]:
    """Yield file, line and text of each line that has a name as a whole word."""
    word = re.compile(rf"(?<![\w/-]){re.escape(name)}(?![\w-])")
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if name in text:
            for number, line in enumerate(text.splitlines(), start=1):
                if word.search(line):
                    yield path, number, line
