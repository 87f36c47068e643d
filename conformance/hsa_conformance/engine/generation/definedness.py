"""Whether the text defines the attribute that a query asks for, of the object that it asks."""

from __future__ import annotations

from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_spec import Attribute, Registry, Wanted
from hsa_spec.layout import size_of


def require_defined(builder: Builder) -> None:
    """Go on only where the text says what a query reports; elsewhere any answer is right.

    The object is asked for the attributes that this depends on.

    Raises:
        Unsuitable: it does not, or this depends on another object.
        Blocked: one of these queries does not succeed.

    """
    attribute = _asked(builder)
    if attribute is None or isinstance(attribute.elsewhere, int):
        return
    if attribute.defined_for == ():
        return
    groups = attribute.defined_for or ()
    if not any(all(_meets(builder, wanted) for wanted in group) for group in groups):
        raise Unsuitable(f"{attribute.name} is not defined for it")


def _asked(builder: Builder) -> Attribute | None:
    registry, function = builder.session.registry, builder.function
    for parameter in function.params:
        if parameter.role == "attribute" and parameter.direction == "in":
            named = registry.enums[parameter.type].by_value.get(builder.number(parameter.name))
            found = registry.attributes.get(named.name) if named else None
            return found if found and function.name in found.asked_by else None
    return None


def _meets(builder: Builder, wanted: Wanted) -> bool:
    registry, function = builder.session.registry, builder.function
    other = registry.attributes[wanted.attribute]
    if function.name not in other.asked_by:
        return False
    values = {
        p.name: registry.constants[other.name] if p.role == "attribute" else builder.values[p.name]
        for p in function.params
        if p.direction == "in"
    }
    outputs = {p.name: Out(_size(other, registry)) for p in function.params if p.direction == "out"}
    with builder.session.trace.paused():
        answer = builder.session.set_up(function.name, **values, **outputs)
    number = answer.number(next(iter(outputs)))
    if other.read_as in ("flags", "positions"):
        return bool(number & wanted.value == wanted.value) is not wanted.differs
    return (number == wanted.value) is not wanted.differs


def _size(attribute: Attribute, registry: Registry) -> int:
    return size_of(attribute.type, registry)
