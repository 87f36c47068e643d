"""Finds the HSA version that a library is judged by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_spec import Registry
from hsa_spec.releases import HSA_VERSIONS, Release, numbers

#: What a library says of the HSA version that it implements.
ATTRIBUTES = ("HSA_SYSTEM_INFO_VERSION_MAJOR", "HSA_SYSTEM_INFO_VERSION_MINOR")

#: The share of a version's functions that a library has to export to be taken for it.
SHARE = 0.9


@dataclass(frozen=True)
class HsaVersion:
    """What was found.

    Attributes:
        version: one of `HSA_VERSIONS`, or None where nothing tells.
        how: how it was found, in words.
        notices: what else people should know about it.

    """

    version: str | None
    how: str | None = None
    notices: tuple[str, ...] = ()


def find(
    answers: Mapping[str, int | str],
    exports: frozenset[str],
    given: str | None,
    registry: Registry,
) -> HsaVersion:
    """Return the HSA version by which a library is judged.

    What it answers is a lower bound: ROCr answers 1.1 and has the functions of 1.2.

    Args:
        answers: what the library says of itself, by attribute.
        exports: names of the registry's functions that it exports.
        given: what the user says, one of `HSA_VERSIONS`.
        registry: knows which functions belong to which version.

    """
    if given:
        return HsaVersion(given, "--hsa-version")
    said = _said(answers)
    answered = _published(said) if said else None
    exported = _exported(exports, registry)
    if answered is None:
        how = f"it exports nine tenths of the functions of HSA {exported}"
        return HsaVersion(exported, how if exported else None)
    notices: tuple[str, ...] = ()
    if answered != said:
        notices = (f"it answers HSA {said}, which was never published: judged as {answered}",)
    if exported and numbers(exported) > numbers(answered):
        more = f"it answers HSA {said} and exports the functions of {exported}: judged by those"
        return HsaVersion(exported, "what it exports", (*notices, more))
    return HsaVersion(answered, "its own answer", notices)


def _said(answers: Mapping[str, int | str]) -> str | None:
    parts = [answers.get(name) for name in ATTRIBUTES]
    return None if None in parts else f"{parts[0]}.{parts[1]}"


def _published(said: str) -> str | None:
    """Return the newest published version that is not newer than a library says it is."""
    older = [v for v in HSA_VERSIONS if numbers(v) <= numbers(said)]
    return older[-1] if older else None


def _exported(exports: frozenset[str], registry: Registry) -> str | None:
    """Return the newest version of whose functions the library exports nearly all.

    Of versions with the same functions it is the oldest: what it exports does not tell them apart.
    """
    core = [f for f in registry.functions.values() if f.header == "hsa.h" and f.export == "linker"]
    found, before = None, frozenset[str]()
    for version in HSA_VERSIONS:
        names = frozenset(f.name for f in core if Release(hsa=version).has(f.versions))
        if names != before and len(names & exports) >= SHARE * len(names):
            found = version
        before = names
    return found
