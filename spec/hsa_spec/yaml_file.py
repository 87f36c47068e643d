"""Reads YAML that users give: what would break or stall a reader is refused first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from hsa_spec.ordinary_file import text_of

#: How deep mappings and lists may stand in each other; no file of ours has half of that. Readers
#: call themselves for each level, and the one in C takes the process with it.
DEEPEST = 50

#: How many values a file may stand for.
MOST = 200_000

#: The reader written in C, where PyYAML has it: many times as fast.
FASTEST: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Loader(FASTEST):  # type: ignore[misc]
    """Takes no mapping that has a key twice: YAML would keep the last and lose the others.

    Dates stay texts: no file of ours has any, and some texts look like one.
    """

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: ANN401
        """Return the value of a node, or raise a ConstructorError for one that Python refuses."""
        try:
            return super().construct_object(node, deep)
        except ValueError as error:
            problem = f"this value cannot be read: {error}"
            raise yaml.constructor.ConstructorError(
                problem=problem, problem_mark=node.start_mark
            ) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping of a node, or raise a ConstructorError for a key that it has twice."""
        seen = set()
        for key in (k for k, _ in node.value if isinstance(k, yaml.ScalarNode)):
            if key.value in seen:
                problem = f"the key {key.value!r} is given twice"
                raise yaml.constructor.ConstructorError(
                    problem=problem, problem_mark=key.start_mark
                )
            seen.add(key.value)
        result: dict[Any, Any] = super().construct_mapping(node, deep)
        return result


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in FASTEST.yaml_implicit_resolvers.items()
}


def read_yaml(path: Path) -> Any:  # noqa: ANN401 - whatever YAML holds
    """Return what a file says.

    Raises:
        OSError: it cannot be read, or is no ordinary file.
        UnicodeDecodeError: it is no text.
        yaml.YAMLError: as of `parse_yaml`.

    """
    return parse_yaml(text_of(path))


def parse_yaml(text: str) -> Any:  # noqa: ANN401 - whatever YAML holds
    """Return what a text says.

    Raises:
        yaml.YAMLError: it is not YAML, gives a key twice, or is of a shape that `check_shape`
            refuses.

    """
    check_shape(text)
    return yaml.load(text, Loader)


def check_shape(text: str) -> None:
    """Refuse what is nested too deep, or stands for too much with its aliases written out.

    Raises:
        yaml.YAMLError: it is of such a shape, or not YAML.

    """
    begun: list[tuple[str | None, int]] = []  # anchor of each collection, and nodes before it
    sizes: dict[str, int] = {}
    nodes = 0
    for event in _events(text):
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise _refusal(f"*{event.anchor} stands for nothing yet", event.start_mark)
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
            raise _too_deep(event.start_mark)
        if nodes > MOST:
            problem = f"more than {MOST} values, with aliases written out"
            raise _refusal(problem, event.start_mark)


def _events(text: str) -> Iterator[yaml.Event]:
    """Yield the events of a text; refuse what the reader finds too deep, as `check_shape` does.

    It reads ahead, and since PyYAML 6.0.4 it has a limit of its own, which it may meet first.
    """
    try:
        yield from yaml.parse(text, FASTEST)
    except yaml.MarkedYAMLError as error:
        if "maximum nesting depth" not in str(error.problem):
            raise
        raise _too_deep(error.problem_mark) from None


def in_one_line(error: Exception) -> str:
    """Return what an error says, without YAML's line breaks or the number of a system's error."""
    said = error.strerror if isinstance(error, OSError) else None
    return " ".join((said or str(error)).split())


def _too_deep(mark: Any) -> yaml.MarkedYAMLError:  # noqa: ANN401 - PyYAML's types lack it
    return _refusal(f"nested deeper than {DEEPEST} levels", mark)


def _refusal(problem: str, mark: Any) -> yaml.MarkedYAMLError:  # noqa: ANN401 - likewise
    return yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
