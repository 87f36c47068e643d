"""Which files need which: by imports, by what their strings name, by fixtures, and by folders.

What changes in a file can change a test that needs it, directly or by others; the fewer steps lie
between them, the likelier.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from pathlib import PurePosixPath
from typing import Final

import grimp

#: A file that needs another, and the other one, as paths below the root of the tree.
Need = tuple[str, str]

_COMMAND: Final = "hsa-conformance"
_COMMAND_LINE: Final = "hsa_conformance.cli"
_STRING: Final = re.compile(r"""["']([^"'\n]+)["']""")
_REGISTRY: Final = "spec/hsa_spec/registry"
_WORD: Final = re.compile(r"\w+")


class Sources:
    """The Python files of a tree.

    Arguments:
        texts: by path, the text of each file.
        roots: the folders, other than that of the tree, in which packages lie.
    """

    def __init__(self, texts: Mapping[str, str], roots: Iterable[str] = ()) -> None:
        self.texts = texts
        self.strings = {path: frozenset(_STRING.findall(text)) for path, text in texts.items()}
        self.names = {
            path: frozenset(part for string in strings for part in string.split("/"))
            for path, strings in self.strings.items()
        }
        self.modules = {_module(path, roots): path for path in texts}
        self.folders = defaultdict[str, list[str]](list)
        for path in texts:
            self.folders[_folder(path)].append(path)


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)


def _module(path: str, roots: Iterable[str]) -> str:
    """Return the dotted name of a file."""
    below = next((path.removeprefix(f"{r}/") for r in roots if path.startswith(f"{r}/")), path)
    return below.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(sources: Sources, packages: Collection[str]) -> Iterator[Need]:
    """Yield each file of some packages and the files that it imports, in a function or not.

    What a `conftest.py` imports its fixtures need, each for itself.
    """
    first, *others = packages
    graph = grimp.build_graph(first, *others)
    for module in graph.modules & sources.modules.keys():
        path = sources.modules[module]
        if not path.endswith("/conftest.py"):
            imported = graph.find_modules_directly_imported_by(module)
            yield from ((path, sources.modules[name]) for name in imported & sources.modules.keys())


def named_modules(sources: Sources) -> Iterator[Need]:
    """Yield each file and the modules that it names in a string, to start or import them by name.

    In tests the command stands for its module, and the `__init__.py` of a package may leave out the
    name of the package.
    """
    for path, strings in sources.strings.items():
        names = {string for string in strings if "." in string}
        if path.startswith("tests/") and _COMMAND in strings:
            names.add(_COMMAND_LINE)
        if path.endswith("/__init__.py"):
            package = next(name for name, file in sources.modules.items() if file == path)
            names.update(f"{package}.{string}" for string in strings)
        for name in names & sources.modules.keys():
            yield path, sources.modules[name]


def fixtures(sources: Sources) -> Iterator[Need]:
    """Yield what files need of the `conftest.py` files above them: all of each, and its fixtures.

    A fixture is a node of its own, such as `tests/conftest.py::fake`.
    """
    words = {path: frozenset(_WORD.findall(text)) for path, text in sources.texts.items()}
    for path, text in sources.texts.items():
        if not path.endswith("/conftest.py"):
            continue
        below = [p for p in sources.texts if p.startswith(f"{_folder(path)}/") and p != path]
        yield from ((other, path) for other in below)
        for name, needed in _fixtures(text, sources.modules):
            fixture = f"{path}::{name}"
            yield from ((fixture, module) for module in needed)
            yield from ((other, fixture) for other in below if name in words[other])


def _fixtures(text: str, modules: Mapping[str, str]) -> Iterator[tuple[str, Set[str]]]:
    """Yield the functions of a file, and what they imported of ours or is imported beside them."""
    imported = dict[str, str]()
    body = ast.parse(text).body
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                file = modules.get(f"{node.module}.{alias.name}") or modules.get(node.module)
                if file is not None:
                    imported[alias.asname or alias.name] = file
    yield from ((name, {file}) for name, file in imported.items())
    for node in body:
        if isinstance(node, ast.FunctionDef):
            used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            yield node.name, {imported[name] for name in used & imported.keys()}


def data(sources: Sources, path: str) -> Iterator[Need]:
    """Yield the Python files that need a file which is not Python.

    Those are the ones in the nearest folder above it that name the file, the folder below theirs
    in which it lies, or its suffix, and all in that folder if none does; the tests that name the
    file, all folders of its path, or files of its suffix in general; and of a topic's registry
    all that has the topic in its path.
    """
    file = PurePosixPath(path)
    near = next((str(f) for f in file.parents if str(f) in sources.folders), None)
    if near is not None and near != ".":
        part = file.relative_to(near).parts[0]
        own = {part, file.name, file.stem}
        beside = sources.folders[near]
        naming = [p for p in beside if own & sources.names[p]] or [
            p for p in beside if any(s.endswith(file.suffix or "/") for s in sources.strings[p])
        ]
        yield from ((python, path) for python in naming or beside)
    folders = set(file.parts[:-1])
    own = {file.name, file.stem} if file.suffix == ".c" else {file.name}
    for python, names in sources.names.items():
        named = own & names or (folders and folders <= names)
        every = "/test_" in python and f"*{file.suffix}" in names
        if python.startswith("tests/") and (named or every):
            yield python, path
    if topic := registry_topic(path):
        for python in sources.texts:
            if has_topic(python, topic):
                yield python, path


def registry_topic(path: str) -> str | None:
    """Return the topic of a file of the registry, such as `amd/vmem`."""
    file = PurePosixPath(path)
    if file.is_relative_to(_REGISTRY) and file.suffix == ".yaml":
        return str(file.relative_to(_REGISTRY).with_suffix(""))
    return None


def has_topic(path: str, topic: str) -> bool:
    """Return whether a file is one of a topic, by its path."""
    return f"/{topic}/" in path or f"/{topic}." in path


def distances(changed: Iterable[str], needs: Iterable[Need]) -> dict[str, int]:
    """Return how many steps each file that needs a changed one lies from it; 0 for the changed."""
    needed_by = defaultdict[str, set[str]](set)
    for file, needed in needs:
        needed_by[needed].add(file)
    found = dict.fromkeys(changed, 0)
    waiting = deque(found)
    while waiting:
        file = waiting.popleft()
        for other in needed_by[file] - found.keys():
            found[other] = found[file] + 1
            waiting.append(other)
    return found
