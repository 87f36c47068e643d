"""What the tests that run the suite share."""

from __future__ import annotations

from collections.abc import Callable

from hsa_conformance.engine.calls.values import GUARD, PATTERN
from hsa_reports import Result

#: The results of each clause that was run, by its id.
Results = dict[str, list[Result]]

#: Builds a fake and runs clauses on it.
Put = Callable[..., Results]


def guarded(content: bytes) -> bytes:
    """Return what is read of an output, with what stands around it if nothing is written there."""
    guard = bytes([PATTERN]) * GUARD
    return guard + content + guard
