"""Golden cases as data: read from YAML, and refused where a key, a word or a status is misspelt."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from hsa_spec.yaml_file import read_yaml
from tests.golden.calls import operations, signatures

FOLDER: Final = Path(__file__).parent
#: The status of a case whose outcome the header leaves open.
UNDEFINED: Final = "undefined"

#: Why a case does not run.
REASONS: Final[Mapping[str, str]] = {
    UNDEFINED: "the header leaves the outcome open",
    "exhausted": "a resource would have to run out",
    "absent": "the function is not there",
    "unmade": "no call can be made in what is given",
    "costly": "it takes gigabytes or minutes",
    "early": "hsa_init leaves calls before it undefined, and a release answers otherwise",
}
#: What a case runs on.
SUBJECTS: Final = ("reference", "library")

_STEPS: Final[Mapping[str, frozenset[str]]] = {
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
_FILE: Final = frozenset({"clauses_read", "needs", "described", "setups", "not_on", "groups"})
_GROUP: Final = frozenset({"functions", "source", "args", "given", "not_on", "cases"})
_CASE: Final = frozenset({"case", "source", "clauses_read", "not_on"})
_ONE_CALL: Final = _CASE | {"args", "given", "status", "machine"}
_SEQUENCE: Final = _CASE | {"each", "needs", "process", "setup", "steps"}


@dataclass(frozen=True)
class Case:
    """One golden case: a call made in what is given, or a sequence of calls.

    Args:
        topic: the file it is in, such as "amd/vmem".
        function: the function that it is about.
        name: what it shows, in a few words.
        source: where the header says so.
        clauses_read: whether its author had read the clauses.
        not_on: why it does not run, by what it does not run on.
        args: each argument of one call: a number, or the name of a constant.
        given: what holds or does not, as a condition would write it; the last word counts.
        statuses: the literal statuses of one call, any of which is right; or UNDEFINED alone.
        machine: the machine of the reference that has what is given, by default the usual one.
        fresh: the runtime is not initialised before the first step.
        needs: what the machine must have for the steps, see Machine.require.
        steps: the steps of a sequence, setup included; none if it is one call.

    """

    topic: str
    function: str
    name: str
    source: str
    clauses_read: bool
    not_on: Mapping[str, str] = field(default_factory=dict)
    args: Mapping[str, int | str] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    statuses: frozenset[str] = frozenset()
    machine: str | None = None
    fresh: bool = False
    needs: tuple[str, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()

    def __str__(self) -> str:
        """Return the function and the name."""
        return f"{self.function}: {self.name}"

    @property
    def called(self) -> frozenset[str]:
        """The functions that it calls."""
        return frozenset(s["call"] for s in self.steps if "call" in s) | {self.function}

    def reason(self, subject: str) -> str | None:
        """Return why it does not run on one of SUBJECTS, None if it does."""
        if UNDEFINED in self.statuses:
            return UNDEFINED
        if any(text.startswith("exhausted(") for text in self.given):
            return "exhausted"
        return self.not_on.get(subject)


@cache
def load_cases(folder: Path = FOLDER) -> list[Case]:
    """Read every case of the folder's files, <header>/<topic>.yaml.

    Raises:
        ValueError: something has an unknown key, word, setup, step or status.

    """
    return [
        case
        for path in sorted(folder.glob("*/*.yaml"))
        for file in [read_yaml(path)]
        for group in _checked(file, _FILE)["groups"]
        for case in _cases(f"{path.parent.name}/{path.stem}", file, _checked(group, _GROUP))
    ]


def _cases(topic: str, file: Mapping[str, Any], group: Mapping[str, Any]) -> Iterator[Case]:
    for function, written in itertools.product(group["functions"], group["cases"]):
        if "steps" not in written:
            yield _one_call(topic, function, file, group, _checked(written, _ONE_CALL))
            continue
        for entry in _each({"function": function, **_checked(written, _SEQUENCE)}):
            yield _sequence(topic, file, group, entry)


def _one_call(
    topic: str,
    function: str,
    file: Mapping[str, Any],
    group: Mapping[str, Any],
    entry: Mapping[str, Any],
) -> Case:
    return Case(
        topic=topic,
        function=function,
        **_common(file, group, entry),
        args={**group["args"], **entry.get("args", {})},
        given=(*group["given"], *entry.get("given", ())),
        statuses=frozenset(allowed_statuses(entry["status"])),
        machine=entry.get("machine"),
    )


def _sequence(
    topic: str, file: Mapping[str, Any], group: Mapping[str, Any], entry: Mapping[str, Any]
) -> Case:
    setup = file["setups"][entry["setup"]] if "setup" in entry else []
    steps = (*setup, *entry["steps"])
    for step in steps:
        kind_of(step)
    return Case(
        topic=topic,
        function=entry["function"],
        **_common(file, group, entry),
        fresh=entry.get("process") == "fresh",
        needs=(*file.get("needs", ()), *entry.get("needs", ())),
        steps=steps,
    )


def _common(
    file: Mapping[str, Any], group: Mapping[str, Any], entry: Mapping[str, Any]
) -> dict[str, Any]:
    not_on = {
        key: why for part in (file, group, entry) for key, why in part.get("not_on", {}).items()
    }
    if not (not_on.keys() <= set(SUBJECTS) and set(not_on.values()) <= REASONS.keys()):
        raise ValueError(f"not_on names {', '.join(SUBJECTS)}, each with {', '.join(REASONS)}")
    return {
        "name": entry["case"],
        "source": entry.get("source") or group["source"],
        "clauses_read": entry.get("clauses_read", file["clauses_read"]),
        "not_on": not_on,
    }


def _checked(mapping: Mapping[str, Any], known: frozenset[str]) -> Mapping[str, Any]:
    if unknown := mapping.keys() - known:
        raise ValueError(f"unknown key {', '.join(sorted(unknown))} in {dict(mapping)}")
    return mapping


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
    """Return the names of the statuses that are allowed, the first one first."""
    return [status] if isinstance(status, str) else status
