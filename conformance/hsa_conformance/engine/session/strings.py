"""Reads text out of the process under test."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.session.session import Session

STEP: Final = 64  # bytes read at once; what is aligned to it never crosses into another page
LONGEST: Final = 1 << 14


def text_at(session: Session, address: int) -> bytes | None:
    """Return the characters before the first NUL byte at an address.

    Returns:
        None where memory that cannot be read comes before a NUL byte, and where no NUL byte comes
        within LONGEST bytes.

    """
    found = b""
    while len(found) < LONGEST:
        place = address + len(found)
        piece = session.read(place, STEP - int(place) % STEP)
        if piece is None:
            return None
        characters, end, _ = piece.partition(b"\0")
        found += characters
        if end:
            return found
    return None
