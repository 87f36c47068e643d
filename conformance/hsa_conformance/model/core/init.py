"""What initialisation and shutdown change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hsa_conformance.model.state import Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


def _init(model: Model, _: Answer) -> None:
    model.references += 1
    model.initialised_once = True


def _shut_down(model: Model, _: Answer) -> None:
    model.references -= 1
    if model.references == 0:
        model.forget_machine()


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_init": _init,
    "hsa_shut_down": _shut_down,
}
