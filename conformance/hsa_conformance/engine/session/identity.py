"""Finds the release of a library: what the user says, the library's own word, or its outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hsa_adapters.errors import Ended
from hsa_adapters.library.release import Release as Found
from hsa_adapters.library.release import from_queries
from hsa_adapters.protocol import Subject
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.library import hsa_version
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.strings import text_at
from hsa_spec import Registry
from hsa_spec.releases import (
    HSA_OF_ROCM,
    NO_INTERFACE,
    Release,
    at_most,
    interface_of,
    numbers,
)

_QUERY = "hsa_system_get_info"
#: What a library says of how it was built.
_TEXT = "HSA_AMD_SYSTEM_INFO_BUILD_VERSION"


def own_version(session: Session) -> dict[str, int | str]:
    """Ask the library for its own version; return what it answers, by attribute.

    What the library does not claim is not asked for.
    """
    answers: dict[str, int | str] = {}
    if not session.offers(_QUERY):
        return answers
    extension = (*hsa_version.EXTENSION, _TEXT) if session.offered_api.extended else ()
    for name in (*hsa_version.ATTRIBUTES, *extension):
        attribute = session.registry.constants[name]
        try:
            answer = session.call(_QUERY, attribute=attribute, value=Out())
        except Ended:
            return answers  # that it died is for the clauses of the query to say
        if not answer.ok or answer.untouched("value"):
            continue
        if name != _TEXT:
            answers[name] = answer.number("value")
        else:
            answers[name] = _text(session, answer.outputs["value"] or b"")
    return answers


def _text(session: Session, content: bytes) -> str:
    """Return a text whose address was stored, or the text itself: the header does not say which."""
    found = text_at(session, int.from_bytes(content[:8], "little"))
    text = content.partition(b"\0")[0] if found is None else found
    return text.decode("ascii", "replace")


@dataclass(frozen=True)
class Identity:
    """What is known of the version of the implementation under test.

    Attributes:
        release: the release that it is judged as.
        how: how that was found, in words.
        notices: what else people should know about it.

    """

    release: Release
    how: str | None
    notices: tuple[str, ...] = ()


def release_of(
    subject: Subject,
    answers: Mapping[str, int | str],
    given: str | None,
    registry: Registry,
    *,
    hsa: str | None = None,
) -> Identity:
    """Return the release, and how it was found; what the library says of itself always counts.

    Args:
        subject: what the adapter found out from outside.
        answers: what the library says of itself; see `own_version`.
        given: what the user says.
        registry: the specification.
        hsa: the HSA version, where the user says it.

    """
    own = from_queries(answers)
    how: str | None
    claimed = subject.claimed
    interface = claimed.interface or hsa_version.said_by(answers, hsa_version.EXTENSION)
    if given:
        release, how = Release.parse(given, interface), "--release"
    elif claimed.is_rocm:
        release, how = Release(claimed.lowest, claimed.highest, interface), "its claim"
    elif own is not None:
        release, how = Release.parse(own.number, interface), own.how
    elif subject.release:
        release, how = Release.parse(subject.release, interface), subject.release_from
    else:
        return _another(subject, answers, hsa, registry)
    notices = _unrecorded(release) if given else ()
    itself = _contradiction(release, own)
    if given and itself:
        notices += (
            f"--release says {given}, and the library itself says {itself}: it is judged as having "
            "what it says.",
        )
    version = hsa or claimed.hsa
    if version is None:
        notices += _answers_less(answers)
    elif hsa:
        how = f"{how}, --hsa-version"
    return Identity(replace(release, hsa=version), how, notices)


def _contradiction(release: Release, own: Found | None) -> str | None:
    """Return what a library says of itself that no release of a range has, None for nothing."""
    if own is not None and _apart(release, Release.parse(own.number)):
        return f"{own.number} ({own.how})"
    most = at_most(release.highest) if release.highest else None
    newer = most and release.interface and numbers(release.interface) > numbers(most)
    return f"interface version {release.interface}" if newer else None


def _another(
    subject: Subject, answers: Mapping[str, int | str], given: str | None, registry: Registry
) -> Identity:
    """Return the versions of a library of which nothing says that it is ROCr."""
    found = hsa_version.find(answers, subject, given, registry)
    interface = hsa_version.interface_of(answers, subject, registry)
    release = Release(interface=interface, hsa=found.version)
    return Identity(release, found.how, found.notices + _assumed(subject, release, found.how))


def _assumed(subject: Subject, release: Release, how: str | None) -> tuple[str, ...]:
    """Say what a library without a claim is judged by."""
    if subject.claims is not None:
        return ()
    extension = "" if release.interface != NO_INTERFACE else " without AMD's extension"
    return (
        f"Nothing is claimed of it (--claim), so it is judged as {release}{extension} "
        f"({how or 'nothing tells which'}): what it lacks of that fails.",
    )


def _answers_less(answers: Mapping[str, int | str]) -> tuple[str, ...]:
    """Say that a release of ROCr answers an older HSA version than it declares."""
    said = hsa_version.said_by(answers, hsa_version.ATTRIBUTES)
    if said is None or numbers(said) >= numbers(HSA_OF_ROCM):
        return ()
    return (f"It answers HSA {said} and declares what {HSA_OF_ROCM} has: judged by that.",)


def _unrecorded(release: Release) -> tuple[str, ...]:
    """Say by what a release is judged whose interface nobody has recorded."""
    if release.lowest is None or interface_of(release.lowest):
        return ()
    if release.interface:
        by = f"it is judged by the library's own interface version {release.interface}"
    else:
        by = "the library does not say its interface version: what may be missing is not judged"
    return (f"ROCm {release.lowest} is not among the releases that are recorded: {by}.",)


def _apart(one: Release, other: Release) -> bool:
    """Return whether two ranges of releases, of two or three numbers each, have none in common."""

    def before(end: str | None, begin: str | None) -> bool:
        # 6.1 as an end stands for all of its patches.
        last, first = (numbers(bound) if bound else () for bound in (end, begin))
        return bool(last and first) and last < first[: len(last)]

    return before(one.highest, other.lowest) or before(other.highest, one.lowest)
