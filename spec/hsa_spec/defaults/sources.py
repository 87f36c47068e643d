"""Completes the place that a clause or a reading comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hsa_spec.defaults.facts import status_name
from hsa_spec.defaults.subject import Subject


def completed_source(given: Mapping[str, Any], subject: Subject) -> dict[str, Any]:
    """Return a source with the whole name of its status, and with the header that it is in."""
    source = dict(given)
    if {"specification", "documentation", "convention"} & set(source):
        return source
    if "retval" in source:
        source["retval"] = status_name(source["retval"])
    named = source.get("function") or source.get("enumerator") or source.get("field")
    name = str(named).partition(".")[0]
    source.setdefault("header", subject.facts.headers.get(name, subject.header))
    return source
