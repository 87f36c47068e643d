"""The suite in this process, on a library that may be wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Final

from hsa_adapters.protocol import Adapter
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reports import Result
from hsa_spec import Clause, Registry

#: The fixture `begin`.
Begin = Callable[[Adapter, Settings], Runner]

_QUICK: Final = Settings()


def running(adapter: Adapter, registry: Registry, settings: Settings = _QUICK) -> closing[Runner]:
    """Return a runner over a library, as a context at whose end its processes end."""
    return closing(Runner(adapter, registry, TOPICS, settings))


def by_clause(
    adapter: Adapter,
    registry: Registry,
    clauses: Iterable[Clause],
    settings: Settings = _QUICK,
    effort: float = 1.0,
) -> dict[str, list[Result]]:
    """Judge a library, and return the results by the clause that was asked for.

    Args:
        adapter: the library, which is ended afterwards.
        registry: the specification.
        clauses: the clauses that are judged.
        settings: of the run.
        effort: how many times the profile's number of examples.

    """
    with running(adapter, registry, settings) as runner:
        return {clause.id: runner.run(clause, effort) for clause in clauses}


def results(
    adapter: Adapter, registry: Registry, *names: str, settings: Settings = _QUICK
) -> list[Result]:
    """Judge a library by the clauses of these ids, and return the results."""
    found = by_clause(adapter, registry, [registry.clauses[n] for n in names], settings)
    return [result for results in found.values() for result in results]
