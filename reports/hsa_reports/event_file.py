"""Where the events of a run lie, and their text: plain or compressed."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from hsa_spec.ordinary_file import content_of

EVENTS = "events.jsonl"
COMPRESSED = "events.jsonl.gz"

_GZIP = b"\x1f\x8b"


class EventFileError(Exception):
    """An event file cannot be used; the message names the file, the line and what to do."""


def event_file(run: Path) -> Path:
    """Return the event file of a run.

    Args:
        run: the folder of the run, or the event file itself. Of a folder with both, it is the file
            that is not compressed.

    """
    if not run.is_dir():
        return run
    return run / (EVENTS if (run / EVENTS).exists() or not holds_run(run) else COMPRESSED)


def holds_run(folder: Path) -> bool:
    """Return whether a folder has an event file."""
    return any((folder / name).exists() for name in (EVENTS, COMPRESSED))


def read_text(path: Path) -> str:
    """Return the text of an event file; what is no UTF-8 in it is replaced.

    Raises:
        EventFileError: it cannot be read, or cannot be decompressed.

    """
    try:
        content = content_of(path)
    except OSError as error:
        raise EventFileError(f"{path}: cannot read the event file: {error.strerror}") from error
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise EventFileError(
                f"{path}: cannot decompress the event file: {error}; compress the events again"
            ) from error
    return content.decode("utf-8", errors="replace")
