"""Differences in functions: whether they exist, their types, and the statuses that they list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hsa_spec.headers.declarations import (
    HeaderFunction,
    HeaderParameter,
    Headers,
    Signature,
)
from hsa_spec.headers.difference import Difference, presence_of
from hsa_spec.model import CallbackType, Function, Parameter, Registry
from hsa_spec.releases import Release

_CALLBACK = "callback:"


def compare(registry: Registry, headers: Headers, release: Release) -> Iterator[Difference]:
    """Yield the differences of all functions of the registry."""
    for function in registry.functions.values():
        found = headers.functions.get(function.name)
        yield from presence_of(function, found, release)
        if found:
            yield from _one(registry, function, found, release)


def _one(
    registry: Registry, function: Function, found: HeaderFunction, release: Release
) -> Iterator[Difference]:
    where, name = found.place, function.name
    if where.header != function.header:
        yield Difference(where, name, f"declared here, not in {function.header}")
    messages = signature_differences(registry, function, found.signature)
    # What was dropped is known to be there only in releases that are surely older.
    dropped = {s for s, since in function.dropped.items() if release.has(since) is not True}
    listed = [s for s in found.statuses if s not in dropped]
    messages += _statuses(function.documented, listed)
    yield from (Difference(where, name, message) for message in messages)


def signature_differences(
    registry: Registry, declared: Function | CallbackType, found: Signature
) -> list[str]:
    """Return what differs between two signatures, in words."""
    messages = []
    if found.result != declared.result:
        messages.append(_types("the result", found.result, declared.result))
    if len(found.params) != len(declared.params):
        count = f"{len(found.params)} parameters, in the registry {len(declared.params)}"
        return [*messages, f"the header has {count}"]
    pairs = zip(declared.params, found.params, strict=True)
    for position, (ours, theirs) in enumerate(pairs, start=1):
        messages += _parameter(registry, f"parameter {position}", ours, theirs)
    return messages


def _parameter(
    registry: Registry, what: str, ours: Parameter, theirs: HeaderParameter
) -> list[str]:
    messages = []
    # The parameters of a pointer to a function may go without names.
    if theirs.name and theirs.name != ours.name:
        messages.append(f"{what} is named {theirs.name}, in the registry {ours.name}")
    if theirs.callback and ours.type.startswith(_CALLBACK):
        callback = registry.callbacks[ours.type.removeprefix(_CALLBACK)]
        inner = signature_differences(registry, callback, theirs.callback)
        return messages + [f"{what}, {callback.name}: {message}" for message in inner]
    if theirs.type not in (ours.type, _before(registry, ours.type)):
        messages.append(_types(what, theirs.type, ours.type))
    return messages


def _before(registry: Registry, ctype: str) -> str | None:
    """Return what headers write where they lack a typedef that later ones have."""
    typedef = registry.typedefs.get(ctype)
    return typedef.type if typedef and str(typedef.versions) else None


def _types(what: str, theirs: str, ours: str) -> str:
    return f"{what} has the type {theirs}, in the registry {ours}"


def _statuses(ours: Iterable[str], theirs: Iterable[str]) -> list[str]:
    listed, known = dict.fromkeys(theirs), dict.fromkeys(ours)
    return [
        *(f"the header lists {s}, the registry does not" for s in listed if s not in known),
        *(f"the registry lists {s}, the header does not" for s in known if s not in listed),
    ]
