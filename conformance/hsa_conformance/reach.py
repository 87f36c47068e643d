"""How far the suite can go with a function: what it knows the objects of, and what needs none."""

from __future__ import annotations

from hsa_conformance import suite
from hsa_conformance.strategies.topics import MAKERS
from hsa_spec import Clause, Function, Kind
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import Apply, Not

#: The need of clauses that only a machine that can be made to fail shows.
FAILING = "fault_injection"


def is_covered(function: Function) -> bool:
    """Tell whether the suite can make and remember what a function works with."""
    return function.topic in suite.NAMES


def unmade(clause: Clause, function: Function) -> str | None:
    """Return a term that a call about the clause needs and that the suite cannot make."""
    success = function.success
    atoms = [*clause.when, *(success.when if success else ())]
    terms = (n.of if isinstance(n, Not) else n for n in (a.node for a in atoms))
    names = (node.term.name for node in terms if isinstance(node, Apply))
    return next((name for name in names if name not in MAKERS), None)


def is_uninitialised(atom: Atom) -> bool:
    """Tell whether an atom says that the runtime is not initialised."""
    node = atom.node
    return (
        isinstance(node, Not) and isinstance(node.of, Apply) and node.of.term.name == "initialized"
    )


def before_init(clause: Clause) -> bool:
    """Tell whether a clause is about any call before hsa_init, which needs no objects."""
    return clause.kind is Kind.STATUS and any(is_uninitialised(a) for a in clause.when)
