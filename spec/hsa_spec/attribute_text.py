"""What the registry says of an attribute, as English."""

from __future__ import annotations

from hsa_spec.attributes import clauses_about
from hsa_spec.model import Attribute, DecidedBy, Prerequisite, Registry

_VERBS = {"flags": "has", "positions": "has"}


def condition(attribute: Attribute, registry: Registry) -> str:
    """Return for which objects an attribute is defined, or nothing where it is for all."""
    if attribute.platform is not None:
        return f"on {attribute.platform.capitalize()} only"
    if attribute.defined_for is None:
        return "not for all; the text does not say for which"
    return ", or ".join(
        " and ".join(_wanted(wanted, registry) for wanted in group)
        for group in attribute.defined_for
    )


def elsewhere(attribute: Attribute) -> str:
    """Return what happens for other objects, or nothing where there are none."""
    match attribute.elsewhere:
        case None:
            return ""
        case "undefined":
            return "the value is undefined"
        case "unstated":
            return "the text does not say"
        case str() as status:
            return f"the call answers {status}"
        case number:
            return f"the value is {number}"


def number(attribute: Attribute) -> str:
    """Return what the value counts or names, or nothing where its type says it."""
    if attribute.unit is not None:
        return attribute.unit
    kinds = {
        "flags": f"flags of {attribute.named_by}",
        "positions": f"a bit for each {attribute.named_by}",
        "elements": f"an element for each {attribute.named_by}",
    }
    named = attribute.named_by if attribute.named_by != attribute.type else None
    return kinds.get(attribute.read_as or "", named or "")


def how_long(attribute: Attribute) -> str:
    """Return how many elements there are, or nothing where the type says it."""
    if attribute.length is None:
        return ""
    return f"as many as {attribute.length} says{', and a NUL byte' * attribute.terminated}"


def decided(attribute: Attribute) -> str:
    """Return who decides the value, who did, and who else may refuse to tell it."""
    past = (f"; {versions}: the {who}" for versions, who in attribute.earlier)
    refused = attribute.refused_by is not DecidedBy.RUNTIME
    query = f"; the query is refused where the {attribute.refused_by} refuses it" * refused
    return f"the {attribute.decided_by}{''.join(past)}{query}"


def lines(attribute: Attribute, registry: Registry) -> list[str]:
    """Return what the registry says of an attribute, as lines for people."""
    facts = {
        "of": attribute.of.replace("_", " "),
        "type": attribute.type,
        "number": number(attribute),
        "length": how_long(attribute),
        "asked by": ", ".join(attribute.asked_by),
        "set by": ", ".join(attribute.set_by),
        "defined": condition(attribute, registry) or "always",
        "elsewhere": elsewhere(attribute),
        "decided by": decided(attribute),
        "inferred": attribute.inferred or "",
        "checked by": ", ".join(clauses_about(registry, attribute)),
        "not checked": attribute.unchecked or "",
        "varies": attribute.varies or "",
        "exists": str(attribute.versions),
        "source": str(attribute.source),
    }
    return [attribute.name, *(f"  {name}: {text}" for name, text in facts.items() if text)]


def _wanted(wanted: Prerequisite, registry: Registry) -> str:
    other = registry.attributes[wanted.attribute]
    verb = _VERBS.get(other.read_as or "", "is")
    value = _value(wanted.value, other, registry)
    return f"{wanted.attribute} {verb}{' not' * wanted.differs} {value}"


def _value(value: int, other: Attribute, registry: Registry) -> str:
    if other.type == "bool":
        return "true" if value else "false"
    named = registry.enums[other.named_by].by_value.get(value) if other.named_by else None
    return named.name if named else str(value)
