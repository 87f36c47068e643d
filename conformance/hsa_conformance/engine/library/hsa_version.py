"""Finds the HSA version, and the version of AMD's extension, that a library is judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hsa_adapters.protocol import Subject
from hsa_spec import Function, Registry
from hsa_spec.model import AMD_HEADERS
from hsa_spec.releases import HSA_VERSIONS, NO_INTERFACE, Release, newest, numbers

#: What a library says of the HSA version that it implements.
ATTRIBUTES = ("HSA_SYSTEM_INFO_VERSION_MAJOR", "HSA_SYSTEM_INFO_VERSION_MINOR")
#: What it says of the version of AMD's extension.
EXTENSION = ("HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR", "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR")

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
    answers: Mapping[str, int | str], subject: Subject, given: str | None, registry: Registry
) -> HsaVersion:
    """Return the HSA version by which a library is judged.

    What it answers is a lower bound: ROCr answers 1.1 and has the functions of 1.2.

    Args:
        answers: what the library says of itself, by attribute.
        subject: what it exports, and what is claimed of it.
        given: what the user says, one of `HSA_VERSIONS`.
        registry: knows which functions belong to which version.

    """
    if given:
        return HsaVersion(given, "--hsa-version")
    said = said_by(answers, ATTRIBUTES)
    if subject.claimed.hsa:
        return HsaVersion(subject.claimed.hsa, "its claim")
    answered = _published(said) if said else None
    notices: tuple[str, ...] = ()
    if answered != said:
        judged = f"judged as {answered}" if answered else "it is not judged by it"
        notices = (f"it answers HSA {said}, which was never published: {judged}",)
    core = [f for f in registry.functions.values() if f.header == "hsa.h" and f.export == "linker"]
    if subject.claims is not None:
        verb, how = "claims", "its claim"
        claims = [f for f in core if f.name in subject.claims]
        present = newest(f.versions.hsa or HSA_VERSIONS[0] for f in claims)
    else:
        verb, how = "exports", "what it exports"
        present = _nearly_all(HSA_VERSIONS, lambda v: Release(hsa=v), core, subject.exports)
    if answered is None:
        return HsaVersion(present, how if present else None, notices)
    if present and numbers(present) > numbers(answered):
        more = f"it answers HSA {said} and {verb} the functions of {present}: judged by those"
        return HsaVersion(present, how, (*notices, more))
    return HsaVersion(answered, "its own answer", notices)


def interface_of(
    answers: Mapping[str, int | str], subject: Subject, registry: Registry
) -> str | None:
    """Return the version of AMD's extension by which a library is judged, where it is not ROCr.

    Args:
        answers: what the library says of itself, by attribute.
        subject: what it exports, and what is claimed of it.
        registry: knows which functions belong to which version.

    """
    if subject.claimed.interface:
        return subject.claimed.interface
    offered = subject.exports if subject.claims is None else subject.claims
    functions = [f for f in registry.functions.values() if f.header in AMD_HEADERS]
    present = [f for f in functions if f.name in offered]
    answered = said_by(answers, EXTENSION)
    if answered or not present:
        return answered or NO_INTERFACE
    if subject.claims is not None:
        return newest(f.versions.amd_interface for f in present)
    versions = sorted({v for f in functions if (v := f.versions.amd_interface)}, key=numbers)
    return _nearly_all(versions, lambda v: Release(interface=v), functions, subject.exports)


def said_by(answers: Mapping[str, int | str], attributes: tuple[str, str]) -> str | None:
    """Return the version that two attributes, major and minor, were answered with."""
    parts = [answers.get(name) for name in attributes]
    return None if None in parts else f"{parts[0]}.{parts[1]}"


def _published(said: str) -> str | None:
    """Return the newest published version that is not newer than a library says it is."""
    older = [v for v in HSA_VERSIONS if numbers(v) <= numbers(said)]
    return older[-1] if older else None


def _nearly_all(
    versions: Iterable[str],
    release: Callable[[str], Release],
    functions: Iterable[Function],
    exports: frozenset[str],
) -> str | None:
    """Return the newest version of whose functions a library exports nearly all.

    Of versions with the same functions it is the oldest: what it exports does not tell them apart.
    """
    found, before = None, frozenset[str]()
    for version in versions:
        names = frozenset(f.name for f in functions if release(version).has(f.versions))
        if names != before and len(names & exports) >= SHARE * len(names):
            found = version
        before = names
    return found
