"""From the completed document of a rule to what the registry keeps of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hsa_spec.clauses import effect_clause, source_of
from hsa_spec.documents import Document
from hsa_spec.model import ANYTHING, Attribute, Rule, Statement, Strength, Transition


def built_rule(document: Document, topic: str, attributes: Mapping[str, Attribute]) -> Rule:
    """Return the rule that a document describes.

    Args:
        document: the rule, completed.
        topic: the path of the document.
        attributes: what queries report, by name.

    """
    data = document.data
    clauses = [
        effect_clause(data["rule"], slug, clause["about"], clause, attributes)
        for slug, clause in data.get("clauses", {}).items()
        if "judged_by" not in clause
    ]
    return Rule(
        data["rule"],
        topic,
        data["header"],
        data["about"],
        data["summary"],
        tuple(_statements(data)),
        tuple(clauses),
        data.get("states", {}),
        tuple(_transition(step) for step in data.get("transitions", ())),
    )


def _statements(data: Mapping[str, Any]) -> Iterator[Statement]:
    for slug, clause in data.get("clauses", {}).items():
        judges = clause.get("judged_by", f"{data['rule']}/{slug}")
        yield Statement(
            slug,
            clause["states"],
            Strength(clause["strength"]),
            source_of(clause["source"], clause["about"]),
            (judges,) if isinstance(judges, str) else tuple(judges),
        )


def _transition(step: Mapping[str, Any]) -> Transition:
    anything = "event" in step or step["status"] == ANYTHING
    return Transition(
        tuple(step["from"]),
        tuple(step.get("by", ())),
        step.get("event"),
        () if anything else tuple(step["status"]),
        step.get("to"),
        tuple(step["judged_by"]),
    )
