"""Finds the release of a library: what the user says, the library's own word, or its outside."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_adapters.protocol import Ended, Subject
from hsa_adapters.release import from_queries
from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.session import Session
from hsa_spec import Registry
from hsa_spec.releases import Release

#: What a library says of its own version: numbers, and a text.
_NUMBERS = ("HSA_AMD_SYSTEM_INFO_EXT_VERSION_MAJOR", "HSA_AMD_SYSTEM_INFO_EXT_VERSION_MINOR")
_TEXT = "HSA_AMD_SYSTEM_INFO_BUILD_VERSION"


def own_version(session: Session) -> dict[str, int | str]:
    """Ask the library for its own version; return what it answers, by attribute."""
    answers: dict[str, int | str] = {}
    for name in (*_NUMBERS, _TEXT):
        attribute = session.registry.constants[name]
        try:
            answer = session.call("hsa_system_get_info", attribute=attribute, value=Out())
        except Ended:
            return answers  # that it died is for the clauses of the query to say
        if not answer.ok or answer.untouched("value"):
            continue
        if name in _NUMBERS:
            answers[name] = answer.number("value")
        else:
            content = answer.outputs["value"] or b""
            answers[name] = content.partition(b"\0")[0].decode("ascii", "replace")
    return answers


def release_of(
    subject: Subject, answers: Mapping[str, int | str], given: str | None, registry: Registry
) -> tuple[Release, str | None]:
    """Return the release, and how it was found.

    Args:
        subject: what the adapter found out from outside.
        answers: what the library says of itself; see `own_version`.
        given: what the user says.
        registry: the specification.

    """
    if given:
        return Release.parse(given), "--release"
    interface = _interface(answers)
    own = from_queries(answers, registry)
    if own is not None and interface is not None:
        return Release.parse(str(own), interface), own.how
    return Release.parse(subject.release, interface), subject.release_from


def _interface(answers: Mapping[str, int | str]) -> str | None:
    parts = [answers.get(f"HSA_AMD_SYSTEM_INFO_EXT_VERSION_{p}") for p in ("MAJOR", "MINOR")]
    return None if None in parts else f"{parts[0]}.{parts[1]}"
