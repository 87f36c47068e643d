"""The attribute that a call asks for, and whether the text says what it is for the object."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.definedness import is_defined, value_of
from hsa_conformance.engine.generation.fixtures import Unsuitable
from hsa_spec import Attribute
from hsa_spec.layout import size_of


def reported(builder: Builder) -> Mapping[str, Attribute]:
    """Return the attribute that each output of a query receives."""
    function, registry = builder.function, builder.session.registry
    asked = [builder.number(p.name) for p in function.params if p.role == "attribute"]
    found = registry.reported(function.name, asked[0]) if asked else None
    outputs = [p.name for p in function.params if p.direction == "out" and p.type == "void*"]
    return dict.fromkeys(outputs, found) if found is not None else {}


def require_defined(builder: Builder) -> None:
    """Go on only where the text says what a query reports; elsewhere any answer is right.

    Raises:
        Unsuitable: the text does not say that the object has the attribute.
        Blocked: the object cannot be asked what that depends on.

    """
    for attribute in reported(builder).values():
        if not has_value(builder, attribute):
            raise Unsuitable(f"{attribute.name} is not defined for it")


def has_value(builder: Builder, attribute: Attribute) -> bool:
    """Return whether the text says what an attribute of the object is, or that it is a constant.

    Raises:
        Blocked: the object cannot be asked what that depends on.

    """
    stated = isinstance(attribute.elsewhere, int)
    return stated or bool(
        is_defined(builder.session, builder.function, attribute, _subject(builder))
    )


def may_be_empty(builder: Builder, attribute: Attribute) -> bool:
    """Return whether an attribute of the object has no bytes, by what counts its elements.

    Raises:
        Blocked: the object cannot be asked how many there are.

    """
    return size_for(builder, attribute) == 0


def size_for(builder: Builder, attribute: Attribute) -> int:
    """Return the bytes of an attribute of the object, whose type the header names.

    Raises:
        Blocked: the object cannot be asked how many elements there are.

    """
    registry = builder.session.registry
    size = size_of(attribute.type.removesuffix("[]"), registry)
    if attribute.length is None:
        return size
    count = registry.attributes[attribute.length]
    told = value_of(builder.session, builder.function, count, _subject(builder))
    return size * (int.from_bytes(told, "little") + attribute.terminated)


def _subject(builder: Builder) -> Mapping[str, Value]:
    """Return the object that a query is about: its arguments, but for the attribute."""
    return {
        p.name: builder.values[p.name]
        for p in builder.function.params
        if p.direction == "in" and p.role != "attribute"
    }
