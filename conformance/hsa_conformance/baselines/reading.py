"""Reads baselines from YAML, with the files that they include."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.entry import Change, Entry
from hsa_conformance.baselines.known_cause import KnownCause, is_id
from hsa_conformance.baselines.upstream import SCHEMA, entries
from hsa_reports import Verdict
from hsa_spec import Registry
from hsa_spec.releases import Release, newest
from hsa_spec.schema import breach
from hsa_spec.yaml_file import in_one_line, parse_yaml, read_yaml

#: What stands in the place of values where a failure depends on more than one.
ANY = "any"

_FOLDER = Path(__file__).parent
_SCHEMA = json.loads((_FOLDER / "baseline.schema.json").read_text(encoding="utf-8"))
_SCHEMA["$defs"]["upstream"] = SCHEMA


class BaselineError(Exception):
    """A baseline cannot be used; the message says which entry and what to do."""


def baseline_names() -> list[str]:
    """Return the names of the baselines that come with the suite."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def path_of(name: str, beside: Path | None = None) -> Path:
    """Return the file of a baseline.

    Args:
        name: one of `baseline_names()`, or the path of a file.
        beside: the file that names it, which relative paths start from.

    """
    if name in baseline_names():
        return _FOLDER / f"{name}.yaml"
    return (beside.parent if beside else Path()) / name


def read_baseline(name: str, registry: Registry) -> Baseline:
    """Read a baseline.

    Args:
        name: one of `baseline_names()`, or the path of a file.
        registry: knows the clauses.

    Raises:
        BaselineError: there is no such baseline, it or one that it includes is malformed or names
            an unknown clause, it includes itself, or it changes what no included file has.

    """
    return _read(name, path_of(name), registry, ())


def document(name: str, path: Path, text: str | None = None) -> Any:  # noqa: ANN401
    """Return what a file says, checked against the schema.

    Args:
        name: what it is called in messages.
        path: the file.
        text: its text, where it is not to be read from the file.

    Raises:
        BaselineError: it cannot be read, or is malformed.

    """
    try:
        data = read_yaml(path) if text is None else parse_yaml(text)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        known = ", ".join(baseline_names()) or "none yet"
        raise BaselineError(
            f"the baseline {name} cannot be read ({in_one_line(error)}); name a file, or one of "
            f"the suite's: {known}"
        ) from None
    if found := breach(data, _SCHEMA):
        raise BaselineError(f"the baseline {name}: {found[1]}")
    return data


def _read(name: str, path: Path, registry: Registry, within: tuple[Path, ...]) -> Baseline:
    if path.resolve() in within:
        chain = " includes ".join(p.name for p in (*within, path.resolve()))
        raise BaselineError(f"the baseline {name} includes itself: {chain}; leave one of them out")
    data = document(name, path)
    others = []
    for number, other in enumerate(data.get("includes", ())):
        found = path_of(other, path)
        if not found.is_file():
            known = ", ".join(baseline_names())
            raise BaselineError(
                f"the baseline {name}: includes.{number}: there is no {found}; name a file, from "
                f"the folder of this one, or one of the suite's: {known}"
            )
        others.append(_read(other, found, registry, (*within, path.resolve())))
    own = tuple(entry_of(name, entry, registry) for entry in data.get("entries", ()))
    made_on = [*data.get("releases", ()), *(r for other in others for r in other.releases)]
    baseline = Baseline(
        path.stem,
        data.get("implementation") or others[0].implementation,
        tuple(dict.fromkeys(made_on)),
        own,
        tuple(others),
        tuple(change_of(name, change, registry) for change in data.get("changes", ())),
        any_release=not made_on,
        own_causes=tuple(cause_of(name, cause) for cause in data.get("causes", ())),
    )
    for number, change in enumerate(baseline.changes):
        meets = any(change.meets(e, newest(o.releases)) for o in others for e in o.entries)
        if not meets and not any(change.drops(c.id) for o in others for c in o.causes):
            raise BaselineError(
                f"the baseline {name}: changes.{number} ({change.words}) is about no entry of "
                f"{' or '.join(data.get('includes', ())) or 'an included file'}; remove it, or "
                "correct its clause, cause, verdict, releases or machines"
            )
    return baseline


def entry_of(name: str, data: dict[str, Any], registry: Registry) -> Entry:
    """Return the entry that a file has as YAML.

    Args:
        name: what the file is called in messages.
        data: the keys and values, as the schema has them.
        registry: knows the clauses.

    Raises:
        BaselineError: its clause or its range of releases is none.

    """
    _check_clause(name, data["clause"], registry, "entry")
    verdict = Verdict(data["verdict"])
    return Entry(
        clause=data["clause"],
        verdict=verdict,
        got=data["got"],
        releases=_releases(name, data),
        machines=tuple(data["machines"]) if "machines" in data else None,
        defect=data["class"],
        reason=data["reason"],
        finding=data.get("finding"),
        source=data.get("source"),
        chance=data.get("chance", False) or verdict is Verdict.FLAKY,
        values=() if data.get("values") == ANY else tuple(data.get("values", ())),
        any_value=data.get("values") == ANY,
        exact=data.get("exact", False),
        upstream=entries(data.get("upstream", [])),
    )


def cause_of(name: str, data: dict[str, Any]) -> KnownCause:
    """Return the cause that a file has as YAML.

    Args:
        name: what the file is called in messages.
        data: the keys and values, as the schema has them.

    Raises:
        BaselineError: its id or its range of releases is none.

    """
    if not is_id(data["cause"]):
        raise BaselineError(
            f"the baseline {name}: {data['cause']} is no id of a cause that nobody has named: such "
            "an id ends with a dash and eight digits, as reports print it; include the baseline "
            "that has the others"
        )
    return KnownCause(
        id=data["cause"],
        releases=_releases(name, data),
        machines=tuple(data["machines"]) if "machines" in data else None,
        defect=data["class"],
        reason=data["reason"],
        finding=data.get("finding"),
        source=data.get("source"),
        chance=data.get("chance", False),
        upstream=entries(data.get("upstream", [])),
    )


def change_of(name: str, data: dict[str, Any], registry: Registry) -> Change:
    """Return what a file says of entries of the files that it includes.

    Args:
        name: what the file is called in messages.
        data: the keys and values, as the schema has them.
        registry: knows the clauses.

    Raises:
        BaselineError: its clause or its range of releases is none.

    """
    if "clause" in data:
        _check_clause(name, data["clause"], registry, "change")
    return Change(
        clause=data.get("clause"),
        cause=data.get("cause"),
        was=Verdict(data["was"]) if "was" in data else None,
        releases=_releases(name, data),
        machines=tuple(data["machines"]) if "machines" in data else None,
        verdict=Verdict(data["expect"]) if "expect" in data else None,
        got=data.get("got"),
    )


def _check_clause(name: str, clause: str, registry: Registry, what: str) -> None:
    if clause not in registry.clauses:
        raise BaselineError(
            f"the baseline {name}: {clause} is no clause of this registry; remove the {what}"
        )


def _releases(name: str, data: dict[str, Any]) -> Release:
    try:
        return Release.parse(data.get("releases"))
    except ValueError as error:
        about = data.get("clause") or f"cause {data['cause']}"
        raise BaselineError(f"the baseline {name}: {about}: {error}") from None
