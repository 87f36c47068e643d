"""Who decides what is observed: the clause says it, or the attribute that a query is about."""

from __future__ import annotations

from hsa_spec.attributes import decided_by
from hsa_spec.model import Clause, DecidedBy, Kind, Registry
from hsa_spec.releases import Release


def decider(
    registry: Registry, clause: Clause, release: Release, asked: str | None = None
) -> DecidedBy:
    """Return who decides whether a clause holds.

    Most of what queries report is the driver's, such as the number of compute units, but that they
    succeed is the runtime's: it has asked the driver before, with few exceptions.

    Args:
        registry: the specification.
        clause: the clause.
        release: the release that is judged.
        asked: the attribute that the call asks for, if it is known and there is one.

    """
    return _or_profiler(registry, clause, _stated(registry, clause, release, asked))


def decider_of_all(registry: Registry, clause: Clause) -> DecidedBy:
    """Return who decides a clause, whatever is asked and in whichever release."""
    return _or_profiler(registry, clause, clause.decided_by)


def _or_profiler(registry: Registry, clause: Clause, by: DecidedBy) -> DecidedBy:
    """Return the profiler for its own functions, of which the runtime decides nothing."""
    function = registry.functions.get(clause.function)
    own = function is not None and function.export == "library"
    return DecidedBy.PROFILER if own and by is DecidedBy.RUNTIME else by


def _stated(registry: Registry, clause: Clause, release: Release, asked: str | None) -> DecidedBy:
    if clause.kind is Kind.EFFECT:
        stated = registry.attributes.get(clause.source.section)
        if stated is not None and clause.decided_by is stated.decided_by:
            return decided_by(stated, release)
    elif clause.is_success and asked is not None and asked in registry.attributes:
        return registry.attributes[asked].refused_by
    return clause.decided_by
