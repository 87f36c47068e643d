"""Times of packets and copies."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.session.model import Fact, Model


def _was_profiled(model: Model, signal: int) -> bool:
    # A signal that was made later may have the handle of one that is gone.
    live = model.find("signal", signal)
    return live is not None and any(model.find(kind, signal) is live for kind in PASSING)


#: The signals of what was profiled, as objects of the model.
PASSING = ("profiled_copy", "profiled_dispatch")
FACTS: Mapping[str, Fact] = {"was_profiled": _was_profiled}
