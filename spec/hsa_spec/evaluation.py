"""Which clauses of a function hold for a call, and what answers wrong arguments by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hsa_spec.conditions import Holds, Unsettled, compile_atom
from hsa_spec.model import Clause, Function, Kind, Registry, Strength
from hsa_spec.world import World


def compile_clause(clause: Clause, function: Function, unsettled: Unsettled | None = None) -> Holds:
    """Return a function that returns whether all atoms of a clause hold.

    A clause without atoms never holds: it is a statement for people, not for calls.

    Args:
        clause: the clause.
        function: its function.
        unsettled: for each enumeration the numbers about which `in` and `not in` say nothing.

    """
    names = [p.name for p in function.params]
    atoms = [compile_atom(a, names, unsettled) for a in clause.when]
    if not atoms:
        return lambda _world, _args: False
    if len(atoms) == 1:
        return atoms[0]

    def holds(world: World, args: Sequence[int]) -> bool:
        for atom in atoms:  # noqa: SIM110 - on the hot path, and all() takes twice as long
            if not atom(world, args):
                return False
        return True

    return holds


def first_error(
    function: Function, registry: Registry
) -> Callable[[World, Sequence[int]], int | None]:
    """Return the argument check of a function: the status of its first error clause that holds.

    Clauses are tried in the order in which the registry lists them. Those that leave the answer
    open (`may`, `undefined`, `observed`, or a contest in which success is one reading) are left
    to whoever implements the function.
    """
    checks = [
        (compile_clause(c, function), registry.status(c.status[0]))
        for c in function.clauses
        if is_enforced(c)
    ]

    def check(world: World, args: Sequence[int]) -> int | None:
        for holds, status in checks:
            if holds(world, args):
                return status
        return None

    return check


def is_enforced(clause: Clause) -> bool:
    """Return whether a clause becomes an argument check of a generated implementation."""
    return (
        clause.kind is Kind.STATUS
        and clause.strength in (Strength.MUST, Strength.SHOULD)
        and "HSA_STATUS_SUCCESS" not in clause.status
    )


def holding(
    clauses: Iterable[tuple[Clause, Holds]], world: World, args: Sequence[int]
) -> list[Clause]:
    """Return the clauses that hold for these arguments in this world."""
    return [clause for clause, holds in clauses if holds(world, args)]
