"""Runs hsa-conformance in this process, and prints what it asked of its workers, as JSON."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hsa_adapters.connection import Connection
from hsa_conformance.cli import main

counts: Counter[str] = Counter()
_request = Connection.request


def request(
    self: Connection, target: int, operation: str, arguments: Sequence[Any], patience: float
) -> Any:  # noqa: ANN401 - the answer of any operation
    """Make a round trip, counted by its operation."""
    counts[operation] += 1
    if operation == "batch":
        counts["call"] += len(arguments[0])
    return _request(self, target, operation, arguments, patience)


if __name__ == "__main__":
    Connection.request = request  # type: ignore[method-assign]
    status = main(sys.argv[1:])
    print(json.dumps(counts))
    sys.exit(status)
