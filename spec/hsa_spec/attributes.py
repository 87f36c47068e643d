"""From a document of attributes to what the registry keeps of each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hsa_spec.clauses import versions
from hsa_spec.defaults.relations import asking, relations_of
from hsa_spec.documents import Document
from hsa_spec.model import (
    Attribute,
    DecidedBy,
    Enum,
    Enumerator,
    Function,
    Kind,
    Prerequisite,
    Registry,
    Relation,
    Source,
)
from hsa_spec.releases import Release

#: What a document says of all its attributes where they do not say it of themselves.
_COMMON = (
    "asked_by",
    "set_by",
    "decided_by",
    "refused_by",
    "defined_for",
    "elsewhere",
)


def built_attributes(
    document: Document, enums: Mapping[str, Enum], deprecated: Mapping[str, bool]
) -> Iterator[Attribute]:
    """Yield the attributes that a document describes.

    Args:
        document: describes the attributes of one enumeration.
        enums: the enumerations of the registry, by name.
        deprecated: whether each function of the registry is deprecated.

    Raises:
        RegistryError: it names an enumeration, or an enumerator of it, that there is not.

    """
    data = document.data
    enum = enums.get(data["attributes"])
    if enum is None:
        raise document.error(["attributes"], f"there is no enum {data['attributes']}")
    enumerators = {e.name: e for e in enum.enumerators}
    values = {e.name: e.value for one in enums.values() for e in one.enumerators}
    common = {key: data[key] for key in _COMMON if key in data}
    for name, written in data["values"].items():
        if name not in enumerators:
            raise document.error(["values", name], f"{name} is not in {enum.name}")
        facts = {**common, **written}
        if facts.get("defined_for") == "all":
            facts = {k: v for k, v in facts.items() if k not in ("defined_for", "elsewhere")}
        for group in _groups(facts):
            for other, wanted in group.items():
                known = other in values and (isinstance(wanted, int) or _name(wanted) in values)
                if not known:
                    raise document.error(["values", name], f"{name}: no {other} or {wanted} here")
        if facts["type"] in enums:
            facts.setdefault("named_by", facts["type"])
        relations = _relations(name, facts, deprecated)
        yield _attribute(data["of"], enum, enumerators[name], facts, values, relations)


def holder(registry: Registry, attribute: Attribute, other: str) -> str | None:
    """Return how another attribute is reached from the object of one.

    Args:
        registry: the specification.
        attribute: whose object is asked.
        other: the attribute to be reached.

    Returns:
        An empty text where it is of the same object; else the attribute of the object whose value
        is the handle of the object that has it; None where nothing leads there.

    """
    wanted = registry.attributes[other]
    if wanted.of == attribute.of:
        return ""
    handle = f"hsa_{wanted.of}_t"
    leads = (a for a in registry.attributes.values() if a.of == attribute.of and a.type == handle)
    return next((a.name for a in leads), None)


def asked_through(registry: Registry, attribute: Attribute) -> Function:
    """Return which of the functions that report an attribute is asked, and has its clauses."""
    functions = registry.functions
    deprecated = {n: functions[n].deprecated is not None for n in attribute.asked_by}
    return functions[asking(attribute.asked_by, deprecated) or attribute.asked_by[0]]


def clauses_about(registry: Registry, attribute: Attribute) -> list[str]:
    """Return the ids of the effects that say what the value of an attribute is."""
    found = [relation.clause for relation in attribute.relations]
    found += [attribute.checked_by] if attribute.checked_by else []
    word = re.compile(rf"\b{attribute.name}\b")
    found += (
        clause.id
        for clause in registry.clauses.values()
        if clause.kind is Kind.EFFECT
        and (clause.source.section == attribute.name or word.search(clause.states))
    )
    return list(dict.fromkeys(found))


def decided_by(attribute: Attribute, release: Release) -> DecidedBy:
    """Return who decides the value of an attribute in a release."""
    past = (who for bounds, who in attribute.earlier if release.has(bounds))
    return next(past, attribute.decided_by)


def meets(wanted: Prerequisite, attribute: Attribute, value: bytes) -> bool:
    """Return whether the value of an attribute is as wanted.

    Args:
        wanted: what the value has to be.
        attribute: the one that it is about.
        value: the bytes that a query wrote.

    """
    number = int.from_bytes(value, "little")
    match attribute.read_as:
        case "flags":
            found = number & wanted.value == wanted.value
        case "positions":
            found = bool(number >> wanted.value & 1)
        case _:
            found = number == wanted.value
    return found is not wanted.differs


def _relations(
    name: str, facts: Mapping[str, Any], deprecated: Mapping[str, bool]
) -> tuple[Relation, ...]:
    function = asking(facts.get("asked_by", ()), deprecated)
    return tuple(
        Relation(f"{function}/{slug}", relation["holds"], relation.get("where", ""))
        for slug, relation in relations_of(name, facts)
    )


def _attribute(
    of: str,
    enum: Enum,
    enumerator: Enumerator,
    facts: Mapping[str, Any],
    values: Mapping[str, int],
    relations: tuple[Relation, ...],
) -> Attribute:
    silent = facts.get("defined_for") == "unstated"
    groups = (tuple(_wanted(*item, values) for item in group.items()) for group in _groups(facts))
    return Attribute(
        name=enumerator.name,
        enum=enum.name,
        of=of,
        type=facts["type"],
        asked_by=tuple(facts.get("asked_by", ())),
        set_by=tuple(facts.get("set_by", ())),
        unit=facts.get("unit"),
        named_by=facts.get("named_by"),
        read_as=facts.get("read_as", "value" if "named_by" in facts else None),
        length=facts.get("length"),
        terminated=facts.get("terminated", False),
        defined_for=None if silent else tuple(groups),
        elsewhere=_elsewhere(facts.get("elsewhere")),
        platform=facts.get("platform"),
        decided_by=DecidedBy(facts.get("decided_by", "runtime")),
        inferred=facts.get("inferred"),
        source=Source(enum.header, enumerator.name),
        versions=enumerator.versions,
        earlier=tuple((versions(e), DecidedBy(e["decided_by"])) for e in facts.get("earlier", ())),
        refused_by=DecidedBy(facts.get("refused_by", "runtime")),
        relations=relations,
        unchecked=facts.get("unchecked"),
        checked_by=facts.get("checked_by"),
        varies=facts.get("varies"),
    )


def _groups(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    written = facts.get("defined_for", [])
    return written if isinstance(written, list) else []


def _name(wanted: str) -> str:
    return wanted.removeprefix("not ")


def _wanted(attribute: str, wanted: str | int, values: Mapping[str, int]) -> Prerequisite:
    if isinstance(wanted, int):
        return Prerequisite(attribute, int(wanted))
    return Prerequisite(attribute, values[_name(wanted)], wanted != _name(wanted))


def _elsewhere(written: str | int | None) -> str | int | None:
    is_status = isinstance(written, str) and written.isupper()
    return f"HSA_STATUS_{written}" if is_status else written
