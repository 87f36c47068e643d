"""What the registry says of one thing, as values that JSON has."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any

from hsa_spec.conditions.syntax import Atom
from hsa_spec.model import Clause, Source
from hsa_spec.sentences import sentence


def as_json(thing: object) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Return a function, clause, type or any other part of a registry as plain values.

    Members that say nothing (none, empty, false) are left out. A clause gets its English as
    `english`, its source as one line, and its conditions as they are written.

    Args:
        thing: a part of a registry; numbers and texts are returned as they are.

    """
    match thing:
        case Atom(text, _):
            return text
        case Source() | StrEnum():
            return str(thing)
        case Clause():
            return {**_members(thing), "english": sentence(thing)}
        case dict():
            return {str(key): as_json(value) for key, value in thing.items()}
        case tuple() | list():
            return [as_json(value) for value in thing]
        case _:
            return _members(thing) if is_dataclass(thing) else thing


def _members(thing: Any) -> dict[str, Any]:  # noqa: ANN401 - any of the model's classes
    members = {f.name: getattr(thing, f.name) for f in fields(thing)}
    # The number 0 says something, and would equal False.
    said = {n: as_json(v) for n, v in members.items() if v is not None and v is not False}
    return {name: value for name, value in said.items() if value not in ("", [], {})}
