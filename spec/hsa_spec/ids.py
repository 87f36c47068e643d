"""The committed list of clause ids, which are permanent and never used again.

The file has one id on each line, in the order of the registry. A clause that is gone stays in it,
as `function/slug # retired: why`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.errors import RegistryError
from hsa_spec.model import Registry

NAME = "ids.txt"

_LINE = re.compile(r"^(?P<id>[a-z0-9_]+/[a-z0-9-]+)(?: # retired: (?P<reason>\S.*))?$")


@dataclass(frozen=True)
class KnownId:
    """One line of the list.

    Args:
        id: the id of a clause.
        line: the number of the line, counted from 1.
        retired: why the clause is gone, or None while it is in force.

    """

    id: str
    line: int
    retired: str | None


@dataclass(frozen=True)
class Difference:
    """How the list and the registry differ.

    Args:
        new: ids of the registry that the list lacks.
        missing: ids of the list that the registry lacks and that are not retired.
        revived: retired ids that the registry uses again.

    """

    new: Sequence[str]
    missing: Sequence[KnownId]
    revived: Sequence[KnownId]


def path_of(registry: Registry) -> Path:
    """Return where the list of a registry is."""
    return registry.root / NAME


def read(path: Path) -> list[KnownId]:
    """Read a list; one that does not exist is empty.

    Raises:
        RegistryError: a line is not of the form of the list, or repeats an id.

    """
    if not path.exists():
        return []
    known: dict[str, KnownId] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = _LINE.match(line)
        if found is None:
            rule = f"expected 'function/slug' or 'function/slug # retired: why', not {line!r}"
            raise RegistryError(path, number, rule)
        if found["id"] in known:
            raise RegistryError(path, number, f"{found['id']} is listed twice")
        known[found["id"]] = KnownId(found["id"], number, found["reason"])
    return list(known.values())


def compare(registry: Registry) -> Difference:
    """Compare a registry with its list.

    Raises:
        RegistryError: the list is malformed.

    """
    known = {k.id: k for k in read(path_of(registry))}
    present = registry.clauses
    return Difference(
        [i for i in present if i not in known],
        [k for k in known.values() if k.id not in present and k.retired is None],
        [k for k in known.values() if k.id in present and k.retired is not None],
    )


def update(registry: Registry) -> Sequence[str]:
    """Add the ids that the list lacks, each behind its predecessor in the registry.

    Nothing is ever removed: the id of a clause that is gone has to be marked as retired by hand.

    Returns:
        The ids that were added.

    Raises:
        RegistryError: the list is malformed.
        OSError: the list cannot be written.

    """
    path = path_of(registry)
    new = compare(registry).new
    if not new:
        return ()
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    listed = [line.split()[0] for line in lines]
    position = 0
    for identifier in registry.clauses:
        if identifier in new:
            lines.insert(position, identifier)
            listed.insert(position, identifier)
            position += 1
        else:
            position = listed.index(identifier) + 1
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return new
