"""The argument check of a function, generated from its clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from hsa_reference.attributes import defaults
from hsa_spec import Clause, Function, Registry, World
from hsa_spec.conditions.syntax import Apply, Argument, Compare, Constant, Literal, Node, Not
from hsa_spec.evaluation import first_error, is_enforced
from hsa_spec.releases import Release

Check = Callable[[World, Sequence[int]], int | None]

#: Checks hold no state, so every runtime may share them. The function is kept with its check, so
#: that its identity stays its own.
_CHECKS: dict[tuple[int, frozenset[str]], tuple[Function, Check]] = {}


def argument_check(
    function: Function, registry: Registry, waived: frozenset[str] = frozenset()
) -> Check:
    """Return what answers wrong arguments with a status, and right ones with None.

    Of two error clauses that hold, the first in the order of the registry answers (`first_error`).

    Nearly every clause starts with what an earlier one has settled (`initialized()`, once the
    clause for `not initialized()` did not hold). Such atoms are left out: a query takes half as
    long without them.

    Args:
        function: the function.
        registry: that it is from.
        waived: the clauses by which nothing is wrong.

    """
    key = id(function), waived
    if key not in _CHECKS:
        clauses = [clause for clause in in_force(function).clauses if clause.id not in waived]
        shortened = replace(function, clauses=tuple(shorter_clauses(clauses)))
        _CHECKS[key] = function, first_error(shortened, registry)
    return _CHECKS[key][1]


def in_force(function: Function) -> Function:
    """Return a function with those of its clauses that hold for the reference's versions."""
    clauses = tuple(c for c in function.clauses if release().has(c.versions) is not False)
    return replace(function, clauses=clauses)


def shorter_clauses(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Yield the enforced clauses without the atoms that hold because no earlier clause did."""
    known: list[Node] = []
    for clause in filter(is_enforced, clauses):
        shorter = replace(clause, when=tuple(a for a in clause.when if a.node not in known))
        if len(shorter.when) == 1:
            known += _opposite(shorter.when[0].node)
        yield shorter


@cache
def release() -> Release:
    """Return the versions that the reference answers, which decide which clauses are in force."""
    system = defaults()["system"]
    hsa, interface = (
        f"{system[f'{name}_MAJOR']}.{system[f'{name}_MINOR']}"
        for name in ("HSA_SYSTEM_INFO_VERSION", "HSA_AMD_SYSTEM_INFO_EXT_VERSION")
    )
    return Release(interface=interface, hsa=hsa)


def _opposite(node: Node) -> list[Node]:
    """Return what holds exactly when the statement does not, if the language can say it."""
    match node:
        case Not(Apply() as statement):
            return [statement]
        case Compare("==", Argument(), Literal() | Constant()):
            return [replace(node, op="!=")]
        case Compare("!=", Argument(), Literal() | Constant()):
            return [replace(node, op="==")]
        case _:
            return []
