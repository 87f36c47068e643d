"""From the registry's files to a `Registry`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from hsa_spec.builder import Builder
from hsa_spec.documents import Document, check_documents, read_documents
from hsa_spec.errors import RegistryError
from hsa_spec.family import expanded
from hsa_spec.model import Registry

REGISTRY = Path(__file__).with_name("registry")
SCHEMA = Path(__file__).with_name("registry.schema.json")


def load(root: Path = REGISTRY) -> Registry:
    """Load a registry. Loading it again gives the same object while no file has changed.

    Args:
        root: the folder that holds the YAML files; by default the registry of this package.

    Raises:
        RegistryError: a file is malformed; the message names file, line and rule.

    """
    paths = sorted(root.rglob("*.yaml"), key=lambda path: _place(path, root))
    if not paths:
        raise RegistryError(root, None, "no registry here: expected *.yaml files in this folder")
    return _load(root, tuple(paths), _digest(paths, root))


@cache
def _load(root: Path, paths: Sequence[Path], digest: str) -> Registry:
    documents = _cached(digest, root) or _read(paths, digest, root)
    return Builder(root, digest).build(documents)


def _place(path: Path, root: Path) -> tuple[bool, str]:
    """Put hsa.h's topics first: everything else builds on them."""
    name = str(path.relative_to(root))
    return not name.startswith("core"), name


def _digest(paths: Iterable[Path], root: Path) -> str:
    """Hash everything that a cached reading depends on: the files and the schema."""
    digest = hashlib.sha256(SCHEMA.read_bytes())
    for path in paths:
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _cache_file(digest: str) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "hsa-conformance" / f"registry-{digest[:32]}.json"


def _cached(digest: str, root: Path) -> list[Document] | None:
    # The name is the hash of the contents, so what is found can be broken but never stale.
    try:
        rows = json.loads(_cache_file(digest).read_text(encoding="utf-8"))
        return [Document(root / path, index, data) for path, index, data in rows]
    except (OSError, ValueError, TypeError, RuntimeError):  # RuntimeError: there is no home
        return None


def _read(paths: Iterable[Path], digest: str, root: Path) -> list[Document]:
    documents = [d for path in paths for d in expanded(read_documents(path))]
    check_documents(documents, SCHEMA)
    rows = [(str(d.path.relative_to(root)), d.index, d.data) for d in documents]
    # A home that is missing or cannot be written costs time, nothing else.
    with suppress(OSError, RuntimeError):
        target = _cache_file(digest)
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(rows), encoding="utf-8")
        temporary.replace(target)
    return documents
