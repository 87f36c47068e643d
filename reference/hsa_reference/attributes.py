"""The values of attributes, packed once, so that a query only copies bytes."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import yaml

from hsa_reference.status import INVALID_ARGUMENT, SUCCESS, Answer
from hsa_spec import Registry
from hsa_spec.layout import size_of

_ARRAY = re.compile(r"(\w+)\s*\[(\d+)\]")
_FILE = Path(__file__).with_name("attributes.yaml")


@cache
def defaults() -> Mapping[str, Mapping[str, object]]:
    """Return the values that hold where a machine does not say otherwise.

    The sections are `system`, `cpu`, `gpu`, `isa`, and `images`, which is for agents that have
    them; a value of null is one that changes, and is computed by whoever answers the query.
    """
    text = _FILE.read_text(encoding="utf-8")
    loaded: Mapping[str, Mapping[str, object]] = yaml.load(
        text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return loaded


def pack_all(
    registry: Registry, enums: Iterable[str], values: Mapping[str, object]
) -> dict[int, bytes]:
    """Return the bytes of every attribute that has a value, by the attribute's number.

    Args:
        registry: says the type of each attribute.
        enums: the enumerations of the attributes.
        values: by the attribute's name.

    Raises:
        ValueError: a value does not fit its attribute's type.

    """
    wanted = set(enums)
    return {
        registry.constants[name]: pack(registry, known.type, value, name)
        for name, value in values.items()
        if value is not None
        and (known := registry.attributes.get(name)) is not None
        and known.enum in wanted
    }


def pack(registry: Registry, c_type: str, value: object, name: str) -> bytes:
    """Return a value as the bytes of a C type.

    Args:
        registry: describes the enumerations and structures.
        c_type: the type: an integer, enumeration, structure, handle, array or pointer to text.
        value: a number, an enumerator's name, a text, a list or a mapping of members.
        name: what the value is, for the error.

    Raises:
        ValueError: the value does not fit the type.

    """
    if isinstance(value, int) and "[" not in c_type:
        size = size_of(c_type, registry)
        if 0 <= value < 1 << 8 * size:
            return int(value).to_bytes(size, "little")
    array = _ARRAY.fullmatch(c_type)
    if array and isinstance(value, str):
        data = value.encode("ascii").ljust(int(array[2]), b"\0")
        if array[1] == "char" and len(data) == int(array[2]) and data.endswith(b"\0"):
            return data
    elif array and isinstance(value, list) and len(value) <= int(array[2]):
        items = [pack(registry, array[1], v, name) for v in value]
        return b"".join(items).ljust(size_of(c_type, registry), b"\0")
    elif isinstance(value, str) and c_type in ("char*", "const char*"):
        return static_text(value).to_bytes(8, "little")
    elif isinstance(value, str) and value in registry.constants:
        return pack(registry, c_type, registry.constants[value], name)
    elif (
        c_type in registry.structs
        and isinstance(value, dict)
        and value.keys() <= registry.structs[c_type].field.keys()
    ):
        struct = bytearray(registry.structs[c_type].size)
        for member, content in value.items():
            field = registry.structs[c_type].field[member]
            data = pack(registry, field.type, content, f"{name}.{member}")
            struct[field.offset : field.offset + field.size] = data
        return bytes(struct)
    raise ValueError(f"{name}: {value!r} is no {c_type}")


def write(
    registry: Registry, query: str, attribute: int, values: Mapping[str, object], address: int
) -> bool:
    """Write the value of an attribute; False where it has none.

    Args:
        registry: says the type of each attribute.
        query: the function that asks.
        attribute: the attribute's number.
        values: by the attribute's name; bytes are written as they are.
        address: where the value goes.

    """
    known = registry.reported(query, attribute)
    value = values.get(known.name) if known else None
    if known is None or value is None:
        return False
    data = value if isinstance(value, bytes) else pack(registry, known.type, value, known.name)
    ctypes.memmove(address, data, len(data))
    return True


def answer(data: bytes | None, address: int) -> Answer:
    """Write the packed value of an attribute, and return what the query answers.

    Args:
        data: the value, None where there is no such attribute.
        address: where it goes.

    """
    if data is None:
        return INVALID_ARGUMENT
    ctypes.memmove(address, data, len(data))
    return SUCCESS


@cache
def static_text(text: str) -> int:
    """Return the address of a NUL-terminated text that stays where it is."""
    buffer = ctypes.create_string_buffer(text.encode("utf-8"))
    _kept.append(buffer)
    return ctypes.addressof(buffer)


_kept: list[ctypes.Array[ctypes.c_char]] = []
