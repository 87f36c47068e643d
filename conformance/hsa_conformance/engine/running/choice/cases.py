"""The cases of a registry's clauses, each made once."""

from __future__ import annotations

from hsa_conformance.engine.checks.case import Case, case_of
from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause, Registry


class Cases:
    """Knows the case of each clause that it was asked for.

    Args:
        registry: the specification.
        topics: what the suite knows of the API.

    """

    def __init__(self, registry: Registry, topics: Topics) -> None:
        self.registry = registry
        self.topics = topics
        self._cache: dict[Clause, Case] = {}

    def of(self, clause: Clause) -> Case:
        """Return the case of a clause."""
        if clause not in self._cache:
            self._cache[clause] = case_of(clause, self.registry, self.topics.properties.keys())
        return self._cache[clause]
