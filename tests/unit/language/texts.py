"""The texts that people read: documents, help, error messages, properties and clauses."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from hsa_conformance.cli import parser

ROOT = Path(__file__).parents[3]
PACKAGES = ("spec", "reference", "adapters", "conformance", "reports")
#: Folders whose pages a command writes where the site is built; no clone has them at first.
GENERATED = (ROOT / "docs" / "reference", ROOT / "docs" / "reliability")
#: Keys of the registry whose values are sentences of clauses.
SENTENCES = frozenset(("states", "note", "untestable"))
#: Stands for code and for values, whose words are not ours to choose.
CODE = "`…`"


@dataclass(frozen=True)
class Text:
    """A paragraph, a heading, a message or a sentence.

    Attributes:
        place: a file, from the root of the project, or a command.
        line: the line of the file where it begins, or the number of the command's text.
        words: the text, on one line.
        heading: whether it is the heading of a document.

    """

    place: str
    line: int
    words: str
    heading: bool = False


@cache
def texts() -> tuple[Text, ...]:
    """Return all texts."""
    return (*_documents(), *_help(parser()), *_python(), *_clauses())


def documents() -> list[Path]:
    """Return the committed documents: those of the root, and the pages of docs/."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    return [*sorted(ROOT.glob("*.md")), *(page for page in pages if not is_generated(page))]


def is_generated(page: Path) -> bool:
    """Return whether a command writes a page, so that no committed page may link to it."""
    return any(page.is_relative_to(folder) for folder in GENERATED)


def of_markdown(place: str, source: str) -> Iterator[Text]:
    """Yield the paragraphs and headings of a document, without its code."""
    line = 0
    heading = False
    for token in MarkdownIt("commonmark").enable("table").parse(source):
        line = token.map[0] + 1 if token.map else line
        if token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        if token.type == "inline":
            words = "".join(_words(child) for child in token.children or ())
            yield Text(place, line, " ".join(words.split()), heading)


def of_python(place: str, source: str) -> Iterator[Text]:
    """Yield the messages of errors, and the docstrings of properties, of a module."""
    for node, words in _messages(ast.parse(source)):
        yield Text(place, node.lineno, " ".join(words.split()))


def _words(token: Token) -> str:
    if token.type == "code_inline":
        return CODE
    return " " if token.type == "softbreak" else token.content if token.type == "text" else ""


def _documents() -> Iterator[Text]:
    for page in documents():
        yield from of_markdown(_place(page), page.read_text(encoding="utf-8"))


def _help(command: argparse.ArgumentParser) -> Iterator[Text]:
    found = [command.description, command.epilog]
    for group in command._action_groups:
        found += [group.title, group.description]
    for action in command._actions:
        found.append(action.help)
        if isinstance(action, argparse._SubParsersAction):
            found += [choice.help for choice in action._choices_actions]
            for inner in action.choices.values():
                yield from _help(inner)
    for number, words in enumerate(filter(None, found), 1):
        yield Text(f"{command.prog} --help", number, re.sub(r"`[^`]*`", CODE, words))


def _python() -> Iterator[Text]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield from of_python(_place(file), file.read_text(encoding="utf-8"))


def _messages(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Raise) or (
            isinstance(node, ast.Call) and _name(node.func).endswith("Error")
        ):
            yield from _strings(node)
            continue
        if isinstance(node, ast.FunctionDef) and any(
            isinstance(mark, ast.Call) and _name(mark.func) == "proves"
            for mark in node.decorator_list
        ):
            yield node, ast.get_docstring(node) or ""
        yield from _messages(node)


def _strings(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node, node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (p.value if isinstance(p, ast.Constant) else CODE for p in node.values)
        yield node, "".join(map(str, parts))
    else:
        for inner in ast.iter_child_nodes(node):
            yield from _strings(inner)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _clauses() -> Iterator[Text]:
    for file in sorted((ROOT / "spec" / "hsa_spec" / "registry").rglob("*.yaml")):
        for document in yaml.compose_all(file.read_text(encoding="utf-8"), yaml.CSafeLoader):
            for node in _sentences(document):
                words = " ".join(node.value.split())
                yield Text(_place(file), node.start_mark.line + 1, words)


def _sentences(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _sentences(item)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in SENTENCES and isinstance(value, yaml.ScalarNode):
                yield value
            else:
                yield from _sentences(value)


def _place(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()
