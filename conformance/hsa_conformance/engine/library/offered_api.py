"""What an implementation offers: what may be called, by set-up as by checks, and is judged."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Final

from hsa_adapters.protocol import Subject
from hsa_conformance.engine.library.hsa_version import SHARE
from hsa_spec import Function, Registry
from hsa_spec.model import AMD_HEADERS
from hsa_spec.releases import Release

#: How the names of HSA 1.1 say what those of 1.0, with the same parameters, say shorter.
_ORDERS: Final = {"scacq_screl": "acq_rel", "scacquire": "acquire", "screlease": "release"}


class OfferedApi:
    """What may be called of one implementation.

    Args:
        functions: the names of the functions.
        release: what is known of its version; attributes that are not of it are not offered.
        registry: the specification.

    """

    def __init__(self, functions: frozenset[str], release: Release, registry: Registry) -> None:
        self.functions = functions
        self.release = release
        self._registry = registry
        self._absent: dict[str, Mapping[int, str]] = {}

    def lack(self, function: Function, values: Mapping[str, object]) -> str | None:
        """Return what a call needs that is not offered: a function, or an attribute.

        Args:
            function: what is to be called.
            values: its arguments by name.

        """
        if function.name not in self.functions:
            return function.name
        for parameter in function.params:
            value = values[parameter.name]
            if parameter.role == "attribute" and isinstance(value, int):
                return self._absent_attributes(function.name).get(int(value))
        return None

    def has_attribute(self, name: str) -> bool:
        """Return whether an attribute may be asked for."""
        return self.release.has(self._registry.attributes[name].versions) is not False

    def newest(self, function: str) -> str:
        """Return the name under which a function is offered that HSA 1.1 renamed.

        Args:
            function: the newest name. It is returned where no older one is offered, too.

        """
        if function in self.functions:
            return function
        for order, older in _ORDERS.items():
            if function.endswith(order) and (name := function.replace(order, older)) != function:
                return name if name in self.functions else function
        return function

    @cached_property
    def extended(self) -> bool:
        """Return whether anything of AMD's extension is offered."""
        functions = self._registry.functions
        return any(functions[name].header in AMD_HEADERS for name in self.functions)

    def _absent_attributes(self, function: str) -> Mapping[int, str]:
        if function not in self._absent:
            enums = {a.enum for a in self._registry.attributes_of(function)}
            self._absent[function] = {
                e.value: e.name
                for enum in enums
                for e in self._registry.enums[enum].enumerators
                if self.release.has(e.versions) is False
            }
        return self._absent[function]


def offered_api_of(subject: Subject, release: Release, registry: Registry) -> OfferedApi:
    """Return what an implementation offers: what it claims, else what it is assumed to have.

    Args:
        subject: says what is claimed and what is exported.
        release: what is known of its version.
        registry: the specification.

    """
    if subject.claims is not None:
        return OfferedApi(subject.claims, release, registry)
    headers = {f.header for f in registry.functions.values()}
    assumed = {header for header in headers if _assumed(header, subject, release, registry)}
    functions = frozenset(
        f.name
        for f in registry.functions.values()
        if f.header in assumed and release.has(f.versions) is not False
    )
    return OfferedApi(functions, release, registry)


def _assumed(header: str, subject: Subject, release: Release, registry: Registry) -> bool:
    """Return whether a library that claims nothing is taken to have what a header declares.

    ROCr has all of them, and what versions say of AMD's own is enough. An extension that another
    library exports nearly all of is one that it has; a table of functions, one with AMD's may have.
    """
    if release.is_rocm or header == "hsa.h" or header in AMD_HEADERS:
        return True
    declared = [f for f in registry.functions.values() if f.header == header]
    linked = {
        f.name for f in declared if f.export == "linker" and release.has(f.versions) is not False
    }
    if not linked:
        return release.extended
    return len(linked & subject.exports) >= SHARE * len(linked)
