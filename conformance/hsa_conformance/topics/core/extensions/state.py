"""Extensions and their versions: what the library says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hsa_conformance.engine.session.model import Fact, Model


@dataclass(frozen=True)
class Extension:
    """What the library says of one extension.

    Attributes:
        number: a value of hsa_extension_t.
        offered: whether its bit is set in the mask of the system.
        minors: for each major version asked for, the minor one that is supported, None for none.
        versions: for each version asked for, whether it alone is said to be supported.

    """

    number: int
    offered: bool
    minors: Mapping[int, int | None] = field(default_factory=dict)
    versions: Mapping[tuple[int, int], bool] = field(default_factory=dict)

    def has_major(self, major: int) -> bool:
        """Return whether all that the library says agrees that a major version is supported."""
        return self.offered and self.minors.get(major) is not None

    def has(self, major: int, minor: int) -> bool:
        """Return whether all that the library says agrees that a version is supported."""
        newest = self.minors.get(major)
        within = newest is not None and minor <= newest
        return self.offered and within and self.versions.get((major, minor), False)


def _known(model: Model, number: int) -> Extension | None:
    found = model.find("extension", number)
    return found if isinstance(found, Extension) else None


def _offered(model: Model, number: int) -> bool:
    known = _known(model, number)
    return known is not None and known.offered


def _supported(model: Model, number: int, major: int, minor: int) -> bool:
    known = _known(model, number)
    return known is not None and known.has(major, minor)


def _major_supported(model: Model, number: int, major: int) -> bool:
    known = _known(model, number)
    return known is not None and known.has_major(major)


FACTS: Mapping[str, Fact] = {
    "extension_offered": _offered,
    "extension_supported": _supported,
    "major_extension_supported": _major_supported,
}
