"""Which checks each clause gets."""

from __future__ import annotations

from hsa_adapters.protocol import Faults
from hsa_conformance import suite
from hsa_conformance.campaign import Check
from hsa_conformance.checks import clauses, failures, shortages
from hsa_conformance.checks.properties import PROPERTIES, property_checks
from hsa_conformance.judge import Judge
from hsa_conformance.reach import FAILING
from hsa_spec import Clause, Kind, Registry


def checks_for(
    clause: Clause, registry: Registry, judge: Judge, faults: Faults | None
) -> list[Check]:
    """Return the checks of a status or effect clause.

    Args:
        clause: the clause.
        registry: the specification.
        judge: says which answers are right.
        faults: the failures of the machine, without which clauses about them have no check.

    Raises:
        LookupError: the clause is testable and nothing tests it.

    """
    if clause.kind is Kind.STATUS:
        if faults is not None and FAILING in clause.needs:
            return [shortages.refusal_check(clause, registry, judge, faults)]
        return clauses.status_checks(clause, registry, judge)
    suite.load()
    if clause.slug == failures.SLUG:
        checks = [failures.failure_check(clause, registry)]
        if faults is not None:
            checks += shortages.recovery_checks(clause, registry, judge, faults)
        return checks
    found = property_checks(clause)
    if clause.slug == shortages.NOT_ZERO and faults is not None:
        found += shortages.success_checks(clause, registry, faults)
    if not found:
        raise LookupError(f"no property proves {clause.id}")
    return found


def has_check(clause: Clause) -> bool:
    """Tell whether something tests the clause."""
    suite.load()
    return clause.kind is not Kind.EFFECT or clause.slug == failures.SLUG or clause.id in PROPERTIES
