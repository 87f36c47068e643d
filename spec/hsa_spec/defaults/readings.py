"""What texts that differ make of a call, and what follows from them for the clause.

A contested clause says in `contested` what each text answers. Its `status` has the answers of all
of them, and its `source` is the first text, so neither is written. The word `anything` stands for
the answer of a text that leaves the call undefined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hsa_spec.defaults.facts import status_name
from hsa_spec.defaults.sources import completed_source
from hsa_spec.defaults.subject import Subject
from hsa_spec.model import ANYTHING


def completed_readings(
    readings: Sequence[Mapping[str, Any]], subject: Subject
) -> list[dict[str, Any]]:
    """Return the readings of a clause with whole names of statuses, and with headers."""
    return [_completed(reading, subject) for reading in readings]


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
