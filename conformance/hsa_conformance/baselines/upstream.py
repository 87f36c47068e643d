"""Reads what a library's own project has about defects."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hsa_reports import Upstream
from hsa_reports.upstream import Kind, State
from hsa_spec.schema import breach
from hsa_spec.yaml_file import read_yaml

SCHEMA: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("upstream.schema.json").read_text(encoding="utf-8")
)
"""The JSON Schema of the list that one defect has."""


def entries(data: list[dict[str, Any]]) -> tuple[Upstream, ...]:
    """Return the entries of a list that follows the schema."""
    return tuple(
        Upstream(**{**each, "kind": Kind(each["kind"]), "state": State(each["state"])})
        for each in data
    )


def read_upstream(path: Path) -> Mapping[str, tuple[Upstream, ...]]:
    """Return the entries of each defect that a file names.

    Args:
        path: a YAML file; without one no defect has entries.

    Raises:
        ValueError: the file breaks the schema; the message says where.

    """
    if not path.exists():
        return {}
    data = read_yaml(path)
    if found := breach(data, {"type": "object", "additionalProperties": SCHEMA}):
        raise ValueError(f"{path}: {found[1]}")
    return {name: entries(listed) for name, listed in data.items()}
