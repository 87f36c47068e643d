"""Digests of the headers' comments, by which a changed sentence is noticed.

The file `texts.txt` beside the registry has a line `NAME DIGEST VERSION...` for each text that a
function, structure, enumeration or callback has had, with the versions whose headers were read. It
holds no text. Where the headers of a release say something else, its clauses have to be read again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from hsa_spec.errors import RegistryError
from hsa_spec.headers.declarations import Headers, Place
from hsa_spec.headers.difference import Difference
from hsa_spec.headers.enums import parts_of
from hsa_spec.model import Registry
from hsa_spec.releases import Release

NAME = "texts.txt"
#: What a line of a comment starts with, and what a comment ends with.
_MARKS = re.compile(r"^\s*(?:/\*+<?|//+<?|\*(?!/))|\*+/\s*$", re.MULTILINE)
_DIGITS = 12
_HEAD = """\
# Digests of the comments that headers have on what they declare, in the versions that have been
# read: ROCm releases by their number, others by that of AMD's extension interface. Written by
# `hsa-conformance spec verify-headers --record`, once the clauses have been read again.
"""

#: The digests of the texts by what is declared and, for each of them, by version.
Texts = Mapping[str, Mapping[str, str]]


def digest_of(comment: str) -> str:
    """Return the digest of a comment, however it is broken into lines."""
    words = _MARKS.sub(" ", comment).split()
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:_DIGITS]


def version_of(release: Release) -> str:
    """Return by what the texts of a release are recorded.

    Raises:
        ValueError: nothing is known of the release, or only a range of releases.

    """
    if release.lowest and release.lowest == release.highest:
        return release.lowest
    if release.interface and not (release.lowest or release.highest):
        return f"interface-{release.interface}"
    raise ValueError("name the one release that the headers are of")


def read(root: Path) -> Texts:
    """Read the file of a registry; a registry without one has no texts.

    Raises:
        RegistryError: a line is not `NAME DIGEST VERSION...`.

    """
    path = root / NAME
    texts: dict[str, dict[str, str]] = {}
    if not path.exists():
        return texts
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match line.split():
            case ["#", *_]:
                pass
            case [name, digest, *versions] if versions and len(digest) == _DIGITS:
                texts.setdefault(name, {}).update(dict.fromkeys(versions, digest))
            case _:
                raise RegistryError(path, number, "expected NAME DIGEST VERSION...")
    return texts


def record(registry: Registry, headers: Headers, release: Release) -> None:
    """Write the texts of a release to the file, in place of what it has of that release.

    Raises:
        RegistryError: the file is malformed.
        ValueError: nothing is known of the release, or only a range of releases.
        OSError: the file cannot be written.

    """
    version = version_of(release)
    found = _digests(registry, headers)
    texts = read(registry.root)
    lines = [_HEAD]
    for name in sorted({*texts, *found}):
        of_name = {v: d for v, d in texts.get(name, {}).items() if v != version}
        if name in found:
            of_name[version] = found[name]
        for digest in dict.fromkeys(of_name.values()):
            versions = sorted(v for v, d in of_name.items() if d == digest)
            lines.append(" ".join((name, digest, *versions)) + "\n")
    (registry.root / NAME).write_text("".join(lines), encoding="utf-8")


def compare(registry: Registry, headers: Headers, release: Release) -> Iterator[Difference]:
    """Yield what has another text than was recorded of the release, or one that nobody has read.

    Args:
        registry: the registry, whose file is read.
        headers: the headers.
        release: which release they are of; texts of one that is not recorded have to be those of
            any other.

    Raises:
        RegistryError: the file is malformed.

    """
    texts = read(registry.root)
    if not texts:
        return
    try:
        version = version_of(release)
    except ValueError:
        version = ""
    recorded = any(version in versions for versions in texts.values())
    for name, (place, text) in _texts(registry, headers).items():
        known, digest = texts.get(name, {}), digest_of(text)
        if digest != known.get(version) and (recorded or digest not in known.values()):
            what = "its text is another than was read" if known else "nobody has read its text"
            yield Difference(place, name, f"{what} in {release}: read its clauses again")


def _digests(registry: Registry, headers: Headers) -> dict[str, str]:
    """Return the digest of each text that the headers have on something that is described."""
    return {name: digest_of(text) for name, (_, text) in _texts(registry, headers).items()}


def _texts(registry: Registry, headers: Headers) -> dict[str, tuple[Place, str]]:
    """Return where each text of the headers is, and what it says."""
    found = {
        name: (declared.place, declared.comment)
        for ours, theirs in (
            (registry.functions, headers.functions),
            (registry.structs, headers.structs),
            (registry.callbacks, headers.callbacks),
        )
        for name, declared in theirs.items()
        if name in ours
    }
    for enum in registry.enums.values():
        parts = sorted(parts_of(enum, headers), key=lambda p: (p.place.header, p.place.line))
        if parts:
            found[enum.name] = parts[0].place, "\n".join(p.comment for p in parts)
    return found
