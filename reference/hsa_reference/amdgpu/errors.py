"""What is said of bytes that are no code object."""

from __future__ import annotations


class FormatError(Exception):
    """These bytes are no code object; the message says why."""
