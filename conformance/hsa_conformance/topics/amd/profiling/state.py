"""Times of packets and copies."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.model import Fact, Model


def _was_profiled(model: Model, signal: int) -> bool:
    return model.find("profiled_copy", signal) is not None


FACTS: Mapping[str, Fact] = {"was_profiled": _was_profiled}
#: A signal that is made later may have the handle of one that is gone.
PASSING = ("profiled_copy",)
