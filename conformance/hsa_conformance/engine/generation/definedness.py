"""Whether the text defines an attribute for the object that is asked for it."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.session.session import Session
from hsa_spec import Attribute, Function, Prerequisite
from hsa_spec.attributes import holder, meets


def is_defined(
    session: Session, function: Function, attribute: Attribute, subject: Mapping[str, Value]
) -> bool | None:
    """Return whether an attribute is defined for an object, None where nothing says so.

    The object is asked for the attributes that this depends on.

    Args:
        session: the process.
        function: what reports the attribute.
        attribute: the attribute.
        subject: whose attribute it is: the other arguments of the function.

    Raises:
        Blocked: one of these queries does not succeed.

    """
    registry = session.registry
    needed = {wanted.attribute for group in attribute.defined_for or () for wanted in group}
    leads = {name: holder(registry, attribute, name) for name in needed}
    if None in leads.values():
        return None

    def holds(wanted: Prerequisite) -> bool:
        other, query, whose = registry.attributes[wanted.attribute], function, subject
        if function.name not in other.asked_by:
            query = registry.functions[other.asked_by[0]]
        if lead := leads[other.name]:
            handle = value_of(session, function, registry.attributes[lead], subject)
            whose = {query.params[0].name: int.from_bytes(handle, "little")}
        return meets(wanted, other, value_of(session, query, other, whose))

    return attribute.is_defined(holds)


def value_of(
    session: Session, function: Function, attribute: Attribute, subject: Mapping[str, Value]
) -> bytes:
    """Return the bytes of an attribute of an object; see `is_defined`.

    Raises:
        Blocked: the query does not succeed.

    """
    values: dict[str, Value] = dict(subject)
    for parameter in function.params:
        if parameter.direction == "out":
            values[parameter.name] = Out()
        elif parameter.role == "attribute":
            values[parameter.name] = session.registry.constants[attribute.name]
    with session.trace.paused():
        answer = session.set_up(function.name, **values)
    return next(iter(answer.outputs.values())) or b""
