"""Reads a mapping of a configuration file, key by key, with errors that say what was expected."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NoReturn

_UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_BYTES = re.compile(rf"(\d+) ({'|'.join(_UNITS)})")


class MachineError(Exception):
    """A machine file breaks a rule.

    Args:
        path: the file.
        place: the key, such as `agents[0].device`.
        expected: what was expected there, in words.

    """

    def __init__(self, path: Path | str, place: str, expected: str) -> None:
        super().__init__(f"{path}: {place}: {expected}" if place else f"{path}: {expected}")
        self.path = Path(path)
        self.place = place
        self.expected = expected


class Section:
    """One mapping of a file. Each key is taken once; `done` complains about those left over.

    Every method raises MachineError where the file does not say what was expected.
    """

    def __init__(self, path: Path, place: str, data: object) -> None:
        self._path = path
        self._place = place
        if not isinstance(data, dict):
            self.fail("", f"expected a mapping, not {data!r}")
        self._data: dict[str, Any] = dict(data)

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def fail(self, key: str, expected: str) -> NoReturn:
        """Raise the error for a rule that is broken at this key."""
        raise MachineError(self._path, self._at(key), expected)

    def text(self, key: str) -> str:
        """Take a text."""
        value = self._take(key, "a text")
        if not isinstance(value, str) or not value:
            self.fail(key, f"expected a text, not {value!r}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Take true or false."""
        value = self._data.pop(key, default)
        if not isinstance(value, bool):
            self.fail(key, f"expected true or false, not {value!r}")
        return value

    def number(self, key: str, default: int | None = None) -> int:
        """Take a number that is not negative; sizes may have a unit, such as `16 GiB`."""
        value = self._take(key, "a number") if default is None else self._data.pop(key, default)
        if isinstance(value, str) and (found := _BYTES.fullmatch(value)):
            return int(found[1]) * _UNITS[found[2]]
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.fail(key, f"expected a number, or a size such as '64 KiB', not {value!r}")
        return value

    def word(self, key: str, words: Collection[str]) -> str:
        """Take one of these words."""
        value = self._take(key, f"one of {', '.join(words)}")
        if not isinstance(value, str) or value not in words:
            self.fail(key, f"expected one of {', '.join(words)}, not {value!r}")
        return value

    def words(self, key: str, words: Collection[str]) -> tuple[str, ...]:
        """Take a list of these words; a key that is not there is an empty list."""
        values = self._list(key)
        for value in values:
            if not isinstance(value, str) or value not in words:
                self.fail(key, f"{value!r} is none of {', '.join(words) or 'nothing'}")
        return tuple(values)

    def sections(self, key: str) -> list[Section]:
        """Take a list of mappings; a key that is not there is an empty list."""
        place = self._at(key)
        return [
            Section(self._path, f"{place}[{index}]", item)
            for index, item in enumerate(self._list(key))
        ]

    def named_sections(self, key: str) -> dict[str, Section]:
        """Take a mapping of mappings; a key that is not there is an empty mapping."""
        place = self._at(key)
        return {
            name: Section(self._path, f"{place}.{name}", item)
            for name, item in self.mapping(key).items()
        }

    def mapping(self, key: str) -> Mapping[str, Any]:
        """Take a mapping as it is; a key that is not there is an empty mapping."""
        value = self._data.pop(key, {})
        if not isinstance(value, dict):
            self.fail(key, f"expected a mapping, not {value!r}")
        return value

    def done(self) -> None:
        """Complain about keys that nobody took."""
        for key in self._data:
            self.fail(key, "there is no such key; remove it or correct its spelling")

    def _at(self, key: str) -> str:
        return f"{self._place}.{key}".strip(".")

    def _take(self, key: str, expected: str) -> object:
        if key not in self._data:
            self.fail(key, f"missing; expected {expected}")
        return self._data.pop(key)

    def _list(self, key: str) -> list[Any]:
        value = self._data.pop(key, [])
        if not isinstance(value, list):
            self.fail(key, f"expected a list, not {value!r}")
        return value
