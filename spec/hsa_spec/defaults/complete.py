"""Completes the document of a function: its declaration, then each of its clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hsa_spec.defaults.bodies import body
from hsa_spec.defaults.conditions import INITIALIZED, split
from hsa_spec.defaults.facts import Facts, status_name
from hsa_spec.defaults.implied_clauses import implied, order
from hsa_spec.defaults.readings import answers, completed_readings, implied_readings, text_of
from hsa_spec.defaults.sources import completed_source
from hsa_spec.defaults.subject import Subject
from hsa_spec.defaults.success import success_conditions
from hsa_spec.documents import Document

#: Why no test shows what is undefined.
UNDEFINED = "what is undefined is recorded and never judged"


def completed_function(document: Document, facts: Facts) -> Document:
    """Return the document of a function in full.

    Raises:
        RegistryError: a clause lacks what no rule implies, or has what no clause can have.

    """
    written = document.data
    data = {key: value for key, value in written.items() if key != "clauses"}
    data.setdefault("export", "linker")
    data.setdefault("params", [])
    data["documented"] = [status_name(s) for s in written.get("documented", ())]
    if "dropped" in data:
        data["dropped"] = [{**d, "status": status_name(d["status"])} for d in data["dropped"]]
    for index, status in enumerate(data["documented"]):
        _check_status(document, ["documented", index], status, facts)
    subject = Subject(
        data["function"],
        data["header"],
        data.get("result", "hsa_status_t"),
        data["params"],
        data["documented"],
        facts,
        data.get("stable", False),
    )
    data["params"] = [_parameter(p, subject) for p in data["params"]]
    return replace(document, data={**data, "clauses": _clauses(document, subject)})


def _parameter(written: Mapping[str, Any], subject: Subject) -> Mapping[str, Any]:
    if "kept" not in written:
        return written
    return {**written, "kept": completed_source(written["kept"], subject)}


def _clauses(document: Document, subject: Subject) -> dict[str, dict[str, Any]]:
    written: Mapping[str, Any] = document.data.get("clauses") or {}
    without: Sequence[str] = document.data.get("without", ())
    known = implied(subject)
    for index, slug in enumerate(without):
        if slug not in known or slug in written:
            why = "it is there" if slug in written else "nothing implies it"
            raise document.error(["without", index], f"without.{slug}: {why}")
    clauses: dict[str, dict[str, Any]] = {}
    for slug in order(written, without, subject):
        clauses[slug] = _clause(slug, written.get(slug) or {}, subject)
        for status in clauses[slug].get("status", ()):
            _check_status(document, ["clauses", slug, "status"], status, subject.facts)
    if "success" in clauses:
        others = [clause for slug, clause in clauses.items() if slug != "success"]
        success = clauses["success"]
        success["when"] = success_conditions(success.get("when", ()), others)
        if "needs" in success and "threads" in clauses:
            clauses["threads"].setdefault("needs", success["needs"])
        if "needs" in success and "same-answer" in clauses:
            clauses["same-answer"].setdefault("needs", success["needs"])
        if refused := clauses.get("driver-refuses"):
            # It is about a valid call.
            refused["needs"] = [*dict.fromkeys([*refused["needs"], *success.get("needs", ())])]
    for slug, clause in clauses.items():
        if lack := _lack(clause):
            raise document.error(["clauses", slug], f"clauses.{slug}: {lack}")
    return clauses


def _check_status(
    document: Document, place: Sequence[str | int], status: str, facts: Facts
) -> None:
    if status not in facts.headers:
        raise document.error(place, f"{status} is not a status code of this registry")


def _clause(slug: str, written: Mapping[str, Any], subject: Subject) -> dict[str, Any]:
    by_name = body(slug, written, subject)
    said = {"contested", "status"} & set(written)
    if said:  # what is written of the answer goes before all that the name says of it
        by_name = {k: v for k, v in by_name.items() if k not in ("contested", "status")}
    clause = {**by_name, **written}
    readings = completed_readings(clause.get("contested", ()), subject)
    if readings:
        clause["contested"] = readings
        if statuses := answers(readings):
            clause.setdefault("status", statuses)
    if "when" in clause:
        clause["when"] = _conditions(clause["when"], anytime=written.get("anytime", False))
    if "status" in clause:
        status = clause["status"]
        statuses = [status] if isinstance(status, str) else status
        clause["status"] = [status_name(s) for s in statuses]
    listed = all(s in subject.documented for s in clause.get("status", ()))
    clause.setdefault("strength", "must" if listed else "should")
    if clause["strength"] == "undefined":
        clause.setdefault("untestable", UNDEFINED)
    source = by_name.get("source", {})
    if listed and len(clause.get("status", ())) == 1:
        source = {"retval": clause["status"][0]}
    if readings:
        source = text_of(readings[0])
    given = written.get("source", source)
    if set(given) == {"note"}:
        given = {**source, **given}
    if given:
        clause["source"] = completed_source(given, subject)
        if not readings and (implied_ones := implied_readings(clause, subject)):
            clause["contested"] = implied_ones
    return clause


def _conditions(written: str | Sequence[str], *, anytime: bool) -> list[str]:
    conditions = split(written)
    said = anytime or any(INITIALIZED in c for c in conditions)
    return conditions if said else [INITIALIZED, *conditions]


def _lack(clause: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a clause that is as complete as the rules make it."""
    needed: tuple[str, ...]
    effect = "states" in clause and not {"when", "status"} & set(clause)
    if clause["strength"] == "undefined":
        needed = ("states", "source")
    elif effect:
        needed = ("source",)
    else:
        needed = ("when", "status", "source")
    if set(clause.get("source", ())) == {"header", "note"}:
        return "source: a note alone, and no rule implies the rest"
    missing = next((key for key in needed if key not in clause), None)
    return f"{missing!r} is a required property here; no rule implies it" if missing else None
