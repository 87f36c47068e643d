"""Reads YAML that users give: what would break or stall a reader is refused first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

#: How deep mappings and lists may stand in each other; no file of ours has half of that. Readers
#: call themselves for each level, and the one in C takes the process with it.
DEEPEST = 50

#: How many values a file may stand for.
MOST = 200_000

#: The reader written in C, where PyYAML has it: many times as fast.
FASTEST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:  # noqa: ANN401 - whatever YAML holds
    """Return what a file says.

    Raises:
        OSError: it cannot be read.
        UnicodeDecodeError: it is no text.
        yaml.YAMLError: it is not YAML, or of a shape that `check_shape` refuses.

    """
    text = path.read_text(encoding="utf-8")
    check_shape(text)
    return yaml.load(text, FASTEST)


def check_shape(text: str) -> None:
    """Refuse what is nested too deep, or stands for too much with its aliases written out.

    Raises:
        yaml.YAMLError: it is of such a shape, or not YAML.

    """
    begun: list[tuple[str | None, int]] = []  # anchor of each collection, and nodes before it
    sizes: dict[str, int] = {}
    nodes = 0
    for event in yaml.parse(text, FASTEST):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise _refusal(f"*{event.anchor} stands for nothing yet", event)
            nodes += sizes[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            nodes += 1
            if event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionStartEvent):
            begun.append((event.anchor, nodes))
            nodes += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = begun.pop()
            if anchor:
                sizes[anchor] = nodes - before
        if len(begun) > DEEPEST:
            raise _refusal(f"nested deeper than {DEEPEST} levels", event)
        if nodes > MOST:
            raise _refusal(f"more than {MOST} values, with aliases written out", event)


def in_one_line(error: Exception) -> str:
    """Return what an error says, without the line breaks of YAML's."""
    return " ".join(str(error).split())


def _refusal(problem: str, event: yaml.Event) -> yaml.MarkedYAMLError:
    mark: Any = event.start_mark
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
