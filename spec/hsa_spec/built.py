"""Registries that were built before, in the user's cache: reading one back takes a third."""

from __future__ import annotations

import gc
import hashlib
import io
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

from hsa_spec.cache import cache_folder
from hsa_spec.conditions.vocabulary import TERMS
from hsa_spec.conditions.vocabulary.words import Term
from hsa_spec.model import Registry

_HERE = Path(__file__).parent
_DIGEST = hashlib.sha256().digest_size


class _Pickler(pickle.Pickler):
    """Writes a word of the vocabulary, which holds functions, as its name."""

    def persistent_id(self, thing: object) -> str | None:
        return thing.name if isinstance(thing, Term) else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> Term:
        return TERMS[name]


def kept(state: str, root: Path) -> Registry | None:
    """Return the registry that was built from files in this state; None where none was.

    Args:
        state: the hash of the files.
        root: the folder that they are in now.

    """
    try:
        content = _file(state).read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return None
    digest, pickled = content[:_DIGEST], content[_DIGEST:]
    if hashlib.sha256(pickled).digest() != digest:
        return None
    with _no_collection():
        registry: Registry = _Unpickler(io.BytesIO(pickled)).load()
    return replace(registry, root=root)


def keep(state: str, registry: Registry) -> None:
    """Keep a registry for later processes.

    Args:
        state: the hash of the files that it was built from.
        registry: what was built.

    """
    pickled = io.BytesIO()
    _Pickler(pickled, pickle.HIGHEST_PROTOCOL).dump(registry)
    # A home that is missing or cannot be written costs time, nothing else.
    with suppress(OSError, RuntimeError):
        target = _file(state)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_suffix(f".{os.getpid()}")
        content = pickled.getvalue()
        temporary.write_bytes(hashlib.sha256(content).digest() + content)
        temporary.replace(target)


def _file(state: str) -> Path:
    key = hashlib.sha256(f"{state} {_builders()} {sys.version}".encode()).hexdigest()
    return cache_folder() / f"registry-{key[:32]}.pickle"


@cache
def _builders() -> str:
    """Return the hash of what builds registries, and of the classes that they are made of."""
    state = hashlib.sha256()
    for path in sorted([*_HERE.glob("*.py"), *_HERE.joinpath("conditions").rglob("*.py")]):
        state.update(str(path.relative_to(_HERE)).encode())
        state.update(path.read_bytes())
    return state.hexdigest()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Let nobody look for garbage where everything is here to stay: it would double the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
