"""From the registry's files to a `Registry`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from hsa_spec import registry_cache
from hsa_spec.builder import Builder
from hsa_spec.cache import cached, keep
from hsa_spec.defaults import completed
from hsa_spec.digest import digest_of
from hsa_spec.documents import Document, check_documents, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.family import expanded
from hsa_spec.model import Registry

REGISTRY = Path(__file__).with_name("registry")
SCHEMA = Path(__file__).with_name("registry.schema.json")
#: What a cached reading depends on besides the files of the registry.
_READERS = (
    SCHEMA,
    *(Path(__file__).with_name(name) for name in ("digest.py", "family.py")),
    *sorted(Path(__file__).with_name("defaults").glob("*.py")),
)


def load(root: Path = REGISTRY) -> Registry:
    """Load a registry. Loading it again gives the same object while no file has changed.

    Args:
        root: the folder that holds the YAML files; by default the registry of this package.

    Raises:
        RegistryError: a file is malformed; the message names file, line and rule.

    """
    paths = _paths(root)
    return _load(root, paths, _state(paths, root))


def documents(root: Path = REGISTRY) -> list[Document]:
    """Return the documents of a registry in full: families expanded, and defaults said.

    Args:
        root: the folder that holds the YAML files.

    Raises:
        RegistryError: a file is malformed.

    """
    paths = _paths(root)
    before = _cached(_state(paths, root), root)
    return before[1] if before else _read(paths)


def _read(paths: Iterable[Path]) -> list[Document]:
    written = [d for path in paths for d in expanded(read_documents(path))]
    check_documents(written, SCHEMA)
    return completed(written)


def _paths(root: Path) -> tuple[Path, ...]:
    paths = sorted(root.rglob("*.yaml"), key=lambda path: _place(path, root))
    if not paths:
        raise RegistryError(root, None, "no registry here: expected *.yaml files in this folder")
    return tuple(paths)


@cache
def _load(root: Path, paths: Sequence[Path], state: str) -> Registry:
    if registry := registry_cache.read(state, root):
        return registry
    if before := _cached(state, root):
        digest, in_full = before
        registry = Builder(root).build(in_full, digest)
    else:
        in_full = _read(paths)
        registry = Builder(root).build(in_full)
        registry = replace(registry, digest=digest_of(registry))
        _keep(state, registry, in_full)
    registry_cache.write(state, registry)
    return registry


def _place(path: Path, root: Path) -> tuple[bool, str]:
    """Put hsa.h's topics first: everything else builds on them."""
    name = str(path.relative_to(root))
    return not name.startswith("core"), name


def _state(paths: Iterable[Path], root: Path) -> str:
    """Hash everything that a cached reading depends on: the files, and what reads them."""
    state = hashlib.sha256()
    for path in _READERS:
        state.update(path.read_bytes())
    for path in paths:
        state.update(str(path.relative_to(root)).encode())
        state.update(path.read_bytes())
    return state.hexdigest()


def _cached(state: str, root: Path) -> tuple[str, list[Document]] | None:
    # The name is the hash of the contents, so what is found can be broken but never stale.
    try:
        digest, rows = json.loads(cached(registry_cache.FOLDER, f"{state[:32]}.json") or b"")
        in_full = [Document(root / path, index, data) for path, index, data in rows]
    except (ValueError, TypeError):
        return None
    return digest, in_full


def _keep(state: str, registry: Registry, in_full: Iterable[Document]) -> None:
    rows = [(str(d.path.relative_to(registry.root)), d.index, d.data) for d in in_full]
    keep(registry_cache.FOLDER, f"{state[:32]}.json", json.dumps([registry.digest, rows]).encode())
