"""Completes the document of a rule: its clauses, and what leads from state to state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hsa_spec.defaults.complete import UNDEFINED
from hsa_spec.defaults.facts import Facts, status_name
from hsa_spec.defaults.sources import completed_source
from hsa_spec.defaults.subject import Subject
from hsa_spec.documents import Document
from hsa_spec.model import ANYTHING


def completed_rule(document: Document, facts: Facts) -> Document:
    """Return the document of a rule in full.

    Raises:
        RegistryError: it is about a function that there is not, or names an unknown status.

    """
    data = document.data
    whole = {**data}
    if "clauses" in data:
        slugs = data["clauses"]
        whole["clauses"] = {slug: _clause(document, slug, slugs[slug], facts) for slug in slugs}
    if "transitions" in data:
        count = len(data["transitions"])
        whole["transitions"] = [_step(document, index, facts) for index in range(count)]
    return replace(document, data=whole)


def _clause(
    document: Document, slug: str, written: Mapping[str, Any], facts: Facts
) -> dict[str, Any]:
    about = written.get("about", document.data["about"])
    if about not in facts.headers:
        raise document.error(["clauses", slug], f"clauses.{slug}: there is no function {about}")
    strength = "should" if "specification" in written["source"] else "must"
    clause = {"strength": strength, "about": about, **written}
    if clause["strength"] == "undefined":
        clause.setdefault("untestable", UNDEFINED)
    subject = Subject(about, facts.headers[about], "", (), (), facts)
    return {**clause, "source": completed_source(written["source"], subject)}


def _step(document: Document, index: int, facts: Facts) -> dict[str, Any]:
    step = document.data["transitions"][index]
    listed = {key: _list(step[key]) for key in ("from", "by", "judged_by") if key in step}
    if "event" in step or step.get("status") == ANYTHING:
        return {**step, **listed}
    statuses = [status_name(status) for status in _list(step.get("status", "SUCCESS"))]
    for status in statuses:
        if status not in facts.headers:
            place: list[str | int] = ["transitions", index]
            raise document.error(place, f"{status} is not a status code of this registry")
    return {**step, **listed, "status": statuses}


def _list(written: Any) -> list[str]:  # noqa: ANN401 - a text, or a list of them
    return [written] if isinstance(written, str) else list(written)
