"""Small mistakes in a clause are noticed by what the registry is held against.

These are the golden cases that state all that a condition asks, the statuses that headers document,
the search for contradictions and gaps, and lint.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from hsa_spec import Clause, Function, Kind, Registry, Strength
from hsa_spec.ambiguities import disagreements, uncovered
from hsa_spec.conditions.syntax import Arithmetic, Atom, Compare, Literal, Node
from hsa_spec.documented_statuses import documented_pairs, without_clause
from hsa_spec.lint import clauses, conditions
from hsa_spec.lint.conditions import opposite
from tests.golden.cases import Case, load_cases
from tests.golden.clauses import complaint

SEED = 7
MUTANTS = 120
#: How many may go unnoticed: one in ten.
UNNOTICED = MUTANTS // 10
CASES: dict[str, list[Case]] = defaultdict(list)
for _case in load_cases():
    if not _case.steps:
        CASES[_case.function].append(_case)
STATUSES = (
    "HSA_STATUS_SUCCESS",
    "HSA_STATUS_ERROR",
    "HSA_STATUS_ERROR_INVALID_AGENT",
    "HSA_STATUS_ERROR_INVALID_ARGUMENT",
    "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
)


def swap_status(clause: Clause, random: Random) -> Clause:
    """Let the clause lead to another status."""
    return replace(clause, status=(random.choice([s for s in STATUSES if s not in clause.status]),))


def drop_condition(clause: Clause, random: Random) -> Clause:
    """Leave one of the conditions out."""
    index = random.randrange(len(clause.when))
    return replace(clause, when=clause.when[:index] + clause.when[index + 1 :])


def negate_condition(clause: Clause, random: Random) -> Clause:
    """Turn one of the conditions around."""
    index = random.randrange(len(clause.when))
    atom = Atom(f"not ({clause.when[index].text})", opposite(clause.when[index].node))
    return replace(clause, when=(*clause.when[:index], atom, *clause.when[index + 1 :]))


def move_bound(clause: Clause, random: Random) -> Clause:
    """Move one of the bounds by one, or negate a condition where there is none."""
    bounded = [i for i, atom in enumerate(clause.when) if _moved(atom.node) != atom.node]
    if not bounded:
        return negate_condition(clause, random)
    index = random.choice(bounded)
    atom = Atom(f"moved: {clause.when[index].text}", _moved(clause.when[index].node))
    return replace(clause, when=(*clause.when[:index], atom, *clause.when[index + 1 :]))


def _moved(node: Node) -> Node:
    match node:
        case Compare(op, left, Literal(int() as bound)):
            return Compare(op, left, Literal(bound + 1))
        case Compare("<" | "<=" | ">" | ">=" as op, left, right):
            return Compare(op, left, Arithmetic("+", right, Literal(1)))
        case _:
            return node


def failing_cases(alone: Registry) -> int:
    """Count the golden cases that do not hold of a registry of one function."""
    return sum(
        complaint(case, alone) is not None for name in alone.functions for case in CASES[name]
    )


def undocumented(alone: Registry) -> int:
    """Count the documented statuses that no clause of a registry of one function gives."""
    pairs = [p for p in documented_pairs() if p.function in alone.functions]
    return len(without_clause(alone, pairs))


#: Count what each check says of a registry of one function; those that take long come last.
CHECKS: tuple[Callable[[Registry], int], ...] = (
    failing_cases,
    undocumented,
    lambda alone: len(list(conditions.check(alone))),
    lambda alone: len(list(clauses.check(alone))),
    lambda alone: len(list(uncovered(alone))),
    lambda alone: len(list(disagreements(alone))),
)


def is_noticed(registry: Registry, before: Function, after: Function) -> bool:
    """Return whether some check says more of a function than it did."""
    sound, wrong = (replace(registry, functions={f.name: f}, rules={}) for f in (before, after))
    return any(check(wrong) > check(sound) for check in CHECKS)


def mutants(registry: Registry) -> Iterator[tuple[Function, Function, str]]:
    """Yield functions, their mutants, and what was done."""
    random = Random(SEED)
    binding = [
        c
        for c in registry.clauses.values()
        if c.kind is Kind.STATUS
        and c.strength in (Strength.MUST, Strength.SHOULD)
        and len(c.when) > 1
        and not c.contested
    ]
    for clause in random.sample(binding, MUTANTS):
        change = random.choice((swap_status, drop_condition, negate_condition, move_bound))
        function = registry.functions[clause.function]
        wrong = change(clause, random)
        changed = tuple(wrong if c.id == clause.id else c for c in function.clauses)
        yield function, replace(function, clauses=changed), f"{change.__name__} in {clause.id}"


def test_most_mistakes_are_noticed(registry: Registry) -> None:
    """Of a fixed sample of mutants, nine in ten make some check complain where it did not."""
    survivors = [
        what for before, after, what in mutants(registry) if not is_noticed(registry, before, after)
    ]
    assert len(survivors) <= UNNOTICED, survivors
