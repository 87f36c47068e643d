"""The text of a baseline, changed where it has to be: comments, order and style stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from hsa_conformance.baselines.reading import BaselineError

#: The lists that are changed.
LISTS = ("changes", "causes", "entries")

#: What versions are written with, so that 6.10 is not 6.1.
_QUOTED = ("releases",)


@dataclass
class _List:
    """A list of the file: its node, None where it is absent, and what is put into an empty one."""

    key: str
    node: Any
    items: Sequence[Any]
    left: int
    first: list[str] = field(default_factory=list)


class Sheet:
    """The text of a file; what is asked of it takes effect in `text`.

    Args:
        name: what the file is called in messages.
        text: what it says, which is a well-formed baseline.

    Raises:
        BaselineError: a list of it is not written one item below another.

    """

    def __init__(self, name: str, text: str) -> None:
        self._text = text if text.endswith("\n") else f"{text}\n"
        self._root: Any = yaml.compose(self._text, yaml.SafeLoader)
        self._edits: list[tuple[int, int, str]] = []
        self._lists = {key: self._list(name, key) for key in LISTS}

    def _list(self, name: str, key: str) -> _List:
        node: Any = next((v for k, v in self._root.value if k.value == key), None)
        items = node.value if isinstance(node, yaml.SequenceNode) else []
        if items and node.flow_style:
            raise BaselineError(
                f"the baseline {name}: update writes {key} one below another, each after a dash; "
                "write these so, too"
            )
        return _List(key, node, items, len(items))

    def set(self, listed: str, number: int, key: str, value: object) -> None:
        """Give a key of an item another value.

        Args:
            listed: the list, one of `LISTS`.
            number: of the item, from 0.
            key: the key, which it may lack.
            value: text, True or a list of texts; None to leave the key out.

        """
        self._set(self._lists[listed].items[number], key, value, after="got")

    def set_releases(self, releases: Sequence[str]) -> None:
        """Say which releases the file was made on."""
        self._set(self._root, "releases", list(releases), after=None)

    def drop(self, listed: str, number: int) -> None:
        """Take an item out of a list."""
        node = self._lists[listed].items[number]
        begin = self._text.rfind("\n", 0, node.start_mark.index) + 1
        self._edits.append((begin, self._line_end(_end(node)) + 1, ""))
        self._lists[listed].left -= 1

    def add(self, listed: str, after: int | None, item: Mapping[str, Any]) -> None:
        """Put an item in.

        Args:
            listed: the list, which the file may lack.
            after: the number of the item that it stands behind; None: of the last one.
            item: its keys and values.

        """
        found = self._lists[listed]
        if not found.items:
            found.first.append(_block(item, 2))
            return
        node = found.items[-1 if after is None else after]
        place = self._line_end(_end(node)) + 1
        self._edits.append((place, place, _block(item, found.node.start_mark.column)))
        found.left += 1

    @property
    def text(self) -> str:
        """Return the text as it is now."""
        edits = list(self._edits)
        for found in self._lists.values():
            if found.first:
                edits.append((*self._span(found), f"{found.key}:\n{''.join(found.first)}"))
            if found.items and not found.left:
                begin, end = self._span(found)
                edits = [e for e in edits if not begin <= e[0] < end]
                edits.append((begin, end, f"{found.key}: []\n"))
        text = self._text
        for begin, end, new in sorted(edits, key=lambda e: e[0], reverse=True):
            text = text[:begin] + new + text[end:]
        return text

    def _span(self, found: _List) -> tuple[int, int]:
        """Return where a list begins and ends, the end of its last line included."""
        key = next((k for k, _ in self._root.value if k.value == found.key), None)
        if key is None:
            return len(self._text), len(self._text)
        return key.start_mark.index, self._line_end(_end(found.node)) + 1

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
