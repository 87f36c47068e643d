"""Reads baselines from YAML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from hsa_conformance.baselines.baseline import Baseline, Entry
from hsa_reports import Verdict
from hsa_spec import Registry
from hsa_spec.releases import Release
from hsa_spec.yaml_file import in_one_line, read_yaml

#: What stands in the place of values where a failure depends on more than one.
ANY = "any"

_FOLDER = Path(__file__).parent
_SCHEMA = json.loads((_FOLDER / "baseline.schema.json").read_text(encoding="utf-8"))


class BaselineError(Exception):
    """A baseline cannot be used; the message says which entry and what to do."""


def baseline_names() -> list[str]:
    """Return the names of the baselines that come with the suite."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def read_baseline(name: str, registry: Registry) -> Baseline:
    """Read a baseline.

    Args:
        name: one of `baseline_names()`, or the path of a file.
        registry: knows the clauses.

    Raises:
        BaselineError: there is no such baseline, it is malformed, or names an unknown clause.

    """
    path = _FOLDER / f"{name}.yaml" if name in baseline_names() else Path(name)
    try:
        data = read_yaml(path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        known = ", ".join(baseline_names()) or "none yet"
        raise BaselineError(
            f"the baseline {name} cannot be read ({in_one_line(error)}); name a file, or one of "
            f"the suite's: {known}"
        ) from None
    try:
        jsonschema.validate(data, _SCHEMA)
    except jsonschema.ValidationError as error:
        where = ".".join(map(str, error.absolute_path)) or "the file"
        raise BaselineError(f"the baseline {name}: {where}: {error.message}") from None
    entries = tuple(_entry(name, entry, registry) for entry in data["entries"])
    return Baseline(path.stem, data["implementation"], tuple(data["releases"]), entries)


def _entry(name: str, data: dict[str, Any], registry: Registry) -> Entry:
    if data["clause"] not in registry.clauses:
        raise BaselineError(
            f"the baseline {name}: {data['clause']} is no clause of this registry; remove the entry"
        )
    try:
        releases = Release.parse(data.get("releases"))
    except ValueError as error:
        raise BaselineError(f"the baseline {name}: {data['clause']}: {error}") from None
    return Entry(
        clause=data["clause"],
        verdict=Verdict(data["verdict"]),
        got=data["got"],
        releases=releases,
        machines=tuple(data["machines"]) if "machines" in data else None,
        defect=data["class"],
        reason=data["reason"],
        finding=data.get("finding"),
        source=data.get("source"),
        chance=data.get("chance", False),
        values=() if data.get("values") == ANY else tuple(data.get("values", ())),
        any_value=data.get("values") == ANY,
    )
