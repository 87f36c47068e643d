"""What the suite knows of loaded code: its code objects, segments and addresses.

No call changes it: fixtures note what they loaded, and what they asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.topics.shared.code.state import Executable

#: What is loaded: each executable, how many code objects it has, and whether it is frozen.
Contents = tuple[tuple[tuple[int, ...], int, bool], ...]

PASSING = ("loaded_address", "segment_count", "others_executables")


@dataclass(frozen=True)
class Address:
    """What lies at an address.

    Attributes:
        owner: the executable that loaded what is there; None where nothing was loaded.
        kernel: whether it is the code of a kernel.

    """

    owner: Executable | None
    kernel: bool = False


@dataclass(frozen=True)
class SegmentCount:
    """How many segments the library said there were, and what was loaded then."""

    count: int
    contents: Contents


def contents(model: Model) -> Contents:
    """Return what is loaded."""
    live = model.objects.get("executable", {})
    return tuple((key, len(thing.loaded), thing.frozen) for key, thing in live.items())


def _address(model: Model, address: int) -> Address:
    if not address:
        return Address(None)
    found = model.find("loaded_address", address)
    if not isinstance(found, Address):
        raise ProvesNothing("the suite does not know what lies there")
    if found.owner is not None and not any(e is found.owner for e in model.live("executable")):
        raise ProvesNothing("the executable that loaded what lay there is gone")
    return found


def _is_loaded_address(model: Model, address: int) -> bool:
    return _address(model, address).owner is not None


def _is_kernel_address(model: Model, address: int) -> bool:
    return _address(model, address).kernel


def _is_segment_count(model: Model, number: int) -> bool:
    known = model.find("segment_count")
    if not isinstance(known, SegmentCount) or known.contents != contents(model):
        raise ProvesNothing("nobody asked how many segments are loaded")
    return known.count == number


FACTS: Mapping[str, Fact] = {
    "is_loaded_address": _is_loaded_address,
    "is_kernel_address": _is_kernel_address,
    "is_segment_count": _is_segment_count,
}
