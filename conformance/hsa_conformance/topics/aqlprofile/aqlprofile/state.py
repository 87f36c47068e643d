"""Profiles that the suite has laid out, and which blocks and counters the GPUs have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.session.model import Fact, Model

COUNTERS: Final = "HSA_VEN_AMD_AQLPROFILE_EVENT_TYPE_PMC"
TRACE: Final = "HSA_VEN_AMD_AQLPROFILE_EVENT_TYPE_TRACE"


@dataclass(frozen=True)
class Event:
    """A counter of a GPU: a hsa_ven_amd_aqlprofile_event_t."""

    block: int
    index: int
    counter: int

    @property
    def content(self) -> bytes:
        """Its bytes."""
        return b"".join(n.to_bytes(4, "little") for n in (self.block, self.index, self.counter))


@dataclass(frozen=True)
class Profile:
    """A profile in memory with which something can be measured.

    Attributes:
        address: where it is.
        agent: the GPU.
        kind: COUNTERS or TRACE.
        events: the counters, none of a trace.

    """

    address: int
    agent: int
    kind: str
    events: tuple[Event, ...]


#: What is laid out anew for each example.
PASSING: Final = ("profile",)


def _is_profile(model: Model, address: int) -> bool:
    return model.find("profile", address) is not None


def _names_block(model: Model, profile: int, query: int) -> bool:
    raise ProvesNothing("which names there are is in no header")


FACTS: Mapping[str, Fact] = {"is_profile": _is_profile, "names_block": _names_block}
