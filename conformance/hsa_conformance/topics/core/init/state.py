"""What initialisation and shutdown change."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Model
from hsa_conformance.engine.session.state_rules import Transition


def _init(model: Model, _: Answer) -> None:
    model.references += 1
    model.initialised_once = True


def _shut_down(model: Model, _: Answer) -> None:
    model.references -= 1
    if model.references == 0:
        model.forget_machine()


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_init": _init,
    "hsa_shut_down": _shut_down,
}
