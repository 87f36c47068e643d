"""Finds the release of a library: what the user says, the library's own word, or its outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hsa_adapters.protocol import Ended, Subject
from hsa_adapters.release import from_queries
from hsa_conformance.engine import hsa_version
from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.strings import text_at
from hsa_spec import Registry
from hsa_spec.releases import Release, interface_of, numbers

#: What a library says of its own version: numbers, and a text.
_NUMBERS = ("HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR", "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR")
_TEXT = "HSA_AMD_SYSTEM_INFO_BUILD_VERSION"


def own_version(session: Session) -> dict[str, int | str]:
    """Ask the library for its own version; return what it answers, by attribute."""
    answers: dict[str, int | str] = {}
    for name in (*hsa_version.ATTRIBUTES, *_NUMBERS, _TEXT):
        attribute = session.registry.constants[name]
        try:
            answer = session.call("hsa_system_get_info", attribute=attribute, value=Out())
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
    interface = _interface(answers)
    own = from_queries(answers, registry)
    how: str | None = "--release"
    if given:
        release = Release.parse(given, interface)
    elif own is not None and interface is not None:
        release, how = Release.parse(str(own), interface), own.how
    else:
        release, how = Release.parse(subject.release, interface), subject.release_from
    notices = _unrecorded(release) if given else ()
    if given and own is not None and _apart(release, Release.parse(str(own))):
        notices += (
            f"--release says {given}, and the library itself says {own} ({own.how}): it is judged "
            "as having what it says.",
        )
    return _with_hsa(Identity(release, how, notices), subject, answers, hsa, registry)


def _with_hsa(
    found: Identity,
    subject: Subject,
    answers: Mapping[str, int | str],
    given: str | None,
    registry: Registry,
) -> Identity:
    """Add the HSA version, unless it follows from the ROCm release."""
    if not given and (found.release.lowest or found.release.highest):
        return found
    hsa = hsa_version.find(answers, subject.exports, given, registry)
    how = ", ".join(filter(None, (found.how, hsa.how)))
    return Identity(
        replace(found.release, hsa=hsa.version), how or None, found.notices + hsa.notices
    )


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


def _interface(answers: Mapping[str, int | str]) -> str | None:
    parts = [answers.get(f"HSA_AMD_SYSTEM_INFO_EXT_VERSION_{p}") for p in ("MAJOR", "MINOR")]
    return None if None in parts else f"{parts[0]}.{parts[1]}"
