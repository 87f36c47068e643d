"""Checks that releases are in order: nothing ends too early, begins too late or leaves a gap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hsa_spec.conditions.syntax import Compare, Constant
from hsa_spec.lint.finding import Finding, about_clause, about_declaration
from hsa_spec.model import CallbackType, Clause, Enum, Enumerator, Function, Registry, Struct
from hsa_spec.model import Versions as Bounds
from hsa_spec.releases import INTERFACES, at_most, follows, numbers


def check(registry: Registry) -> Iterator[Finding]:
    """Yield bounds that leave no release or a gap, and clauses older than what they are about."""
    for declared, name, bounds in _declared(registry):
        if _is_empty(bounds):
            message = f"{name} ends before it begins: {bounds}"
            yield about_declaration(registry, declared, "versions", message)
    enumerators = {n.name: n for e in registry.enums.values() for n in e.enumerators}
    for clause in registry.clauses.values():
        function = registry.functions[clause.function]
        for message in _of_clause(clause, function, enumerators):
            yield about_clause(registry, clause, "versions", message)


def _declared(
    registry: Registry,
) -> Iterator[tuple[Function | Enum | Struct | CallbackType, str, Bounds]]:
    for function in registry.functions.values():
        yield function, function.name, function.versions
    for callback in registry.callbacks.values():
        yield callback, callback.name, callback.versions
    for struct in registry.structs.values():
        yield struct, struct.name, struct.versions
    for enum in registry.enums.values():
        for enumerator in enum.enumerators:
            yield enum, enumerator.name, enumerator.versions


def _of_clause(
    clause: Clause, function: Function, enumerators: Mapping[str, Enumerator]
) -> Iterator[str]:
    if _is_empty(clause.versions):
        yield f"it ends before it begins: {clause.versions}"
    if _ends(clause.versions) and not _followed(clause, function):
        yield f"no clause of its kind says what holds when it ends: {clause.versions}"
    own = clause.versions.amd_interface or clause.versions.rocm or clause.versions.hsa
    if own and _is_older(clause.versions, function.versions):
        yield f"it is there {clause.versions}, and {function.name} only {function.versions}"
    begun = clause.versions if own else function.versions
    for name in sorted(_about(clause) & enumerators.keys()):
        needed = enumerators[name].versions
        if _is_older(begun, needed):
            yield f"it is older than {name}, which is there {needed}"


def _about(clause: Clause) -> set[str]:
    """Return the names that a clause cannot do without: its source, and what has to be equal."""
    return {clause.source.section} | {
        node.name
        for atom in clause.when
        if isinstance(atom.node, Compare) and atom.node.op == "=="
        for node in (atom.node.left, atom.node.right)
        if isinstance(node, Constant)
    }


def _is_empty(bounds: Bounds) -> bool:
    """Return whether no release is within bounds, as far as they can be compared."""
    pairs = (
        (bounds.rocm, bounds.until_rocm),
        (bounds.amd_interface, bounds.until_interface),
        (bounds.hsa, bounds.until_hsa),
    )
    if any(since and until and numbers(until) <= numbers(since) for since, until in pairs):
        return True
    end = Bounds(bounds.until_interface, bounds.until_rocm)
    return end != Bounds() and _is_older(end, bounds)


def _followed(clause: Clause, function: Function) -> bool:
    return any(
        other.kind is clause.kind and follows(other.versions, clause.versions)
        for other in function.clauses
    )


def _ends(bounds: Bounds) -> bool:
    return bool(bounds.until_rocm or bounds.until_interface or bounds.until_hsa)


def _is_older(first: Bounds, second: Bounds) -> bool:
    """Return whether one thing surely begins before another."""
    return _is_older_by_hsa(first, second) or _is_older_by_rocm(first, second)


def _is_older_by_hsa(first: Bounds, second: Bounds) -> bool:
    if not second.hsa:
        return False
    if first == Bounds():
        return True  # it has always been there
    return numbers(first.hsa or second.hsa) < numbers(second.hsa)


def _is_older_by_rocm(first: Bounds, second: Bounds) -> bool:
    if not (second.amd_interface or second.rocm):
        return False
    if first.amd_interface and second.amd_interface:
        return numbers(first.amd_interface) < numbers(second.amd_interface)
    if first.rocm and second.rocm:
        return numbers(first.rocm) < numbers(second.rocm)
    if first.rocm and second.amd_interface:
        most = at_most(first.rocm)
        return most is not None and numbers(most) < numbers(second.amd_interface)
    if first.amd_interface and second.rocm:
        return _precedes(first.amd_interface, second.rocm)
    return True  # it has always been there


def _precedes(interface: str, rocm: str) -> bool:
    """Return whether a release older than this one declares at least this interface version."""
    return any(
        numbers(interface) <= numbers(declared) and numbers(last) < numbers(rocm)
        for _, last, declared in INTERFACES
    )
