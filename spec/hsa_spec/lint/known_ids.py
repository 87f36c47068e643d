"""Checks that the list of clause ids and the registry agree."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec import ids
from hsa_spec.lint.finding import Finding, about_clause
from hsa_spec.model import Registry

_UPDATE = "run 'hsa-conformance spec lint --update-ids'"


def check(registry: Registry) -> Iterator[Finding]:
    """Yield the ids on which the two differ."""
    path = ids.path_of(registry)
    if not path.exists():
        yield Finding(path, None, path.name, "ids", f"there is no list of ids: {_UPDATE}")
        return
    difference = ids.compare(registry)
    for new in difference.new:
        message = f"the id is not in {path.name}: {_UPDATE}"
        yield about_clause(registry, registry.clauses[new], "ids", message)
    for known in difference.missing:
        message = f"no clause has this id: write '{known.id} # retired: why' if it is gone for good"
        yield Finding(path, known.line, known.id, "ids", message)
    for known in difference.revived:
        message = "a retired id is never used again: give the clause another"
        yield about_clause(registry, registry.clauses[known.id], "ids", message)
