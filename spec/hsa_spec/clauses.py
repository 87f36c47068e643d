"""From the completed document of a function to its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hsa_spec.conditions.syntax import Atom, Vocabulary, parse
from hsa_spec.documents import Document
from hsa_spec.errors import ConditionError
from hsa_spec.model import (
    ANYTHING,
    CONVENTION,
    CONVENTIONS,
    DOCUMENTATION,
    NEVER,
    SPECIFICATION,
    Attribute,
    Clause,
    DecidedBy,
    Kind,
    Reading,
    Source,
    Strength,
    Versions,
)


def built_clauses(
    document: Document, vocabulary: Vocabulary, attributes: Mapping[str, Attribute]
) -> Iterator[Clause]:
    """Yield the clauses of a function, first that it is exported.

    Args:
        document: the function, completed.
        vocabulary: the names that its conditions may use.
        attributes: what queries report, by name.

    Raises:
        RegistryError: a condition is not in the language, or a name is used twice.

    """
    exported = document.data["export"] == "linker"
    if exported:
        yield _export_clause(document.data["function"], document.data["header"])
    for slug in document.data["clauses"]:
        if exported and slug == "exported":
            raise document.error(["clauses", slug], f"{slug!r} is used twice")
        function, data = document.data["function"], document.data["clauses"][slug]
        when = _conditions(document, ("clauses", slug), data.get("when", ()), vocabulary)
        yield _clause(f"{function}/{slug}", function, data, tuple(when), attributes)


def versions(data: Mapping[str, Any]) -> Versions:
    """Return the releases that a part of a document is about."""
    since, until = data.get("since", {}), data.get("until", {})
    never = since.get("rocm") == NEVER
    return Versions(
        since.get("amd_interface"),
        None if never else since.get("rocm"),
        until.get("rocm"),
        until.get("amd_interface"),
        since.get("hsa"),
        until.get("hsa"),
        never,
    )


def effect_clause(
    subject: str,
    slug: str,
    function: str,
    data: Mapping[str, Any],
    attributes: Mapping[str, Attribute],
) -> Clause:
    """Return a clause that has no conditions.

    Args:
        subject: whose clause it is: a function, or a rule.
        slug: its name there.
        function: the function that it is about.
        data: what the completed document says.
        attributes: what queries report, by name.

    """
    return _clause(f"{subject}/{slug}", function, data, (), attributes)


def _clause(
    identifier: str,
    function: str,
    data: Mapping[str, Any],
    when: tuple[Atom, ...],
    attributes: Mapping[str, Attribute],
) -> Clause:
    strength = Strength(data["strength"])
    judged = {"when", "status"} & set(data)
    is_status = judged or strength is Strength.UNDEFINED
    source = source_of(data["source"], function)
    about = None if is_status else attributes.get(source.section)
    return Clause(
        id=identifier,
        function=function,
        kind=Kind.STATUS if is_status else Kind.EFFECT,
        strength=strength,
        decided_by=DecidedBy(data.get("decided_by", about.decided_by if about else "runtime")),
        when=when,
        status=tuple(data.get("status", ())),
        states=data.get("states", ""),
        source=source,
        contested=tuple(_reading(r, function) for r in data.get("contested", ())),
        untestable=data.get("untestable"),
        needs=tuple(data.get("needs", ())),
        versions=versions(data),
    )


def _conditions(
    document: Document, place: Sequence[str], texts: Sequence[str], vocabulary: Vocabulary
) -> Iterator[Atom]:
    for text in texts:
        try:
            yield parse(text, vocabulary)
        except ConditionError as error:
            raise document.error([*place, "when", text], str(error)) from None


def _export_clause(function: str, header: str) -> Clause:
    return Clause(
        id=f"{function}/exported",
        function=function,
        kind=Kind.EXPORT,
        strength=Strength.MUST,
        decided_by=DecidedBy.RUNTIME,
        when=(),
        status=(),
        states=f"The library exports {function}.",
        source=Source(header, f"{function}, declaration"),
    )


def _reading(data: Mapping[str, Any], function: str) -> Reading:
    status = () if data.get("status") == ANYTHING else tuple(data.get("status", ()))
    return Reading(source_of(data, function), status, data.get("states", ""))


def source_of(data: Mapping[str, Any], function: str) -> Source:
    """Return where a clause comes from.

    Args:
        data: what the completed document says of it.
        function: the function that is meant where it names none.

    """
    subject = data.get("function", function)
    match data:
        case {"retval": status}:
            section = f"{subject}, @retval {status}"
        case {"param": name}:
            section = f"{subject}, @param {name}"
        case {"enumerator": name}:
            section = str(name)
        case {"field": name}:
            section = str(name)
        case {"specification": title}:
            return Source(SPECIFICATION, str(title), data.get("note"))
        case {"documentation": page}:
            return Source(DOCUMENTATION, str(page), data.get("note"))
        case {"convention": name}:
            return Source(CONVENTION, CONVENTIONS[name], data.get("note"))
        case _:
            section = f"{subject}, {data['text']}"
    return Source(data["header"], section, data.get("note"))
