"""Actions, values and demands as JSON: each an object that names its kind, bytes as hexadecimal."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from hsa_reports import actions, demands, operands, terms

_TYPES: tuple[type, ...] = (
    *(operands.Number, operands.Agent, operands.Pool, operands.Listed, operands.Named),
    *(operands.Taken, operands.Memory, operands.Output, operands.Before, operands.Callback),
    operands.InnerCall,
    *(actions.Call, actions.Given, actions.Read, actions.Write, actions.OpenFile, actions.Close),
    *(actions.Send, actions.LookUp, actions.Start, actions.Join, actions.Refuse),
    *(actions.SetVariable, actions.Interrupt, actions.Fork, actions.End, actions.Together),
    actions.Litmus,
    *(demands.Answers, demands.Survives, demands.Fills, demands.StaysWithin, demands.Gives),
    *(demands.Returns, demands.Shows, demands.Permits, demands.Exports, demands.KeepsNothing),
    *(demands.AsAlone, demands.InheritsNothing, demands.LeavesAlone),
    *(demands.Holds, terms.Held, terms.Counted, terms.Apply),
)


def _kind(of: type) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", of.__name__).lower()


_KINDS = {_kind(of): of for of in _TYPES}


def encoded(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Return an action, a value or a demand, or a part of one, in JSON's own types."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, tuple):
        return [encoded(member) for member in value]
    if is_dataclass(value):
        members = {f.name: encoded(getattr(value, f.name)) for f in fields(value)}
        return {"kind": _kind(type(value)), **members}
    return value


def decoded(document: object) -> Any:  # noqa: ANN401 - an action, a value, a demand or a part
    """Return what `encoded` was given; the document agrees with the schema."""
    if isinstance(document, list):
        return tuple(decoded(member) for member in document)
    if not isinstance(document, dict):
        return document
    if "hex" in document:
        return bytes.fromhex(document["hex"])
    members = {name: decoded(member) for name, member in document.items() if name != "kind"}
    return _KINDS[document["kind"]](**members)
