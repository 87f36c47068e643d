"""Registries that were built before, in the user's cache.

Functions are most of a registry, and each is read back when it is first asked for: a program on the
reference needs few of them.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from hsa_spec.cache import cached, keep
from hsa_spec.conditions.vocabulary import TERMS
from hsa_spec.conditions.vocabulary.words import Term
from hsa_spec.model import Function, Registry

#: The folder of the cache that registries are in.
FOLDER = "registries"
_HERE = Path(__file__).parent
_DIGEST = hashlib.sha256().digest_size


class _Pickler(pickle.Pickler):
    """Writes a word of the vocabulary, which holds functions, as its name."""

    def persistent_id(self, thing: object) -> str | None:
        return thing.name if isinstance(thing, Term) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> Term:
        return TERMS[name]


class _Functions(Mapping[str, Function]):
    """The functions of a registry, from what was pickled of each."""

    def __init__(self, pickled: Mapping[str, bytes]) -> None:
        self._pickles = pickled
        self._read: dict[str, Function] = {}

    def __getitem__(self, name: str) -> Function:
        """Return a function, which stays the same."""
        found = self._read.get(name)
        if found is None:
            found = self._read.setdefault(name, _unpickled(self._pickles[name]))
        return found

    def __contains__(self, name: object) -> bool:
        """Return whether there is such a function."""
        return name in self._pickles

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the functions."""
        return iter(self._pickles)

    def __len__(self) -> int:
        """Return how many functions there are."""
        return len(self._pickles)


def read(state: str, root: Path) -> Registry | None:
    """Return the registry that was built from files in this state; None where none was.

    Args:
        state: the hash of the files.
        root: the folder that they are in now.

    """
    # Reading it can run any code, so nobody else may have written it: the cache sees to that.
    content = cached(FOLDER, _file(state)) or b""
    digest, pickled = content[:_DIGEST], content[_DIGEST:]
    if hashlib.sha256(pickled).digest() != digest:
        return None
    built: tuple[Registry, dict[str, bytes]] = _unpickled(pickled)
    registry, functions = built
    return replace(registry, functions=_Functions(functions), root=root)


def write(state: str, registry: Registry) -> None:
    """Keep a registry for later processes.

    Args:
        state: the hash of the files that it was built from.
        registry: what was built.

    """
    functions = {name: _pickled(function) for name, function in registry.functions.items()}
    content = _pickled((replace(registry, functions={}), functions))
    keep(FOLDER, _file(state), hashlib.sha256(content).digest() + content)


def _pickled(thing: object) -> bytes:
    room = io.BytesIO()
    _Pickler(room, pickle.HIGHEST_PROTOCOL).dump(thing)
    return room.getvalue()


def _unpickled(pickled: bytes) -> Any:  # noqa: ANN401 - whatever was pickled
    return _Unpickler(io.BytesIO(pickled)).load()


def _file(state: str) -> str:
    key = hashlib.sha256(f"{state} {_builders()} {sys.version}".encode()).hexdigest()
    return f"{key[:32]}.pickle"


@cache
def _builders() -> str:
    """Return the hash of what builds registries, and of the classes that they are made of."""
    state = hashlib.sha256()
    folders = (_HERE.joinpath(name).rglob("*.py") for name in ("conditions", "model"))
    for path in sorted([*_HERE.glob("*.py"), *chain.from_iterable(folders)]):
        state.update(str(path.relative_to(_HERE)).encode())
        state.update(path.read_bytes())
    return state.hexdigest()
