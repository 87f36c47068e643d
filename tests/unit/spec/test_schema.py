"""The schema lets no key through that it does not define."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hsa_spec.documents import read_documents
from hsa_spec.family import expanded
from hsa_spec.loader import REGISTRY, SCHEMA

KINDS = (
    *("function", "enum", "attributes", "struct", "handle", "callback"),
    *("macro", "table", "typedef", "retired", "rule"),
)
DOCUMENTS = [
    d.data for path in sorted(REGISTRY.rglob("*.yaml")) for d in expanded(read_documents(path))
]
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def objects(data: Any, place: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of each mapping below and including `data`."""
    if isinstance(data, dict):
        yield place
        for key, value in data.items():
            yield from objects(value, (*place, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from objects(value, (*place, index))


def one_of_each() -> Iterator[tuple[dict[str, Any], tuple[str | int, ...], str]]:
    """Yield a document and a place in it for each sort of object in the registry."""
    seen = set()
    for document in DOCUMENTS:
        kind = next(k for k in KINDS if k in document)
        for place in objects(document):
            keys = [key for key in place if isinstance(key, str)]
            # What comes after these is a name, of a clause or an attribute: all are of one sort.
            for names in {"clauses", "values"} & set(keys[:-1]):
                keys[keys.index(names) + 1] = "*"
            name = ".".join([kind, *keys])
            if name not in seen:
                seen.add(name)
                yield document, place, name


EACH = list(one_of_each())


def test_registry_has_every_sort_of_document() -> None:
    """The cases below leave out no sort of document that the schema describes."""
    assert set(KINDS) == {name for _, _, name in EACH if "." not in name}


@pytest.mark.parametrize(("document", "place", "name"), EACH, ids=[name for *_, name in EACH])
def test_unknown_key_is_refused(document: Any, place: tuple[int | str, ...], name: str) -> None:
    """An unknown key anywhere makes a valid document invalid."""
    changed = copy.deepcopy(document)
    target = changed
    for key in place:
        target = target[key]
    assert VALIDATOR.is_valid(changed)
    target["misspelt"] = "x"
    assert not VALIDATOR.is_valid(changed)


def test_every_object_of_the_schema_is_closed() -> None:
    """Each object that lists its properties refuses all others."""
    schema: Any = VALIDATOR.schema
    for name, definition in schema["$defs"].items():
        for place in objects(definition):
            part = definition
            for key in place:
                part = part[key]
            if part.get("type") in ("object", ["object", "null"]):
                assert part["additionalProperties"] is False, f"{name} {place}"


def test_schema_is_a_schema() -> None:
    """The schema itself follows the rules of JSON Schema."""
    Draft202012Validator.check_schema(VALIDATOR.schema)
