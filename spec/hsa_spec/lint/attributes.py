"""Checks what info queries report: each enumerator described, each type and condition sound."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsa_spec.attributes import clauses_about, holder
from hsa_spec.layout import resolved, size_of
from hsa_spec.lint.finding import Finding, about_attribute, about_declaration
from hsa_spec.model import Attribute, Enum, Registry
from hsa_spec.relations import FACTS, RelationError
from hsa_spec.relations import check as checked

#: Types whose values are plain numbers, which need a unit or names.
_NUMBER = re.compile(r"(u?int\d*_t|int|size_t)(\[\d+\])?")
#: A name that only makes the C type wide enough.
_NO_ATTRIBUTE = "_LAST"


def check(registry: Registry) -> Iterator[Finding]:
    """Yield what is wrong with the attributes of each enumeration."""
    for enum in registry.enums.values():
        for message in _missing(registry, enum):
            yield about_declaration(registry, enum, "attribute", message)
    for attribute in registry.attributes.values():
        for message in (
            *_type(registry, attribute),
            *_functions(registry, attribute),
            *_length(registry, attribute),
            *_condition(registry, attribute),
            *_relations(registry, attribute),
            *_looked_at(registry, attribute),
        ):
            yield about_attribute(registry, attribute, message)


def _missing(registry: Registry, enum: Enum) -> Iterator[str]:
    described = [e.name in registry.attributes for e in enum.enumerators]
    asked = any(
        p.role == "attribute" and p.type == enum.name
        for function in registry.functions.values()
        for p in function.params
    )
    if not asked and not any(described):
        return
    for enumerator, known in zip(enum.enumerators, described, strict=True):
        if not known and not enumerator.name.endswith(_NO_ATTRIBUTE):
            yield f"{enumerator.name} of an info query has no attribute"


def _type(registry: Registry, attribute: Attribute) -> Iterator[str]:
    element = attribute.type.removesuffix("[]")
    try:
        size_of(element, registry)
    except KeyError as error:
        yield str(error.args[0])
        return
    number = _NUMBER.fullmatch(resolved(element, registry))
    explained = attribute.unit is not None or attribute.named_by is not None
    if number and not explained:
        yield "a number needs a unit, or an enumeration that names its values"
    if attribute.unit is not None and attribute.named_by is not None:
        yield "has a unit and names, and needs one of them"
    if attribute.named_by is not None and attribute.named_by not in registry.enums:
        yield f"there is no enum {attribute.named_by}"


def _functions(registry: Registry, attribute: Attribute) -> Iterator[str]:
    named = (*attribute.asked_by, *attribute.set_by)
    if not named:
        yield "no function reports or sets it"
    for function in named:
        if function not in registry.functions:
            yield f"there is no function {function}"


def _length(registry: Registry, attribute: Attribute) -> Iterator[str]:
    if attribute.type.endswith("[]") != attribute.open_ended:
        yield "an array without a number has a length, and nothing else has"
    if attribute.length is None:
        return
    counts = registry.attributes.get(attribute.length)
    if counts is None or counts.of != attribute.of:
        yield f"its length {attribute.length} is no attribute of the same object"


def _condition(registry: Registry, attribute: Attribute) -> Iterator[str]:
    limited = attribute.defined_for != ()
    if limited != (attribute.elsewhere is not None):
        yield "what is not defined for each object says what happens elsewhere, and nothing else"
    status = str(attribute.elsewhere)
    if status.startswith("HSA_") and status not in registry.constants:
        yield f"there is no status {status}"
    for group in attribute.defined_for or ():
        for wanted in group:
            if wanted.attribute not in registry.attributes:
                yield f"{wanted.attribute} is no attribute"
            elif holder(registry, attribute, wanted.attribute) is None:
                yield f"{wanted.attribute} is of no object that this one leads to"


def _relations(registry: Registry, attribute: Attribute) -> Iterator[str]:
    for relation in attribute.relations:
        try:
            named = [
                name for text in (relation.holds, relation.where) if text for name in checked(text)
            ]
        except RelationError as error:
            yield str(error)
            continue
        if not any(name.partition(".")[0] == "value" for name in checked(relation.holds)):
            yield f"{relation.holds!r} asks for no value"
        for name in named:
            first, dot, _ = name.partition(".")
            fact = bool(dot) and first in FACTS
            if not fact and first not in ("value", "others") and name not in registry.constants:
                yield f"{relation.holds!r}: nothing is called {name}"


def _looked_at(registry: Registry, attribute: Attribute) -> Iterator[str]:
    about = clauses_about(registry, attribute)
    if bool(about) == bool(attribute.unchecked):
        yield (
            "is checked, and says why it is not"
            if about
            else "no clause is about it: say in unchecked why, or in checked_by which one is"
        )
    if attribute.checked_by and attribute.checked_by not in registry.clauses:
        yield f"there is no clause {attribute.checked_by}"
