"""Which of the registry's types the headers of a release have to have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsa_spec.model import Registry
from hsa_spec.releases import Release

_NAME = re.compile(r"\w+")


class Presence:
    """Says which types have to be there; the others may be.

    An enumeration is there with the first of its enumerators, a structure with the first function
    or attribute that mentions it, unless it has versions of its own.

    Args:
        registry: what is described.
        release: the release that the headers belong to, as far as it is known.

    """

    def __init__(self, registry: Registry, release: Release) -> None:
        self.registry = registry
        self.release = release
        self._answers: dict[str, list[bool | None]] = {}
        for answer, ctype in self._mentions():
            for name in _NAME.findall(ctype):
                self._answers.setdefault(name, []).append(answer)

    def needs_enum(self, name: str) -> bool:
        """Return whether an enumeration has to be there."""
        enumerators = self.registry.enums[name].enumerators
        return any(self.release.has(e.versions) for e in enumerators)

    def needs_struct(self, name: str) -> bool:
        """Return whether a structure or handle has to be there."""
        versions = self.registry.structs[name].versions
        return self.release.has(versions) is True and any(self._answers.get(name, [True]))

    def _mentions(self) -> Iterator[tuple[bool | None, str]]:
        """Yield each type that something uses, with whether the user has to be there."""
        for function in self.registry.functions.values():
            answer = self.release.has(function.versions)
            for parameter in function.params:
                yield answer, parameter.type
        for attribute in self.registry.attributes.values():
            yield self.release.has(attribute.versions), attribute.type
