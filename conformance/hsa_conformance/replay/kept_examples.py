"""The examples that failed on an implementation, kept for runs with `--replay`.

Each is a file of its own in a folder of the user's cache. Processes write and drop them side by
side, and may be killed at it: a file is there as a whole or not at all.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from hsa_conformance.configurations import Configuration
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.running.examples import DrawnValue, Example
from hsa_spec.cache import AGE, cache_folder, cached, keep

FOLDER: Final = "examples"
#: How many implementations examples are kept of: those that failed last.
MOST: Final = 100
#: How long the text of an example may be, in bytes.
LONGEST: Final = 1 << 20

_VERSION: Final = 1


class ExampleStore:
    """What is kept of one implementation.

    Args:
        implementation: what tells it from others, such as the path of the library.
        machine: what tells its machine from others, but for the configuration.
        replay: whether examples of earlier runs are made again; if not, they are kept alone.

    """

    def __init__(self, implementation: str, machine: str, *, replay: bool) -> None:
        self.replay = replay
        self._machine = machine
        self._folder = f"{FOLDER}/{_digest(implementation)}"
        self._trimmed = False

    def on(self, configuration: Configuration) -> ConfigurationExamples:
        """Return what is kept of it on one configuration."""
        return ConfigurationExamples(self, self._place(configuration))

    def _place(self, configuration: Configuration) -> str:
        return "; ".join(filter(None, (self._machine, configuration.name)))

    def notices(
        self, configurations: Iterable[Configuration], clauses: Collection[str]
    ) -> list[str]:
        """Return what a reader has to know before examples are made again; nothing if none are.

        Args:
            configurations: those that clauses are judged on.
            clauses: the ids of those that are selected.

        """
        if not self.replay:
            return []
        places = {*map(self._place, configurations)}
        of_run = [e for _, on, e in self.found if on in places and e.clause in clauses]
        some = f"{len(of_run)} example{'s' * (len(of_run) != 1)} of earlier runs"
        told = f"{some} made again first." if of_run else "Nothing is kept that could be replayed."
        bad = [
            f"{cache_folder() / name} is no example of this version; it is ignored."
            for name in self._bad
        ]
        return [*bad, told]

    @cached_property
    def _read(self) -> tuple[list[tuple[str, str, Example]], list[str]]:
        found, bad = [], []
        for name in self._names():
            text = cached(self._folder, name)
            if text is None:
                continue  # dropped by another process
            try:
                found.append((name, *_parsed(text)))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                bad.append(f"{self._folder}/{name}")
        return found, bad

    @property
    def found(self) -> Sequence[tuple[str, str, Example]]:
        """Return the name, the configuration and the contents of each that was there at first."""
        return self._read[0]

    @property
    def _bad(self) -> Sequence[str]:
        return self._read[1]

    def _names(self) -> list[str]:
        try:
            return sorted(path.name for path in (cache_folder() / self._folder).glob("*.json"))
        except (OSError, RuntimeError):
            return []

    def keep(self, configuration: str, example: Example) -> None:
        """Keep an example in the place of the one that has shown the same."""
        key = [example.clause, example.check, example.broken, configuration]
        name = _digest(json.dumps([*key, sorted(example.pins.items())]))
        text = _text(configuration, example).encode()
        if len(text) <= LONGEST:
            keep(self._folder, f"{name}.json", text)
            self._trim()

    def drop(self, name: str) -> None:
        """Keep one no more."""
        with suppress(OSError, RuntimeError):
            (cache_folder() / self._folder / name).unlink(missing_ok=True)

    def _trim(self) -> None:
        """Remove, once, what is kept of implementations that have not failed for long."""
        if self._trimmed:
            return
        self._trimmed = True
        with suppress(OSError, RuntimeError):
            ages = {f: f.stat().st_mtime for f in (cache_folder() / FOLDER).iterdir()}
            newest = sorted(ages, key=lambda f: ages[f], reverse=True)[:MOST]
            for folder, age in ages.items():
                if folder not in newest or age < time.time() - AGE:
                    shutil.rmtree(folder, ignore_errors=True)


@dataclass
class ConfigurationExamples:
    """What is kept of an implementation on one configuration; what the engine asks."""

    store: ExampleStore
    configuration: str
    _asked: set[str] = field(default_factory=set)

    def of(self, check: Check) -> Sequence[Example]:
        """Return the examples of a check that are to be made again, whichever value is pinned."""
        asked = (check.clause, check.name)
        found = {name: e for name, e in self._here.items() if (e.clause, e.check) == asked}
        self._asked |= found.keys()
        return [*found.values()]

    def keep(self, example: Example) -> None:
        """Keep one for later runs."""
        self.store.keep(self.configuration, example)

    def passed(self, clause: str) -> None:
        """Drop those of a clause that were made again, as it holds now."""
        for name in [name for name in self._asked if self._here[name].clause == clause]:
            self._asked.remove(name)
            self.store.drop(name)

    @cached_property
    def _here(self) -> Mapping[str, Example]:
        found = self.store.found if self.store.replay else ()
        return {name: example for name, on, example in found if on == self.configuration}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _text(configuration: str, example: Example) -> str:
    return json.dumps(
        {
            "version": _VERSION,
            "configuration": configuration,
            "clause": example.clause,
            "check": example.check,
            "broken": example.broken,
            "pins": dict(example.pins),
            "choices": [[source, _encoded(value)] for source, value in example.choices],
        }
    )


def _parsed(text: bytes) -> tuple[str, Example]:
    """Return the configuration and the example that a file is about.

    Raises:
        ValueError, TypeError, KeyError: it is about none.

    """
    document = json.loads(text)
    if document["version"] != _VERSION:
        raise ValueError("another version")
    words = [document[name] for name in ("configuration", "clause", "check", "broken")]
    pins: Mapping[str, str] = document["pins"]
    if not all(isinstance(word, str) for word in (*words, *pins.keys(), *pins.values())):
        raise TypeError("no text")
    choices = tuple(_choice(*each) for each in document["choices"])
    return words[0], Example(words[1], words[2], words[3], pins, choices)


def _choice(source: object, value: object) -> DrawnValue:
    if not isinstance(source, str):
        raise TypeError("no text")
    return source, _decoded(value)


def _encoded(value: Any) -> object:  # noqa: ANN401 - whatever was drawn
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, set | list):
        return {type(value).__name__: [_encoded(each) for each in value]}
    return value


def _decoded(value: Any) -> object:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict | list):
        return value
    ((kind, content),) = dict(value).items()
    match kind:
        case "bytes":
            return bytes.fromhex(content)
        case "list":
            return [_decoded(each) for each in content]
        case "set":
            return {_decoded(each) for each in content}
        case _:
            raise ValueError(f"unknown kind {kind}")
