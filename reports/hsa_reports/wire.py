"""Events as the JSON objects of the published schema, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from hsa_reports.actions import Action
from hsa_reports.actions_wire import decoded, encoded
from hsa_reports.compiled_schema import compiled
from hsa_reports.demands import Demand
from hsa_reports.events import Event, Judged, Notice, RunEnded, RunStarted, Shard
from hsa_reports.failure import AllowedStatus, Failure, Step, TextReading
from hsa_reports.place import Place
from hsa_reports.programs import ProgramRun
from hsa_reports.result import Result, ValueResult
from hsa_reports.subject import Subject
from hsa_reports.text import scrubbed
from hsa_reports.verdicts import Verdict

SCHEMA = 1
"""The version of the event file that this package writes and reads."""

_NAMES: dict[type[Event], str] = {
    RunStarted: "run",
    Result: "result",
    Notice: "notice",
    Judged: "judged",
    RunEnded: "end",
}


def to_json(event: Event) -> dict[str, Any]:
    """Return the event as the JSON object that stands in the file.

    Raises:
        ValueError: the event breaks the published schema; the message says where.

    """
    document = _document(event)
    _validate(document)
    return document


def from_json(document: object, *, clean: bool = False) -> Event:
    """Return the event that a JSON object stands for.

    Args:
        document: the object, in JSON's own types.
        clean: all text in it is text that UTF-8 can hold.

    Raises:
        ValueError: the object breaks the published schema; the message says where.

    """
    if not clean:
        document = _plain(document)
    _validate(document)
    assert isinstance(document, dict)
    return _event(document)


def packed(event: Event) -> str:
    """Return the event as text for another process of the same run; see `unpacked`.

    Nobody checks it on the way: whoever writes it to a file does.
    """
    return json.dumps(_document(event))


def unpacked(text: str) -> Event:
    """Return the event that `packed` made text of."""
    return _event(json.loads(text))


def _document(event: Event) -> dict[str, Any]:
    version = {"schema": SCHEMA} if isinstance(event, RunStarted) else {}
    return {"event": _NAMES[type(event)], **version, **_plain(event)}


def _event(document: dict[str, Any]) -> Event:
    members = {name: value for name, value in document.items() if name not in ("event", "schema")}
    match document["event"]:
        case "run":
            subject = members["subject"]
            claims = subject.get("claims")
            lists = {
                "exports": tuple(subject["exports"]),
                "claims": None if claims is None else tuple(claims),
            }
            members["subject"] = Subject(**{**subject, **lists})
            members["started"] = datetime.fromisoformat(members["started"])
            members["command"] = tuple(members["command"])
            members["clauses"] = tuple(members["clauses"])
            members["narrowed"] = tuple(members.get("narrowed", ()))
            members["unlisted"] = tuple(members.get("unlisted", ()))
            if shard := members.get("shard"):
                members["shard"] = Shard(**{**shard, "others": tuple(shard["others"])})
            return RunStarted(**members)
        case "result":
            members["verdict"] = Verdict(members["verdict"])
            members["known"] = members.get("known") and Verdict(members["known"])
            if "cause" not in members:
                members["cause"] = _named_cause(members["reason"])
            members["failure"] = members["failure"] and _failure(members["failure"])
            members["values"] = tuple(ValueResult(**tried) for tried in members.get("values", ()))
            return Result(**members)
        case "notice":
            return Notice(**members)
        case "judged":
            members["strays"] = tuple(members["strays"])
            return Judged(**members)
        case _:
            members["finished"] = datetime.fromisoformat(members["finished"])
            return RunEnded(**members)


def _named_cause(reason: str | None) -> str | None:
    """Return the cause with which a baseline's reason ends; older versions have it there alone."""
    named = re.search(r"(?:^|; )known: .* \(([a-z0-9-]+)\)$", reason or "")
    return named[1] if named else None


def _failure(members: dict[str, Any]) -> Failure:
    steps = tuple(
        Step(**{**step, "action": decoded(step.get("action"))}) for step in members["steps"]
    )
    allowed = tuple(AllowedStatus(a["status"], tuple(a["clauses"])) for a in members["allowed"])
    readings = tuple(TextReading(**reading) for reading in members.get("readings", ()))
    ran, place = members.get("ran"), members.get("place")
    also = tuple(members.get("also", ()))
    lists = {"steps": steps, "allowed": allowed, "readings": readings, "also": also}
    more = {"ran": ran and ProgramRun(**ran), "place": place and Place(**place)}
    return Failure(**{**members, **lists, **more, "demand": decoded(members.get("demand"))})


def _plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value in JSON's own types, with text that UTF-8 can hold."""
    if isinstance(value, Action | Demand):
        value = encoded(value)
    if isinstance(value, str):
        return scrubbed(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {scrubbed(str(name)): _plain(member) for name, member in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(member) for member in value]
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value


def _validate(document: Any) -> None:  # noqa: ANN401 - any JSON value
    if isinstance(document, dict) and document.get("schema", SCHEMA) != SCHEMA:
        raise ValueError(
            f"event files of schema {document['schema']} are read by another version of "
            f"hsa-conformance; this one reads schema {SCHEMA}"
        )
    kind = _kind(document)
    if kind is not None and _holds(kind, document):
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(_schema(kind)).iter_errors(document))
    if error is not None:
        where = "/".join(str(part) for part in error.absolute_path)
        raise ValueError(f"{where}: {error.message}" if where else error.message)


def _kind(document: Any) -> str | None:  # noqa: ANN401 - any JSON value
    """Return what the event says that it is, if there is such an event."""
    kind = document.get("event") if isinstance(document, dict) else None
    return kind if kind in _NAMES.values() else None


def _holds(kind: str, document: object) -> bool:
    """Return whether an event is as the schema has it.

    A run has thousands of events, of which hardly one is ever wrong, and this takes a tenth of the
    time that it takes to say why.
    """
    from fastjsonschema import JsonSchemaValueException

    try:
        _compiled(kind)(document)
    except JsonSchemaValueException:
        return False
    return True


@cache
def _compiled(kind: str) -> Callable[[object], object]:
    return compiled(_schema(kind))


@cache
def _schema(kind: str | None) -> dict[str, Any]:
    """Return the schema of an event of a kind, without the other kinds."""
    text = files("hsa_reports").joinpath("events.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema if kind is None else {"$defs": schema["$defs"], "$ref": f"#/$defs/{kind}"}
