"""Times of packets and copies."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.session.model import Fact, Model


def _was_profiled(model: Model, signal: int) -> bool:
    return any(model.find(kind, signal) is not None for kind in PASSING)


#: A signal that is made later may have the handle of one that is gone.
PASSING = ("profiled_copy", "profiled_dispatch")
FACTS: Mapping[str, Fact] = {"was_profiled": _was_profiled}
