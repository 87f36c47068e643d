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
    engine.append(declared)
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
    """Yield what gives a verdict in a file, and not what only asks for it."""
    for giver, by in _givers(path):
        nodes = list(ast.walk(giver))
        asking = [node for node in nodes if isinstance(node, ast.Compare)]
        asked = {part for node in asking for part in ast.walk(node)}
        for node in nodes:
            match node:
                case ast.Attribute(value=ast.Name(id="Verdict"), attr=attr):
                    if attr == name and node not in asked:
                        yield Place(path, node.lineno, f"given by {by}")
                case _:
                    pass


def _givers(path: Path) -> Iterator[tuple[ast.AST, str]]:
    """Yield the functions of a file, and the objects that it makes, each with its name."""
    module = tree(path)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
    for node in module.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=ast.Name(id=made))):
                if made != "frozenset":  # a list of verdicts gives none
                    yield node, name
            case _:
                pass
