"""What texts that differ make of a call, and what follows from them for the clause.

A contested clause says in `contested` what each text answers. Its `status` has the answers of all
of them, and its `source` is the first text, so neither is written. The word `anything` stands for
the answer of a text that leaves the call undefined.

One contest is implied: a handle that no call returned, alone or in a list, or 0 where no text that
binds the function reserves it. The function's text has a status for it, or hsa.h; the HSA
Foundation's specification lets an implementation validate objects or not, and says nothing of calls
that do not. So each clause that `should` hold for such a handle is contested.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hsa_spec.defaults.facts import status_name
from hsa_spec.defaults.sources import completed_source
from hsa_spec.defaults.subject import Subject
from hsa_spec.model import ANYTHING

_LENIENT: Mapping[str, Any] = {
    "specification": "2.2 Runtime Notifications",
    "note": "the implementation need not validate objects",
    "status": ANYTHING,
}
#: Terms about each handle of a list, or about one that is pointed to.
_LISTED = frozenset(
    (
        "agents_listed",
        "agents_valid",
        "dependencies_valid",
        "descriptors_agents_valid",
        "points_at_image",
        "points_to_agent",
        "signals_valid",
    )
)
_INVALID = re.compile(r"^not (?P<term>\w+)\(")
_ZERO = re.compile(r"^(?P<name>\w+) == 0$")


def completed_readings(
    readings: Sequence[Mapping[str, Any]], subject: Subject
) -> list[dict[str, Any]]:
    """Return the readings of a clause with whole names of statuses, and with headers."""
    return [_completed(reading, subject) for reading in readings]


def implied_readings(clause: Mapping[str, Any], subject: Subject) -> list[dict[str, Any]]:
    """Return the readings of a clause about a handle that no call returned; none for others.

    Args:
        clause: a clause with its conditions, statuses, strength and source.
        subject: its function.

    """
    if clause["strength"] != "should" or not clause.get("status"):
        return []
    if not any(_about_unvalidated(condition, subject) for condition in clause.get("when", ())):
        return []
    readings = [{**clause["source"], "status": clause["status"]}, _LENIENT]
    return completed_readings(readings, subject)


def _about_unvalidated(condition: str, subject: Subject) -> bool:
    if found := _INVALID.match(condition):
        types = {invalid.unless for invalid in subject.facts.invalid.values()}
        return found["term"] in _LISTED | types
    found = _ZERO.match(condition)
    named = (p for p in subject.params if found and p["name"] == found["name"])
    return any(subject.invalid(p) and not subject.reserves_zero(p) for p in named)


def answers(readings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the statuses of all readings, each once."""
    said = (r["status"] for r in readings if r.get("status", ANYTHING) != ANYTHING)
    return list(dict.fromkeys(status for statuses in said for status in statuses))


def text_of(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the text that a reading is of, without its answer."""
    return {key: value for key, value in reading.items() if key not in ("status", "states")}


def _completed(reading: Mapping[str, Any], subject: Subject) -> dict[str, Any]:
    answer = {key: value for key, value in reading.items() if key in ("status", "states")}
    status = answer.get("status", ANYTHING)
    if status != ANYTHING:
        statuses = [status] if isinstance(status, str) else status
        answer["status"] = [status_name(s) for s in statuses]
    return {**completed_source(text_of(reading), subject), **answer}
