"""Whether two runs are of one subject and were asked for the same, so that they can be joined."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from hsa_reports import RunStarted, Subject
from hsa_reports.event_file import event_file

#: The options that verdicts depend on, but for what a run says of itself and its subject anyway.
OPTIONS: Final = (
    "release",
    "hsa-version",
    "machine",
    "claim",
    "virtual-kfd",
    "env",
    "baseline",
    "against",
    "replay",
    "budget",
    "memory-budget",
    "output",
    "memory",
    "threads",
    "expect-no-device",
    "select",
    "length",
)
#: What users know an option as, where that is another name.
_NAMES: Final = {"length": "for"}
_FILE: Final = re.compile(r"(.*) \(SHA-256 ([0-9a-f]{12})\)", re.DOTALL)
_SUBJECT: Final = ("adapter", "implementation", "build_id", "release", "device", "imitation")


def asked_for(config: pytest.Config, build_id: str | None) -> dict[str, str]:
    """Return the options of a run that verdicts depend on; of a file it is what is in it.

    Args:
        config: the options.
        build_id: what tells one build of the library from another, if it has that.

    """
    given = {name: config.getoption(f"--hsa-{name}") for name in OPTIONS}
    if given["against"]:
        given["against"] = str(event_file(Path(given["against"])))
    if build_id is None:
        given["library"] = config.getoption("--hsa-library")
    return {name: _text(value) for name, value in given.items() if value not in (None, False, [])}


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return shlex.join("=".join(v) if isinstance(v, tuple) else str(v) for v in value)
    path = event_file(Path(str(value)))
    if isinstance(value, str) and path.is_file():
        return f"{path} (SHA-256 {_digest(path)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def content(text: str) -> str:
    """Return what an option says, with the content of a file, and not where it lay."""
    found = _FILE.fullmatch(text)
    return f"{Path(found[1]).name} (SHA-256 {found[2]})" if found else text


def named(text: str) -> str:
    """Return the name or file that an option says.

    Raises:
        FileNotFoundError: what lies there now is not what was given.

    """
    found = _FILE.fullmatch(text)
    if found is None:
        return text
    path = Path(found[1])
    if not path.is_file() or _digest(path) != found[2]:
        raise FileNotFoundError(f"{path} is not there, or is not what it was")
    return found[1]


def differences(one: RunStarted, other: RunStarted) -> Iterator[str]:
    """Yield what keeps two runs from being parts of one, in words; nothing: they can be.

    Args:
        one: how the first began.
        other: how the second began.

    """
    for name in ("suite_version", "registry_digest", "profile", "seed", "strict"):
        yield from _differs(name, getattr(one, name), getattr(other, name))
    for name in _SUBJECT:
        yield from _differs(name, getattr(one.subject, name), getattr(other.subject, name))
    if not (one.subject.build_id and other.subject.build_id):
        yield from _differs("path", one.subject.path, other.subject.path)
    for name in sorted({*one.options, *other.options}):
        values = (content(o) if (o := run.options.get(name)) else None for run in (one, other))
        yield from _differs(f"--{_NAMES.get(name, name)}", *values)
    if _offered(one.subject) != _offered(other.subject):
        yield "it exports or claims other functions"
    if {*one.selected} != {*other.selected}:
        yield f"{len(other.selected)} clauses are selected, not {len(one.selected)}"
    yield from _differs("without_device", one.without_device, other.without_device)
    for said in sorted({*one.unlisted} ^ {*other.unlisted}):
        yield f"of one of them {said}"


def _offered(subject: Subject) -> tuple[object, object]:
    return subject.exports, subject.claims


def _differs(name: str, one: object, other: object) -> Iterator[str]:
    if one != other:
        name = name.replace("_", " ") if not name.startswith("--") else name
        yield f"{name} is {_said(other)}, not {_said(one)}"


def _said(value: object) -> str:
    return "not given" if value is None else str(value)
