"""Something that lives in a runtime, one of each kind that an implementation and a machine have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hsa_conformance.engine.generation.fixtures import Fixtures


def living(fixtures: Fixtures) -> dict[str, Callable[[], object]]:
    """Return what makes an object of each kind that can be made here, by what it is called.

    The first makes nothing.
    """
    session = fixtures.session
    found: dict[str, Callable[[], object]] = {"nothing": lambda: None}
    for kinds in session.rules.objects:
        for kind in kinds(fixtures):
            if all(map(session.offers, kind.functions)):
                found[kind.name] = partial(_made, fixtures, kind.make)
    return found


def _made(fixtures: Fixtures, make: Callable[[], object]) -> object:
    """Make an object: what it is made of is tried with the functions that make it."""
    axes = fixtures.session.axes
    before = set(axes.offered)
    thing = make()
    axes.withdraw(axes.offered.keys() - before)
    return thing
