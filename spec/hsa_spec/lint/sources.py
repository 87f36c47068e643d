"""Checks that the sources of clauses name something that exists, and that binds as they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hsa_spec.lint.finding import Finding, about_clause, about_declaration, about_rule
from hsa_spec.model import (
    CONVENTION,
    CONVENTIONS,
    DOCUMENTATION,
    SPECIFICATION,
    Kind,
    Registry,
    Source,
    Strength,
)
from hsa_spec.specification import sections

_SECTION = re.compile(r"^(?P<subject>\w+), (?P<part>@retval|@param|\w+)(?: (?P<name>\w+))?$")


def check(registry: Registry) -> Iterator[Finding]:
    """Yield the sources that lead nowhere."""
    headers = {
        d.name: d.header
        for table in (registry.functions, registry.structs, registry.callbacks, registry.enums)
        for d in table.values()
    }
    for clause in registry.clauses.values():
        if clause.kind is Kind.EXPORT:
            continue
        if clause.source.header == CONVENTION and clause.strength is Strength.MUST:
            yield about_clause(registry, clause, "strength", "a convention is no text: `should`")
        for source in dict.fromkeys((clause.source, *(r.source for r in clause.contested))):
            for message in _problems(registry, headers, source):
                yield about_clause(registry, clause, "source", message)
        texts = {reading.source.section for reading in clause.contested}
        declared = clause.source.section.endswith(", declaration")  # where no text lists a status
        if texts and clause.source.section not in texts and not declared:
            yield about_clause(registry, clause, "source", "it is no text of a reading")
        retval = clause.source.section.partition(", @retval ")[2]
        if retval and clause.status and retval not in clause.status:
            message = f"the source is about {retval}, which the clause does not give"
            yield about_clause(registry, clause, "source", message)
    yield from _of_kept_memory(registry, headers)
    for rule in registry.rules.values():
        own = {clause.id for clause in rule.clauses}
        for statement in (s for s in rule.statements if own.isdisjoint(s.judged_by)):
            for message in _problems(registry, headers, statement.source):
                keys = ("clauses", statement.slug)
                yield about_rule(registry, rule, keys, "source", message)


def _of_kept_memory(registry: Registry, headers: dict[str, str]) -> Iterator[Finding]:
    for function in registry.functions.values():
        for source in (p.kept for p in function.params if p.kept):
            for message in _problems(registry, headers, source):
                yield about_declaration(registry, function, "source", message)


def _problems(registry: Registry, headers: dict[str, str], source: Source) -> Iterator[str]:
    if source.header == CONVENTION and source.section not in CONVENTIONS.values():
        yield f"there is no convention {source.section}"
    if source.header == SPECIFICATION and source.section not in sections():
        yield f"the specification has no section {source.section!r}"
    if source.header in (SPECIFICATION, DOCUMENTATION, CONVENTION):
        return
    found = _SECTION.match(source.section)
    if found is None:
        yield from _member(registry, source)
        return
    subject, part, name = found["subject"], found["part"], found["name"]
    if subject not in headers:
        yield f"the source names {subject}, which the registry does not describe"
        return
    if headers[subject] != source.header:
        yield f"{subject} is in {headers[subject]}, not in {source.header}"
    function = registry.functions.get(subject)
    if part == "@retval" and (function is None or name not in function.documented):
        yield f"{subject} does not document {name}"
    if part == "@param" and (function is None or name not in function.parameter):
        yield f"{subject} has no parameter {name}"


def _member(registry: Registry, source: Source) -> Iterator[str]:
    """Check `structure.member`, or the name of an enumerator."""
    struct, dot, member = source.section.partition(".")
    if dot:
        described = registry.structs.get(struct)
        if described is None or member not in described.field:
            yield f"there is no member {source.section}"
        elif described.header != source.header:
            yield f"{struct} is in {described.header}, not in {source.header}"
        return
    owner = next(
        (e for e in registry.enums.values() if any(n.name == struct for n in e.enumerators)), None
    )
    if owner is None:
        yield f"there is no enumerator {struct}"
    # Several headers add to the status codes.
    elif owner.name != "hsa_status_t" and owner.header != source.header:
        yield f"{struct} is in {owner.header}, not in {source.header}"
