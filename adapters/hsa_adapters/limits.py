"""How much one process of a library may take."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of each process.

    Attributes:
        output: bytes of what it prints that are kept; of more, the last part is.
        memory: bytes of memory that may be resident before the process is ended; None for half of
            what the machine has.

    """

    output: int = 64 * MIB
    memory: int | None = None
