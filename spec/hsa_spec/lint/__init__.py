"""Finds what is wrong with a registry beyond what its schema and its loader refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hsa_spec.lint import (
    attributes,
    clauses,
    conditions,
    declarations,
    kinds,
    known_ids,
    rules,
    sources,
    versions,
)
from hsa_spec.lint.finding import Finding
from hsa_spec.model import Registry

__all__ = ["Finding", "lint"]

_CHECKS: Sequence[Callable[[Registry], Iterable[Finding]]] = (
    clauses.check,
    conditions.check,
    kinds.check,
    versions.check,
    declarations.check,
    attributes.check,
    sources.check,
    rules.check,
    known_ids.check,
)


def lint(registry: Registry) -> list[Finding]:
    """Return everything that is wrong, in the order of files and lines.

    Args:
        registry: a registry that was loaded.

    Raises:
        RegistryError: the list of ids beside the registry is malformed.

    """
    found = [finding for check in _CHECKS for finding in check(registry)]
    return sorted(found, key=lambda finding: (str(finding.path), finding.line or 0))
