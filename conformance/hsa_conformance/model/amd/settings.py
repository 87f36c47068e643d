"""Settings of the runtime and of agents, which last as long as the process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hsa_conformance.findings import ProvesNothing
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


@dataclass(frozen=True)
class Scratch:
    """The scratch memory of an agent.

    Attributes:
        reclaimed: whether it can be reclaimed while the agent runs, None where nobody knows.
        most: the largest limit, in bytes.

    """

    reclaimed: bool | None
    most: int


def _lasts(model: Model, _: Answer) -> None:
    model.lasting = True


def _reclaims_scratch(model: Model, agent: int) -> bool:
    known = model.find("scratch", agent)
    if not isinstance(known, Scratch):
        return False
    if known.reclaimed is None:
        raise ProvesNothing("whether scratch memory can be reclaimed is not known")
    return known.reclaimed


RECORD: Mapping[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_agent_set_async_scratch_limit": _lasts,
    "hsa_amd_enable_logging": _lasts,
    "hsa_amd_coherency_set_type": _lasts,
}

FACTS: Mapping[str, Fact] = {"reclaims_scratch": _reclaims_scratch}
