"""Instruction set architectures and wavefronts: what the library reported of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing
from hsa_conformance.engine.session.model import Fact, Model

#: Every name is a vendor, a colon and more, or a target of LLVM.
_FORM: Final = re.compile(rb"(\w+:|amdgcn-amd-amdhsa--)[\w.:+-]+")
_ROOM: Final = 256  # longer than any name
#: The names by which the library knows architectures that no agent has.
NAMES: Final = "name of an isa"


@dataclass(frozen=True)
class Isa:
    """An instruction set architecture that the library has.

    Attributes:
        first_of: the agent that reports it before all others, if one does.
        conventions: how many call conventions it has, or why that is unknown, if it is known why.
        reported: whether an agent reports it; others are known by their names.

    """

    handle: int
    name: bytes
    first_of: int | None = None
    conventions: int | Blocked | None = None
    reported: bool = True

    @property
    def count(self) -> int:
        """Return how many call conventions it has.

        Raises:
            Blocked: the library refused to tell.
            ProvesNothing: it did not tell.

        """
        if isinstance(self.conventions, Blocked):
            raise self.conventions
        if self.conventions is None:
            raise ProvesNothing("how many call conventions there are is not known")
        return self.conventions


@dataclass(frozen=True)
class Wavefront:
    """A kind of wavefront that an instruction set architecture has."""

    handle: int


def _text(model: Model, address: int) -> bytes:
    """Return the characters at an address before the first NUL byte."""
    found = b""
    while len(found) < _ROOM:
        character = model.read(address + len(found), 1)
        if character in (None, b"\0"):
            break
        found += character or b""
    return found


def _names_isa(model: Model, address: int) -> bool:
    name = _text(model, address)
    if name in [known.name for known in model.live("isa") if known.name]:
        return True
    if name in model.live(NAMES):
        return True
    if _FORM.fullmatch(name):
        raise ProvesNothing(f"whether the library knows of {name!r} is not known")
    return False


def _has_call_convention(model: Model, isa: int, index: int) -> bool:
    known = model.find("isa", isa)
    if not isinstance(known, Isa):
        return False
    return index < known.count


FACTS: Mapping[str, Fact] = {
    "names_isa": _names_isa,
    "has_call_convention": _has_call_convention,
}
