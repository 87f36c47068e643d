"""The memory that a call uses, by ranges: of one copy, of the rows of a box, or of a batch."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from hsa_reference.checking import own_memory
from hsa_spec import Function, Registry, Struct
from hsa_spec.releases import Release

_BATCH, _OPERATION = "hsa_amd_memory_async_batch_copy", "hsa_amd_memory_copy_op_t"
_BOX: Final = "hsa_amd_memory_async_copy_rect"
# Kinds of operations of a batch, and the first version of their structure. Of a side that is
# indirect nobody knows where it leads before the copy begins.
_BROADCAST, _INDIRECT_SOURCE, _INDIRECT_TARGET = 1, 3, 4
_VERSION: Final = 1
# hsa_pitched_ptr_t and hsa_dim3_t.
_PITCHED, _DIM3 = struct.Struct("=QQQ"), struct.Struct("=III")


@dataclass(frozen=True)
class Span:
    """Memory that a call reads or writes.

    Attributes:
        parameter: the one that has its address, or leads to it.
        address: of the first byte.
        size: in bytes.
        whole: whether each of the bytes is used, and not only the first and the last.

    """

    parameter: str
    address: int
    size: int
    whole: bool = True


# The parameters that are addresses, the one that says how much lies there, and in which unit.
_SPANS: Mapping[str, tuple[tuple[str, ...], str, int]] = {
    "hsa_memory_copy": (("dst", "src"), "size", 1),
    "hsa_amd_memory_async_copy": (("dst", "src"), "size", 1),
    "hsa_amd_memory_async_copy_on_engine": (("dst", "src"), "size", 1),
    "hsa_amd_memory_fill": (("ptr",), "count", 4),
}

Spans = Callable[[Sequence[int]], Iterator[Span]]


def spans_of(function: Function, registry: Registry, release: Release) -> Spans | None:
    """Return what yields the memory that a call uses, None where a function uses none.

    Args:
        function: the function.
        registry: the specification.
        release: what the runtime says that it is; layouts that it does not have are not read.

    """
    if function.name == _BOX:
        return _boxes
    if function.name == _BATCH:
        operation = registry.structs[_OPERATION]
        known = release.has(operation.field["version"].versions)
        return _batches(operation) if known else None
    if function.name not in _SPANS:
        return None
    names = [p.name for p in function.params]
    addresses, size, unit = _SPANS[function.name]
    places = [(name, names.index(name)) for name in addresses]
    length = names.index(size)

    def spans(args: Sequence[int]) -> Iterator[Span]:
        if args[length]:
            yield from (Span(n, args[i], args[length] * unit) for n, i in places if args[i])

    return spans


def _boxes(args: Sequence[int]) -> Iterator[Span]:
    """Yield the memory of a copy of a box: all of each side, and its first and last row."""
    extent = _read(_DIM3, args[4])
    if extent is None or not all(extent):
        return
    width, height, depth = extent
    for name, place in (("dst", 0), ("src", 2)):
        where, start = _read(_PITCHED, args[place]), _read(_DIM3, args[place + 1])
        if where is None or start is None or not where[0]:
            continue
        base, pitch, slice_ = where
        x, y, z = start
        first = base + z * slice_ + y * pitch + x
        last = first + (depth - 1) * slice_ + (height - 1) * pitch
        yield Span(name, first, last + width - first, whole=False)
        for row in {first, last}:
            yield Span(name, row, width)


def _batches(operation: Struct) -> Spans:
    """Return what yields the memory of the copies of a batch."""
    fields = {f.name: (f.offset, f.offset + f.size) for f in operation.fields}

    def spans(args: Sequence[int]) -> Iterator[Span]:
        address, count = args[:2]
        if not 0 < count <= own_memory.LONGEST:
            return
        found = own_memory.read(address, count * operation.size) or b""
        for number in range(len(found) // operation.size):
            data = found[number * operation.size : (number + 1) * operation.size]
            members = {n: int.from_bytes(data[a:b], "little") for n, (a, b) in fields.items()}
            for span in _operation(members):
                parameter = f"copy_ops[{number}].{span.parameter}"
                yield Span(parameter, span.address, span.size)

    return spans


def _operation(o: Mapping[str, int]) -> Iterator[Span]:
    """Yield the memory of one operation, as far as it is certain before the copy begins."""
    kind = o["type"]
    if o["version"] != _VERSION or kind > _INDIRECT_TARGET:
        return
    for name in ("dst", "src"):
        indirect = _INDIRECT_TARGET if name == "dst" else _INDIRECT_SOURCE
        if kind == indirect:
            continue
        alone = o["num_entries"] == 0 or (kind == _BROADCAST and name == "src")
        sizes = _sizes(o)
        addresses = (o[name],) if alone else _list(o[name], o["num_entries"])
        what = name if alone else f"{name}_list"
        for index, (address, size) in enumerate(zip(addresses, sizes, strict=False)):
            if address and size:
                yield Span(what if alone else f"{what}[{index}]", address, size)


def _sizes(o: Mapping[str, int]) -> Iterator[int] | tuple[int, ...]:
    """Return the sizes of an operation's copies."""
    if o["num_entries"] == 0 or o["type"] == _BROADCAST:
        return repeat(o["size"])
    return _list(o["size_list"], o["num_entries"])


def _list(address: int, count: int) -> tuple[int, ...]:
    return own_memory.words(address, count) or ()


def _read(structure: struct.Struct, address: int) -> tuple[int, ...] | None:
    found = own_memory.read(address, structure.size)
    return None if found is None else structure.unpack(found)
