"""What a call uses: memory by ranges, and objects by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hsa_reference.checking import own_memory
from hsa_reference.checking.lifetimes import kind_of, kind_of_elements
from hsa_spec import Function

#: No array of names is longer than this; what a wrong count leads to is not read.
_LONGEST = 4096


@dataclass(frozen=True)
class Span:
    """Memory that a call reads or writes.

    Attributes:
        parameter: the one that has its address.
        address: of the first byte.
        size: in bytes.

    """

    parameter: str
    address: int
    size: int


# The parameters that are addresses, the one that says how much lies there, and in which unit.
_SPANS: Mapping[str, tuple[tuple[str, ...], str, int]] = {
    "hsa_memory_copy": (("dst", "src"), "size", 1),
    "hsa_amd_memory_async_copy": (("dst", "src"), "size", 1),
    "hsa_amd_memory_async_copy_on_engine": (("dst", "src"), "size", 1),
    "hsa_amd_memory_fill": (("ptr",), "count", 4),
}

Spans = Callable[[Sequence[int]], Iterator[Span]]
Names = Callable[[Sequence[int]], Iterator[tuple[str, str, int]]]


def spans_of(function: Function) -> Spans | None:
    """Return what yields the memory that a call uses, None where a function uses none."""
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


def names_of(function: Function) -> Names | None:
    """Return what yields the objects that a call names: parameter, kind, handle or address."""
    names = [p.name for p in function.params]
    single = [(p.name, kind, i) for i, p in enumerate(function.params) if (kind := kind_of(p))]
    arrays = [
        (p.name, kind, i, names.index(p.length))
        for i, p in enumerate(function.params)
        if (kind := kind_of_elements(p)) and p.length in names
    ]
    if not single and not arrays:
        return None

    def found(args: Sequence[int]) -> Iterator[tuple[str, str, int]]:
        for name, kind, index in single:
            if args[index]:
                yield name, kind, args[index]
        for name, kind, index, length in arrays:
            count = args[length]
            if args[index] and 0 < count <= _LONGEST:
                for number, key in enumerate(own_memory.words(args[index], count) or ()):
                    if key:
                        yield f"{name}[{number}]", kind, key

    return found
