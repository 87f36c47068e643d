"""Queries of attributes, with as much room as the type of each one takes."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.session.session import Session
from hsa_reports.demands import Gives, StaysWithin


def attributes(session: Session, *enums: str, value_type: str | None = None) -> list[str]:
    """Return the names of the offered attributes whose values have a fixed size and a named type.

    Args:
        session: knows what is offered.
        enums: the enumerations of the attributes.
        value_type: only attributes of this C type.

    """
    return [
        a.name
        for a in session.registry.attributes.values()
        if a.enum in enums
        and session.offered_api.has_attribute(a.name)
        and a.inferred is None
        and not a.open_ended
        and value_type in (None, a.type)
    ]


def ask(scene: Scene, function: str, attribute: str, **subject: int) -> Answer:
    """Make the query that a property is about.

    Args:
        scene: the property's scene.
        function: a function that writes the value of an attribute to `value`.
        attribute: name of the attribute.
        subject: whose attribute it is: the other arguments of the function.

    """
    return scene.call(function, **subject, **_question(scene, attribute))


def ask_where_answered(scene: Scene, function: str, attribute: str, **subject: int) -> Answer:
    """Make the query like `ask`, where it may be refused.

    Raises:
        CannotMake: it is refused.

    """
    answer = ask(scene, function, attribute, **subject)
    if not answer.ok:
        raise CannotMake(f"{attribute} is not answered")
    return answer


def content(scene: Scene, function: str, attribute: str, **subject: int) -> bytes:
    """Return the bytes of an attribute, for a property that is not about the query's status.

    Raises:
        Blocked: the query does not succeed.

    """
    return scene.set_up(function, **subject, **_question(scene, attribute)).content("value")


def number(fixtures: Fixtures, function: str, attribute: str, **subject: int) -> int:
    """Return an attribute that is a number; see `content`."""
    asked = _question(fixtures, attribute)
    return fixtures.session.set_up(function, **subject, **asked).number("value")


def _question(fixtures: Fixtures, attribute: str) -> dict[str, Value]:
    registry = fixtures.session.registry
    return {
        "attribute": registry.constants[attribute],
        "value": Out(),
    }


def require_no_overrun(scene: Scene, answer: Answer, attribute: str) -> None:
    """Demand that a query wrote nothing behind the value of the attribute."""
    scene.require(
        answer.overrun() is None,
        f"bytes behind the value of {attribute} were written",
        (answer.guards["value"] or b"").hex(" "),
        StaysWithin("value"),
    )


def require_bool(scene: Scene, answer: Answer, attribute: str) -> None:
    """Demand that the byte of an attribute is what a C bool can be."""
    stored = answer.number("value")
    demand = Gives("value", (b"\0", b"\1"))
    scene.require(stored in (0, 1), f"{attribute} is stored as neither 0 nor 1", stored, demand)


def require_named(scene: Scene, value: int, attribute: str) -> None:
    """Demand that the value of an attribute has a name in the enumeration that the text gives."""
    require_enumerator(scene, value, attribute, _named_by(scene, attribute))


def _named_by(scene: Scene, attribute: str) -> str:
    enum = scene.session.registry.attributes[attribute].named_by
    assert enum is not None, attribute
    return enum


def require_enumerator(scene: Scene, value: int, attribute: str, enum: str) -> None:
    """Demand that a value has a name in an enumeration."""
    scene.require(
        value in scene.session.registry.enums[enum].values,
        f"{attribute} is no value of {enum}",
        value,
    )


def is_power_of_two(value: int) -> bool:
    """Return whether a number is a power of two."""
    return value > 0 and value & (value - 1) == 0


def require_plain_name(name: bytes, clause: str) -> bytes:
    """Return the name that a query gave.

    Args:
        name: as many bytes as it says to have.
        clause: that of the query which demands a name without other bytes.

    Raises:
        Blocked: there is a byte in it that no name has.

    """
    if b"\0" in name or not name.isascii():
        raise Blocked(clause, f"{name!r}")
    return name
