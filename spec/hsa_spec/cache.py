"""The caches of this user."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder for what can be made again, following the XDG base directories.

    Raises:
        RuntimeError: the user has no home.

    """
    cache = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification says to ignore relative paths.
    base = Path(cache) if cache.startswith("/") else Path("~/.cache").expanduser()
    return base / "hsa-conformance"


def keyed_folder(name: str, *contents: bytes) -> Path | None:
    """Return the folder for what is made from these contents, and from nothing else.

    Args:
        name: of the thing.
        contents: whatever it depends on.

    Returns:
        None where there is no cache to write to.

    """
    key = hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in contents))
    try:
        folder = cache_folder() / name / key.hexdigest()[:32]
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder
