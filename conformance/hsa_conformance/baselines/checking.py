"""What is wrong with a baseline, whatever a library does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hsa_conformance import source_tree
from hsa_conformance.baselines.answer_words import shows
from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.entry import Entry, overlap
from hsa_conformance.baselines.known_cause import KnownCause
from hsa_conformance.engine.checks.before.ways import REFUSED_BY_DRIVER, REFUSED_MEMORY
from hsa_conformance.engine.checks.case import case_of
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_reports import BEFORE, Verdict
from hsa_reports.subject import names_of
from hsa_spec import Kind, Registry, Strength
from hsa_spec.machines import machine_names

#: The strengths of the clauses that a verdict is given by; any for those that are not here.
_STRENGTHS = {
    Verdict.FAIL: {Strength.MUST},
    Verdict.WARN: {Strength.SHOULD, Strength.MAY},
}
#: The values of axes that say of a failure that something was refused before.
_REFUSED_BEFORE = {f"{BEFORE}={way}" for way in (REFUSED_BY_DRIVER, REFUSED_MEMORY)}


def problems(baseline: Baseline, registry: Registry) -> Iterator[str]:
    """Yield what is wrong with the entries of a file, each as a line.

    Args:
        baseline: what the file says.
        registry: knows the clauses.

    """
    for number, entry in enumerate(baseline.own):
        for problem in _of_entry(entry, baseline, registry):
            yield f"entries.{number}: {entry.label}: {problem}"
    for number, cause in enumerate(baseline.own_causes):
        for problem in _of_cause(cause, baseline):
            yield f"causes.{number}: {cause.label}: {problem}"
    numbered = list(enumerate(baseline.own))
    for (first, one), (second, other) in combinations(numbered, 2):
        if not _may_meet(one, other):
            continue
        if _covers(one, other, baseline):
            yield f"entries.{second}: {other.label}: never counts: entries.{first} says it already"
        elif one.got == other.got:
            yield f"entries.{second}: {other.label}: entries.{first} says a part of it already"
    included = [e for other in baseline.includes for e in other.entries]
    for number, entry in numbered:
        if any(_may_meet(entry, e) and _covers(e, entry, baseline) for e in included):
            yield f"entries.{number}: {entry.label}: an included file says it already"


def _of_cause(cause: KnownCause, baseline: Baseline) -> Iterator[str]:
    yield from _of_either(cause, baseline)
    same = [c for c in baseline.causes if c.id == cause.id and overlap(c.releases, cause.releases)]
    if len(same) > 1 and len({c.machines for c in same}) < len(same):
        yield "it is named more than once; leave one of them out"


def _of_either(entry: Entry | KnownCause, baseline: Baseline) -> Iterator[str]:
    if baseline.releases and not any(map(entry.concerns, baseline.releases)):
        made_on = ", ".join(baseline.releases)
        yield f"its releases are none that the file was made on ({made_on})"
    for machine in entry.machines or ():
        if names_of(machine)[0] not in machine_names():
            yield f"there is no machine {machine}: {', '.join(machine_names())}"
    known = _pages()
    if entry.finding and known and not {entry.finding} <= known and "/" not in entry.finding:
        yield f"there is no finding {entry.finding}: see `findings list`, or give an address"


def _of_entry(entry: Entry, baseline: Baseline, registry: Registry) -> Iterator[str]:
    clause = registry.clauses[entry.clause]
    yield from _of_either(entry, baseline)
    # What a refusal costs after the call that met it is a warning, whatever the clause is.
    later = bool(entry.values) and _REFUSED_BEFORE.issuperset(entry.values)
    refuses = clause.kind is Kind.STATUS and SUCCESS not in clause.status
    refused = later or refuses or case_of(clause, registry).takes_memory
    costs = entry.verdict is Verdict.WARN and refused
    if not costs and clause.strength not in _STRENGTHS.get(entry.verdict, {*Strength}):
        yield f"the clause is `{clause.strength}`, which is never {entry.verdict}"
    if clause.strength is Strength.UNDEFINED:
        yield "the clause is `undefined`, which is never judged"
    for value in entry.values:
        yield from _of_value(value, registry)


def _of_value(value: str, registry: Registry) -> Iterator[str]:
    axis, equals, name = value.partition("=")
    if not (axis and equals and name):
        yield f"{value} is no value such as attribute=HSA_AGENT_INFO_NAME"
        return
    known = {e.name for enum in registry.enums.values() for e in enum.enumerators}
    if name.startswith("HSA_") and name not in known:
        yield f"{name} is no enumerator of this registry"


def _pages() -> set[str]:
    folder = source_tree.findings()
    return {page.stem for page in folder.glob("*.md")} if folder else set()


def _may_meet(first: Entry, second: Entry) -> bool:
    """Return whether one result may be what both entries are about."""
    machines = None in (first.machines, second.machines) or not {
        *(first.machines or ())
    }.isdisjoint(second.machines or ())
    free = first.any_value or second.any_value
    values = free or first.values == second.values or {*first.values} & {*second.values}
    same = first.clause == second.clause and first.verdict is second.verdict
    return bool(same and machines and values and overlap(first.releases, second.releases))


def _covers(first: Entry, second: Entry, baseline: Baseline) -> bool:
    """Return whether an entry says all that another one says."""
    if second.machines is None:
        machines = first.machines is None
    else:
        machines = first.machines is None or {*second.machines} <= {*first.machines}
    if second.any_value:
        values = first.any_value
    elif second.values:
        values = first.any_value or {*second.values} <= {*first.values}
    else:
        values = first.any_value or not first.values
    got = first.got == second.got or shows(second.got, first.got, exact=first.exact)
    return machines and values and got and _contains(first, second, baseline)


def _contains(first: Entry, second: Entry, baseline: Baseline) -> bool:
    releases = baseline.releases
    return all(first.concerns(r) for r in releases if second.concerns(r))
