"""A changed strength, decided_by, release or source of a clause is noticed by something else."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import islice
from random import Random

import pytest

from hsa_spec import Clause, DecidedBy, Function, Registry, Strength
from hsa_spec.lint import clauses, kinds, sources, versions
from hsa_spec.model import Source, Versions
from hsa_spec.releases import INTERFACES
from tests.golden.cases import Case, load_cases
from tests.golden.clauses import complaint
from tests.unit.spec.metadata import Metadata
from tests.wrong.clauses import with_clause
from tests.wrong.drawing import draw
from tests.wrong.fates import Fate, Mistake, Outcome, table

SEED = 11
#: How many are drawn; `tox -e mutants` draws more.
MUTANTS = int(os.environ.get("HSA_TEST_METADATA_MUTANTS", "200"))
_ROCM = sorted({bound for span in INTERFACES for bound in span[:2]})
_INTERFACE = sorted({interface for *_, interface in INTERFACES})


CASES: dict[str, list[Case]] = defaultdict(list)
for _case in load_cases():
    if not _case.steps:
        CASES[_case.function].append(_case)


@pytest.fixture(scope="module")
def metadata(registry: Registry) -> Metadata:
    return Metadata(registry)


def test_a_handle_that_no_call_returned_is_contested(
    registry: Registry, metadata: Metadata
) -> None:
    """A list has a status for it, and the specification leaves it open who looks."""
    should = [c for c in registry.clauses.values() if c.strength is Strength.SHOULD and c.status]
    wrong = [c for c in should if metadata.is_wrong_handle(c)]
    assert wrong
    assert [] == [c.id for c in wrong if not c.open]


def strength(clause: Clause, random: Random, _: Registry) -> Clause:
    """Bind more or less than the text does."""
    others = [s for s in Strength if s is not clause.strength]
    return replace(clause, strength=random.choice(others))


def decided_by(clause: Clause, random: Random, _: Registry) -> Clause:
    """Ascribe the answer to somebody else."""
    # No document says that the profiler decides: it follows from the function.
    others = [d for d in DecidedBy if d not in (clause.decided_by, DecidedBy.PROFILER)]
    return replace(clause, decided_by=random.choice(others))


def releases(clause: Clause, random: Random, registry: Registry) -> Clause:
    """Let the clause begin or end with another release, or hold in all of them."""
    own = clause.versions
    since = Versions(random.choice(_INTERFACE), None, own.until_rocm, own.until_interface)
    until = replace(own, until_rocm=random.choice(_ROCM))
    function = registry.functions[clause.function].versions
    same = (own, replace(own, amd_interface=function.amd_interface, rocm=None))
    found = [v for v in (since, until, Versions()) if v not in same]
    return replace(clause, versions=random.choice(found))


def source(clause: Clause, random: Random, registry: Registry) -> Clause:
    """Name another text: of another function, or another part of the function's own."""
    own = clause.source
    function = registry.functions[clause.function]
    subject, _, part = own.section.partition(", ")
    other = random.choice([f for f in registry.functions.values() if f.name != subject])
    sections = [f"{function.name}, @param {p.name}" for p in function.params]
    sections += [f"{function.name}, @retval {s}" for s in function.documented]
    sections += [f"{other.name}, {part or 'details'}"]
    header = random.choice(sorted({f.header for f in registry.functions.values()} - {own.header}))
    changed = [Source(own.header, s, own.note) for s in sections if s != own.section]
    return replace(clause, source=random.choice([*changed, replace(own, header=header)]))


CHANGES: Mapping[str, Callable[[Clause, Random, Registry], Clause]] = {
    c.__name__: c for c in (strength, decided_by, releases, source)
}


def said(metadata: Metadata, function: Function, clause: Clause) -> Counter[str]:
    """Count what the rules, lint and the golden cases say of a clause of a function."""
    registry = metadata.registry
    changed = {function.name: with_clause(registry, clause).functions[function.name]}
    alone = replace(registry, functions=changed, rules={})
    named = {n: replace(f, clauses=()) for n, f in registry.functions.items()} | changed
    return Counter(
        [
            *metadata.complaints(clause),
            *(f.message for check in (clauses, kinds, versions) for f in check.check(alone)),
            *(f.message for f in sources.check(replace(registry, functions=named, rules={}))),
            *(c for case in CASES[function.name] if (c := complaint(case, alone))),
        ]
    )


def mutants(registry: Registry) -> Iterator[tuple[str, Clause, Clause]]:
    """Yield what is done, the clause and its mutant."""
    random = Random(SEED)
    every = [(name, clause) for name in CHANGES for clause in registry.clauses.values()]
    for name, clause in islice(draw(every, lambda m: (m[0], m[1].function), random), MUTANTS):
        yield name, clause, CHANGES[name](clause, random, registry)


def test_most_changes_are_noticed(
    registry: Registry, metadata: Metadata, keep: Callable[[Fate], None]
) -> None:
    """Of a fixed sample of mutants, at least nine in ten are noticed; the others are printed."""
    fates = []
    for name, clause, mutant in mutants(registry):
        function = registry.functions[clause.function]
        changed = f"{clause.id}: {name}: {difference(clause, mutant)}"
        noticed = said(metadata, function, mutant) - said(metadata, function, clause)
        outcome = Outcome.BLAMED if noticed else Outcome.SURVIVED
        fates.append(Mistake("mutants", name, changed, {clause.function}).fate(outcome))
        keep(fates[-1])
    print(*table(fates), sep="\n")
    assert sum(fate.outcome is Outcome.BLAMED for fate in fates) >= 0.9 * len(fates)


def difference(clause: Clause, mutant: Clause) -> str:
    """Return what a mutant has instead, as text."""
    pairs = ((getattr(clause, f.name), getattr(mutant, f.name)) for f in fields(clause))
    return "; ".join(f"{before} -> {after}" for before, after in pairs if before != after)


def test_the_rules_and_lists_hold(registry: Registry, metadata: Metadata) -> None:
    """Of no clause do the rules say what the lists do not, or the other way round."""
    wrong = {c.id: list(metadata.complaints(c)) for c in registry.clauses.values()}
    assert {} == {name: found for name, found in wrong.items() if found}


def test_lists_name_clauses(registry: Registry, metadata: Metadata) -> None:
    """No list has what is no clause."""
    listed = [name for names in metadata.lists.values() for name in names]
    assert [] == [name for name in listed if name not in registry.clauses]
