"""What an atom of a condition is about, as far as the engine has to know."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_spec import Clause, Function, Kind
from hsa_spec.conditions import Atom, walk
from hsa_spec.conditions.syntax import Apply, Literal, Not


def is_state(atom: Atom) -> bool:
    """Return whether an atom is about the runtime or the machine, which no argument decides."""
    return not atom.arguments


def of_success(function: Function) -> list[Atom]:
    """Return what has to hold of its arguments for a call of a function to succeed."""
    success = function.success
    return [atom for atom in success.when if not is_state(atom)] if success else []


def repeats(function: Function) -> bool:
    """Return whether a call that succeeded can be made again with the same arguments.

    What was made is there, and may be in the way; what was given back is gone, what was written
    over is no longer what was asked, and what was begun may be under way.
    """
    kept = any(p.ownership or p.direction == "inout" for p in function.params)
    return not kept and not begins(function)


def waits(function: Function) -> bool:
    """Return whether a call of a function may wait for something that has to happen meanwhile."""
    return any(p.type == "hsa_wait_state_t" for p in function.params)


def begins(function: Function) -> bool:
    """Return whether what a call of a function begins may be under way when it returns."""
    return any(p.name in ("completion_signal", "dep_signals") for p in function.params)


def is_uninitialised(atom: Atom) -> bool:
    """Return whether an atom says that the runtime is not initialised."""
    node = atom.node
    return (
        isinstance(node, Not) and isinstance(node.of, Apply) and node.of.term.name == "initialized"
    )


def counts_references(atom: Atom) -> bool:
    """Return whether an atom is about how often the runtime was initialised."""
    return any(isinstance(n, Apply) and n.term.name == "references" for n in walk(atom.node))


def starts_runtime(function: Function) -> bool:
    """Return whether a function starts or ends the runtime."""
    success = function.success
    return success is not None and any(counts_references(atom) for atom in success.when)


def before_init(clause: Clause) -> bool:
    """Return whether a clause is about any call before hsa_init, which needs no objects."""
    return clause.kind is Kind.STATUS and any(is_uninitialised(a) for a in clause.when)


def about(name: str, atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms that are about one parameter alone."""
    return [atom for atom in atoms if atom.arguments == {name}]


def exhausted(clause: Clause) -> list[str]:
    """Return the resources that have run out where a clause holds."""
    return [
        str(node.args[0].value)
        for atom in clause.when
        for node in walk(atom.node)
        if isinstance(node, Apply) and node.term.name == "exhausted"
        if isinstance(node.args[0], Literal)
    ]
