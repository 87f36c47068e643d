"""Golden cases as data: read from YAML, and refused where a key or a status is misspelt."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hsa_spec.yaml_file import read_yaml
from tests.golden_calls import operations, signatures

_STEPS: Mapping[str, frozenset[str]] = {
    "call": frozenset({"args", "status", "result", "expect", "save", "in"}),
    "check": frozenset(),
    "read": frozenset({"bytes", "readable", "in"}),
    "write": frozenset({"bytes", "code", "writable", "save", "in"}),
    "string": frozenset({"save", "in"}),
    "array": frozenset({"count", "save", "in"}),
    "send": frozenset({"save"}),
    "close": frozenset({"in"}),
    "open": frozenset({"code", "save", "in"}),
}


@dataclass(frozen=True)
class Case:
    """One golden case.

    Args:
        topic: the file it is in, such as "amd/vmem".
        name: what it says, in a few words.
        strength: "must" or "should".
        source: the sentence of the header that it follows.
        fresh: the runtime is not initialised before the first step.
        needs: what the machine must have, see Machine.require.
        steps: the steps, setup included.

    """

    topic: str
    name: str
    strength: str
    source: str
    fresh: bool
    needs: tuple[str, ...]
    steps: tuple[Mapping[str, Any], ...]

    def __str__(self) -> str:
        """Return the case's name with its topic."""
        return f"{self.topic}: {self.name}"


def load_cases(folder: Path) -> list[Case]:
    """Read every case of the folder's files, <header>/<topic>.yaml.

    Raises:
        ValueError: a case has an unknown key, strength, setup or step.

    """
    return [
        _case(f"{path.parent.name}/{path.stem}", document, entry)
        for path in sorted(folder.glob("*/*.yaml"))
        for document in [read_yaml(path)]
        for written in document["cases"]
        for entry in _each(written)
    ]


def _each(entry: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a case for each choice of words, put where its texts have their names in braces.

    Of several words in one, `{name[0]}` is the first.
    """
    words = entry.get("each", {})
    rest = {key: value for key, value in entry.items() if key != "each"}
    for chosen in itertools.product(*words.values()):
        texts = dict(zip((f"{{{name}}}" for name in words), chosen, strict=True))
        for name, text in zip(words, chosen, strict=True):
            texts |= {f"{{{name}[{i}]}}": word for i, word in enumerate(text.split())}
        yield _filled(rest, texts)


def _filled(part: Any, texts: Mapping[str, str]) -> Any:
    match part:
        case str():
            for name, text in texts.items():
                part = part.replace(name, text)
            return part
        case list():
            return [_filled(item, texts) for item in part]
        case dict():
            return {key: _filled(value, texts) for key, value in part.items()}
        case _:
            return part


def _case(topic: str, document: Mapping[str, Any], entry: Mapping[str, Any]) -> Case:
    name = f"{topic}: {entry['case']}"
    known = {"case", "strength", "source", "process", "needs", "setup", "steps"}
    if not entry.keys() <= known:
        raise ValueError(f"{name}: unknown key {', '.join(entry.keys() - known)}")
    if entry["strength"] not in ("must", "should"):
        raise ValueError(f"{name}: strength is must or should, not {entry['strength']!r}")
    setup = document["setups"][entry["setup"]] if "setup" in entry else []
    steps = (*setup, *entry["steps"])
    for step in steps:
        kind_of(step)
    return Case(
        topic=topic,
        name=entry["case"],
        strength=entry["strength"],
        source=entry["source"],
        fresh=entry.get("process") == "fresh",
        needs=(*document.get("needs", ()), *entry.get("needs", ())),
        steps=steps,
    )


def kind_of(step: Mapping[str, Any]) -> str:
    """Return what a step does, the key it begins with.

    Raises:
        ValueError: it is no step, has an unknown key, or expects an unknown status.

    """
    kinds = [kind for kind in _STEPS if kind in step]
    if len(kinds) != 1 or not step.keys() <= _STEPS[kinds[0]] | {kinds[0]}:
        raise ValueError(f"not a step of a golden case: {dict(step)}")
    if kinds[0] == "call" and step["call"] in operations():
        if "status" in step:
            raise ValueError(f"{step['call']} returns no status")
    elif kinds[0] == "call":
        unknown = set(allowed_statuses(step["status"])) - signatures()["statuses"].keys()
        if unknown:
            raise ValueError(f"{', '.join(sorted(unknown))} is no status of golden/signatures.yaml")
    return kinds[0]


def allowed_statuses(status: str | list[str]) -> list[str]:
    """Return the names of the statuses that a step allows, the first one first."""
    return [status] if isinstance(status, str) else status
