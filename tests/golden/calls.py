"""Calls of golden cases: from named arguments to raw ones, and from memory back to values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hsa_adapters.calls import Argument, Call, Callback, Outcome
from hsa_adapters.protocol import Process
from hsa_spec.yaml_file import read_yaml
from tests.golden.expressions import Value, number

Lookup = Callable[[str], Value]
Outputs = dict[str, Value]

UNTOUCHED = 0xA5
"""Outputs hold this byte before the call, so that what was not written shows."""

_SCALARS = {"u8": (1, False), "u16": (2, False), "u32": (4, False), "u64": (8, False)}
_SCALARS |= {"i32": (4, True), "i64": (8, True)}


@cache
def signatures() -> Mapping[str, Any]:
    """Return the hand-written table of functions, structs and enumerators."""
    path = Path(__file__).with_name("signatures.yaml")
    table: Mapping[str, Any] = read_yaml(path)
    return table


@cache
def operations() -> Mapping[str, list[dict[str, str]]]:
    """Return the parameters of the functions that return a number or nothing, by name."""
    return {
        name: parameters
        for family, parameters in signatures()["operations"].items()
        for name in _family(family)
    }


def _family(text: str) -> list[str]:
    """Return the names that a text with alternatives, such as `load_{relaxed|acquire}`, means."""
    before, brace, rest = text.partition("{")
    if not brace:
        return [text]
    words, _, after = rest.partition("}")
    return [name for word in words.split("|") for name in _family(f"{before}{word}{after}")]


def size_of(type_name: str) -> int:
    """Return the size in bytes of a scalar, an array such as `u8[128]`, or a struct."""
    element, _, count = type_name.rstrip("]").partition("[")
    if element in _SCALARS:
        return _SCALARS[element][0] * int(count or 1)
    return int(signatures()["structs"][element]["size"])


def decode(type_name: str, data: bytes) -> Value:
    """Read a scalar, or an array as a row of numbers."""
    element, _, count = type_name.rstrip("]").partition("[")
    size, signed = _SCALARS[element]
    row = tuple(
        int.from_bytes(data[at : at + size], "little", signed=signed)
        for at in range(0, len(data), size)
    )
    return row if count else row[0]


class PreparedCall:
    """One call with its arguments placed in the process's scratch memory.

    Args:
        process: where the call will be made.
        function: the function's name.
        given: the arguments by name, as the case writes them.
        lookup: gives the value of a name in an expression.

    Raises:
        ValueError: an argument is missing, unknown, or written in the wrong form.

    """

    def __init__(
        self, process: Process, function: str, given: Mapping[str, Any], lookup: Lookup
    ) -> None:
        parameters = _parameters(function)
        if given.keys() != parameters.keys():
            raise ValueError(
                f"{function} takes {', '.join(parameters) or 'nothing'}, "
                f"the case gives {', '.join(given) or 'nothing'}"
            )
        self._lookup = lookup
        self._next, size = process.scratch
        self._end = self._next + size
        self._writes: list[tuple[int, bytes]] = []
        self._outputs: list[tuple[str, str, int]] = []
        self._callback: str | None = None
        args = tuple(self._argument(name, parameters[name], given[name]) for name in parameters)
        reads = tuple((address, size_of(kind)) for _, kind, address in self._outputs)
        self.call = Call(function, args, tuple(self._writes), reads)

    def outputs(self, outcome: Outcome) -> Outputs:
        """Return what the call wrote, and what its callbacks were given, by name."""
        found: Outputs = {}
        for (name, kind, _), data in zip(self._outputs, outcome.reads, strict=True):
            if data is None:
                raise ValueError(f"{self.call.function}: the scratch memory cannot be read")
            if kind in signatures()["structs"]:
                for field, place in signatures()["structs"][kind]["fields"].items():
                    end = place["offset"] + size_of(place["type"])
                    found[f"{name}.{field}"] = decode(place["type"], data[place["offset"] : end])
            else:
                found[name] = decode(kind, data)
        if self._callback:
            # What is visited comes last, but for the data.
            found[self._callback] = tuple((seen[:-1] or seen)[-1] for seen in outcome.callbacks)
            found[f"{self._callback}_data"] = tuple(seen[-1] for seen in outcome.callbacks)
        return found

    def _argument(self, name: str, kind: str, given: Any) -> Argument:
        form, _, type_name = kind.partition(" ")
        if given is None:
            return 0
        match form, given:
            case "value", int() | str():
                return number(given, self._lookup)
            case "text", str():
                return self._place(given.encode() + b"\0")
            case "out", "out":
                return self._output(name, type_name, {})
            case "buffer", {"out": str() as wanted}:
                return self._output(name, wanted, {})
            case "inout", dict():
                return self._output(name, type_name, given)
            case "array", list():
                return self._place(b"".join(self._encode(type_name, item) for item in given))
            case "callback", list():
                self._callback = name
                return Callback(type_name, tuple(number(item, self._lookup) for item in given))
            case "allocator", "allocate":
                self._callback = name
                return Callback(type_name, allocate=True)
        raise ValueError(f"{name} cannot be given as {given!r}; it is a parameter of kind {kind!r}")

    def _output(self, name: str, type_name: str, fields: Mapping[str, Any]) -> int:
        content = bytearray([UNTOUCHED] * size_of(type_name))
        self._fill(content, type_name, fields)
        address = self._place(bytes(content))
        self._outputs.append((name, type_name, address))
        return address

    def _encode(self, type_name: str, item: Any) -> bytes:
        if type_name in _SCALARS:
            size = size_of(type_name)
            return (number(item, self._lookup) % (1 << 8 * size)).to_bytes(size, "little")
        content = bytearray(size_of(type_name))
        self._fill(content, type_name, item)
        return bytes(content)

    def _fill(self, content: bytearray, type_name: str, fields: Mapping[str, Any]) -> None:
        for field, item in fields.items():
            place = signatures()["structs"][type_name]["fields"][field]
            data = self._encode(place["type"], item)
            content[place["offset"] : place["offset"] + len(data)] = data

    def _place(self, data: bytes) -> int:
        address = self._next
        self._next = -(-(address + len(data)) // 16) * 16 + 16
        if self._next > self._end:
            raise ValueError("the process's scratch memory is too small for this call")
        self._writes.append((address, data))
        return address


def _parameters(function: str) -> dict[str, str]:
    try:
        entries: list[dict[str, str]] = (signatures()["functions"] | operations())[function]
    except KeyError:
        raise ValueError(f"{function} is not in golden/signatures.yaml; add it there") from None
    return {name: kind for entry in entries for name, kind in entry.items()}
