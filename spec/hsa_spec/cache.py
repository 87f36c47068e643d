"""The caches of this user."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

#: How long a file is kept, in seconds: what made it has changed since then, most likely.
AGE = 30 * 24 * 3600


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
        None where there is no cache to write to, or somebody else may have written it.

    """
    key = hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in contents))
    try:
        folder = cache_folder() / name / key.hexdigest()[:32]
        folder.mkdir(parents=True, exist_ok=True)
        owner = folder.stat().st_uid
    except (OSError, RuntimeError):
        return None
    return folder if owner == os.geteuid() else None


def cached(folder: str, name: str) -> bytes | None:
    """Return the contents of a file of the cache.

    Args:
        folder: of the cache.
        name: of the file.

    Returns:
        None where there is no such file, or somebody else may have written it.

    """
    try:
        with (cache_folder() / folder / name).open("rb") as file:
            return file.read() if os.fstat(file.fileno()).st_uid == os.geteuid() else None
    except (OSError, RuntimeError):  # RuntimeError: there is no home
        return None


def keep(folder: str, name: str, contents: bytes) -> None:
    """Keep a file for later processes, and remove what its folder has kept for `AGE`.

    A home that is missing or cannot be written costs time, nothing else.

    Args:
        folder: of the cache.
        name: of the file.
        contents: of the file.

    """
    with suppress(OSError, RuntimeError):
        target = cache_folder() / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # A process that was killed leaves its file, which grows old as any other.
        temporary = target.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(contents)
        temporary.replace(target)
        remove_old(target.parent)


@cache
def remove_old(folder: Path) -> None:
    """Remove what a folder has kept for `AGE`; once in a process, as it takes a look at each."""
    for file in folder.iterdir():
        if file.stat().st_mtime < time.time() - AGE:
            file.unlink(missing_ok=True)
