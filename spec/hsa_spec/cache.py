"""Where this user's caches are."""

from __future__ import annotations

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
