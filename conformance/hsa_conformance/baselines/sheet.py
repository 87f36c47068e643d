"""The text of a baseline, changed where it has to be: comments, order and style stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from hsa_conformance.baselines.reading import BaselineError

#: What versions are written with, so that 6.10 is not 6.1.
_QUOTED = ("releases",)


class Sheet:
    """The text of a file; what is asked of it takes effect in `text`.

    Args:
        name: what the file is called in messages.
        text: what it says, which is a well-formed baseline.

    Raises:
        BaselineError: its entries are not written one below another.

    """

    def __init__(self, name: str, text: str) -> None:
        self._text = text if text.endswith("\n") else f"{text}\n"
        self._root: Any = yaml.compose(self._text, yaml.SafeLoader)
        self._edits: list[tuple[int, int, str]] = []
        self._entries: Any = self._value(self._root, "entries")
        listed = isinstance(self._entries, yaml.SequenceNode)
        self._items: list[Any] = self._entries.value if listed else []
        if self._items and self._entries.flow_style:
            raise BaselineError(
                f"the baseline {name}: update writes entries one below another, each after a dash; "
                "write these so, too"
            )
        self._left = len(self._items)
        self._first: list[str] = []

    def set(self, number: int, key: str, value: object) -> None:
        """Give a key of an entry another value.

        Args:
            number: of the entry, from 0.
            key: the key, which it may lack.
            value: text, True or a list of texts; None to leave the key out.

        """
        self._set(self._items[number], key, value, after="got")

    def set_releases(self, releases: Sequence[str]) -> None:
        """Say which releases the file was made on."""
        self._set(self._root, "releases", list(releases), after=None)

    def drop(self, number: int) -> None:
        """Take an entry out."""
        node = self._items[number]
        begin = self._text.rfind("\n", 0, node.start_mark.index) + 1
        self._edits.append((begin, self._line_end(_end(node)) + 1, ""))
        self._left -= 1

    def add(self, after: int | None, entry: Mapping[str, Any]) -> None:
        """Put an entry in.

        Args:
            after: the number of the entry that it stands behind; None: of the last one.
            entry: its keys and values.

        """
        if not self._items:
            self._first.append(_block(entry, 2))
            return
        node = self._items[-1 if after is None else after]
        place = self._line_end(_end(node)) + 1
        self._edits.append((place, place, _block(entry, self._entries.start_mark.column)))
        self._left += 1

    @property
    def text(self) -> str:
        """Return the text as it is now."""
        edits = list(self._edits)
        if self._first:
            edits.append((*self._list_span(), "entries:\n" + "".join(self._first)))
        if self._items and not self._left:
            begin, end = self._list_span()
            edits = [e for e in edits if e[0] < begin]
            edits.append((begin, end, "entries: []\n"))
        found = self._text
        for begin, end, text in sorted(edits, key=lambda e: e[0], reverse=True):
            found = found[:begin] + text + found[end:]
        return found

    def _list_span(self) -> tuple[int, int]:
        """Return where the list of entries begins and ends, the end of its last line included."""
        key = next((k for k, _ in self._root.value if k.value == "entries"), None)
        if key is None:
            return len(self._text), len(self._text)
        return key.start_mark.index, self._line_end(_end(self._entries)) + 1

    def _set(self, node: Any, key: str, value: object, *, after: str | None) -> None:  # noqa: ANN401
        pair = next((p for p in node.value if p[0].value == key), None)
        written = None if value is None else f"{key}: {_flow(key, value)}"
        if pair is not None and written is not None:
            self._edits.append((pair[0].start_mark.index, _end(pair[1]), written))
        elif pair is not None:
            self._edits.append(self._without(node, pair))
        elif written is not None:
            beside = next((p for p in node.value if p[0].value == after), node.value[0])
            place = _end(beside[1])
            joint = ", " if node.flow_style else "\n" + " " * beside[0].start_mark.column
            if not node.flow_style:
                place = self._line_end(place)
            self._edits.append((place, place, joint + written))

    def _without(self, node: Any, pair: Any) -> tuple[int, int, str]:  # noqa: ANN401
        begin, end = pair[0].start_mark.index, _end(pair[1])
        if node.flow_style:
            # The first key is the clause, which always stays.
            return self._text.rfind(",", 0, begin), end, ""
        return self._text.rfind("\n", 0, begin), self._line_end(end), ""

    def _line_end(self, place: int) -> int:
        found = self._text.find("\n", place)
        return len(self._text) if found < 0 else found

    @staticmethod
    def _value(node: Any, key: str) -> Any:  # noqa: ANN401 - YAML's nodes have no types
        found: Any = [value for name, value in node.value if name.value == key]
        return found[0] if found else None


def _end(node: Any) -> int:  # noqa: ANN401
    """Return where a node ends; what YAML says of a block includes the comments behind it."""
    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end(last[1] if isinstance(last, tuple) else last)


def written(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return entries as a file has them, one below another."""
    return "".join(_block(entry, 2) for entry in entries)


def _block(entry: Mapping[str, Any], column: int) -> str:
    lines = [f"{key}: {_flow(key, value)}" for key, value in entry.items()]
    indent = " " * column
    return f"\n{indent}  ".join([f"{indent}- {lines[0]}", *lines[1:]]) + "\n"


def _flow(key: str, value: object) -> str:
    if key in _QUOTED:
        return _quoted(value)
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
    return text.removesuffix("...\n").strip()


def _quoted(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_quoted, value))}]"
    return f'"{value}"'
