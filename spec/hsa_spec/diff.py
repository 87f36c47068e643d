"""What appears and what ends between two releases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hsa_spec.model import Registry, Versions
from hsa_spec.releases import Release, numbers


class ChangedThing(StrEnum):
    """What changes."""

    FUNCTION = "function"
    CLAUSE = "clause"
    ENUMERATOR = "enumerator"
    FIELD = "field"


class ChangeKind(StrEnum):
    """How it changes."""

    APPEARS = "appears"
    ENDS = "ends"
    UNKNOWN = "unknown"  # whether one of the releases has it is not recorded


@dataclass(frozen=True)
class Change:
    """One difference between two releases.

    Args:
        how: whether it is there in the new release only, in the old one only, or not known.
        what: the sort of thing.
        name: the name of the function or enumerator, the id of the clause, or the name of the
            structure, a dot and the name of the field.
        versions: the recorded bounds that it follows from.

    """

    how: ChangeKind
    what: ChangedThing
    name: str
    versions: Versions


def release(text: str) -> Release:
    """Return the release that a version stands for.

    Args:
        text: a version of the extension's interface if its first number is 1, such as "1.4", else
            a ROCm release such as "6.1" or "6.1.2".

    Raises:
        ValueError: it is not made of numbers and dots.

    """
    is_interface = numbers(text)[0] == 1
    return Release(interface=text) if is_interface else Release.parse(text)


def diff(registry: Registry, old: Release, new: Release) -> tuple[Change, ...]:
    """Return what changes from one release to another, in the order of the registry.

    A clause of a function that appears or ends does so with it.

    Args:
        registry: where the bounds are recorded.
        old: the release that is left.
        new: the release that is entered; it may be the earlier one.

    """
    if old == new:
        return ()
    changes = []
    for what, name, bounds in _everything(registry):
        how = _how(_has(old, bounds), _has(new, bounds))
        if how:
            changes.append(Change(how, what, name, bounds[-1]))
    return tuple(changes)


def _everything(registry: Registry) -> Iterator[tuple[ChangedThing, str, tuple[Versions, ...]]]:
    """Yield each thing with its bounds, all of which a release has to lie in."""
    for function in registry.functions.values():
        yield ChangedThing.FUNCTION, function.name, (function.versions,)
        for clause in registry.clauses_about(function.name):
            own = clause.versions
            within = (function.versions,) if own == Versions() else (function.versions, own)
            yield ChangedThing.CLAUSE, clause.id, within
    for enum in registry.enums.values():
        for enumerator in enum.enumerators:
            yield ChangedThing.ENUMERATOR, enumerator.name, (enumerator.versions,)
    for struct in registry.structs.values():
        for field in struct.fields:
            yield ChangedThing.FIELD, f"{struct.name}.{field.name}", (field.versions,)


def _has(release: Release, bounds: tuple[Versions, ...]) -> bool | None:
    """Return whether a release lies in all bounds; None: unknown."""
    answers = [release.has(versions) for versions in bounds]
    if False in answers:
        return False
    return None if None in answers else True


def _how(old: bool | None, new: bool | None) -> ChangeKind | None:
    if old is None or new is None:
        return ChangeKind.UNKNOWN
    if old is new:
        return None
    return ChangeKind.APPEARS if new else ChangeKind.ENDS


def lines(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the changes as lines for people.

    Clauses that come and go with their function are counted in the function's line.
    """
    if not changes:
        yield "nothing changes"
        return
    whole = {(c.how, c.name): c.versions for c in changes if c.what is ChangedThing.FUNCTION}

    def follows(change: Change) -> bool:
        function = change.name.partition("/")[0]
        return (
            change.what is ChangedThing.CLAUSE
            and whole.get((change.how, function)) == change.versions
        )

    clauses = Counter(c.name.partition("/")[0] for c in changes if follows(c))
    for change in changes:
        if not follows(change):
            count = f", {clauses[change.name]} clauses" if clauses[change.name] else ""
            yield f"{change.how:<8} {change.what:<11} {change.name}: {change.versions}{count}"
    counts = Counter(change.how for change in changes)
    yield ", ".join(f"{how}: {counts[how]}" for how in ChangeKind if counts[how])
    if counts[ChangeKind.UNKNOWN]:
        yield "unknown: it is not recorded whether one of the two releases has it"
