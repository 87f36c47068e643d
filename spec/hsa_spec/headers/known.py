"""What is right in the registry and yet differs from the headers of some releases."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_spec.headers.difference import Difference
from hsa_spec.model import Versions
from hsa_spec.releases import Release


@dataclass(frozen=True)
class Known:
    """A difference that is no mistake.

    Args:
        subject: what it is about.
        message: the message of the difference.
        versions: the releases that differ.
        why: why the registry cannot, or need not, say what those releases say.

    """

    subject: str
    message: str
    versions: Versions
    why: str


_KNOWN = (
    Known(
        "HSA_AMD_LAST_EXTENSION",
        "the value is 0x202, in the registry 0x203",
        Versions(until_rocm="6.2"),
        "it grew with HSA_EXTENSION_AMD_PC_SAMPLING, and an enumerator here has one value",
    ),
)


def known(difference: Difference, release: Release) -> Known | None:
    """Return the known difference that this one is in this release, or None."""
    same = (k for k in _KNOWN if (k.subject, k.message) == (difference.subject, difference.message))
    return next((k for k in same if release.has(k.versions) is not False), None)
