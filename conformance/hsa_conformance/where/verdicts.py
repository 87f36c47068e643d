"""Where a verdict is declared and explained, and the rules that give it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import hsa_conformance
from hsa_conformance.where.place import Place, few
from hsa_conformance.where.texts import tree
from hsa_reports import Verdict, verdicts

_PACKAGE = Path(hsa_conformance.__file__).parent


def places(name: str, most: int | None) -> Iterator[Place]:
    """Yield the places of a verdict."""
    if name not in Verdict.__members__:
        return
    declared = Path(verdicts.__file__)
    for line in _lines(declared.read_text(encoding="utf-8"), f"    {name} = "):
        yield Place(declared, line, f"{name}: {Verdict[name].meaning}")
    engine = [p for p in sorted(_PACKAGE.rglob("*.py")) if p.parent != _PACKAGE / "where"]
    engine = [p for p in engine if not p.is_relative_to(_PACKAGE / "topics")]
    for path in engine:
        if "|" in (ast.get_docstring(tree(path)) or ""):
            rows = _lines(path.read_text(encoding="utf-8"), "|", name)
            yield from (Place(path, line, "in the table of the rules") for line in list(rows)[:1])
    yield from few((p for path in engine for p in _given(path, name)), most)


def _lines(text: str, start: str, word: str = "") -> Iterator[int]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(start) and word in line:
            yield number


def _given(path: Path, name: str) -> Iterator[Place]:
    """Yield the functions of a file that give a verdict, and not those that only ask for it."""
    for function in ast.walk(tree(path)):
        if isinstance(function, ast.FunctionDef):
            nodes = list(ast.walk(function))
            asking = [node for node in nodes if isinstance(node, ast.Compare)]
            asked = {part for node in asking for part in ast.walk(node)}
            for node in nodes:
                match node:
                    case ast.Attribute(value=ast.Name(id="Verdict"), attr=attr):
                        if attr == name and node not in asked:
                            yield Place(path, node.lineno, f"given by {function.name}")
                    case _:
                        pass
