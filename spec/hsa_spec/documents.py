"""Reads YAML files, checks them against a schema, and says where they are wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hsa_spec.errors import RegistryError
from hsa_spec.ordinary_file import text_of
from hsa_spec.schema import breach
from hsa_spec.yaml_file import FASTEST, Loader, check_shape

#: The registry that comes with the package is read as it is.
_OURS = Path(__file__).parent


@dataclass(frozen=True)
class Document:
    """One YAML document: its file, its place in the file, and what it says."""

    path: Path
    index: int
    data: dict[str, Any]

    def error(self, keys: Sequence[str | int], rule: str) -> RegistryError:
        """Return the error for a rule broken at the place that `keys` lead to."""
        return RegistryError(self.path, self.line(keys), rule)

    def line(self, keys: Sequence[str | int]) -> int | None:
        """Return the line of a place in this document, or of what is written around it.

        Args:
            keys: names of members, and numbers or texts of items.

        """
        return _line(self.path, self.index, keys)


def read_documents(path: Path) -> Iterator[Document]:
    """Yield the documents of one file, unchecked.

    Raises:
        RegistryError: the file is not YAML, or a document is not a mapping.

    """
    try:
        text = text_of(path)
        if not path.is_relative_to(_OURS):
            check_shape(text)
        documents = list(yaml.load_all(text, Loader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise RegistryError(path, line, f"not YAML: {error.problem}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise RegistryError(path, None, f"not YAML: {error}") from None
    for index, data in enumerate(documents):
        document = Document(path, index, data)
        if not isinstance(data, dict):
            raise document.error((), "expected a mapping such as 'function: hsa_init'")
        yield document


def check_documents(documents: Sequence[Document], schema: Path) -> None:
    """Check documents against a schema.

    Args:
        documents: what was read.
        schema: the file of a JSON Schema.

    Raises:
        RegistryError: for the first document that breaks it, with the line and what was expected.

    """
    follows: dict[str, Any] = json.loads(schema.read_text(encoding="utf-8"))
    for document in documents:
        if found := breach(document.data, follows):
            raise document.error(*found)


def _line(path: Path, index: int, keys: Sequence[str | int]) -> int | None:
    """Find the line of a place in a document; composing again is slow, and only errors do it."""
    try:
        nodes = list(yaml.compose_all(text_of(path), FASTEST))
    except (UnicodeDecodeError, yaml.YAMLError):
        return None
    node = nodes[index]
    line: int = node.start_mark.line + 1
    for key in keys:
        if isinstance(node, yaml.MappingNode):
            found = [(k, v) for k, v in node.value if k.value == str(key)]
            if not found:
                break
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode):
            items = [n for i, n in enumerate(node.value) if key in (i, n.value)]
            if not items:
                break
            node = items[0]
            line = node.start_mark.line + 1
    return line
