"""Differences in what gives a name to something: callback types, typedefs and macros."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsa_spec.headers.declarations import Headers
from hsa_spec.headers.difference import Difference, presence_of
from hsa_spec.headers.functions import signature_differences
from hsa_spec.model import Registry
from hsa_spec.releases import Release

_INTEGER = re.compile(r"^\(*(0[xX][\da-fA-F]+|\d+)[uUlL]*\)*$")
_SHIFT = re.compile(r"^\(?\s*(\d+)[uUlL]*\s*<<\s*(\d+)\s*\)?$")


def compare(registry: Registry, headers: Headers, release: Release) -> Iterator[Difference]:
    """Yield the differences of all callback types, typedefs and macros of the registry."""
    for callback in registry.callbacks.values():
        # Some pointers to functions have a name only in the registry.
        found = headers.callbacks.get(callback.name)
        if found:
            for message in signature_differences(registry, callback, found.signature):
                yield Difference(found.place, callback.name, message)
    for typedef in registry.typedefs.values():
        alias = headers.typedefs.get(typedef.name)
        yield from presence_of(typedef, alias, release)
        if alias and alias.type != typedef.type:
            message = f"the type is {alias.type}, in the registry {typedef.type}"
            yield Difference(alias.place, typedef.name, message)
    for macro in registry.macros.values():
        defined = headers.macros.get(macro.name)
        yield from presence_of(macro, defined, release)
        expected = release.value_of(macro)
        if defined and expected is not None:
            values = [value_of(text) for text in defined.values]
            if expected not in values:
                message = f"the value is {values[0]}, in the registry {expected}"
                yield Difference(defined.place, macro.name, message)


def value_of(text: str) -> int | str:
    """Return the number that the text of a macro stands for, or the text where it is none."""
    if shift := _SHIFT.match(text):
        return int(shift[1]) << int(shift[2])
    integer = _INTEGER.match(text)
    if not integer:
        return text
    digits = integer[1]
    octal = digits.startswith("0") and digits.isdigit()
    return int(digits, 8 if octal else 0)
