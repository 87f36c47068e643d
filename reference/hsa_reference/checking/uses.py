"""The objects that a call names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from hsa_reference.checking import own_memory
from hsa_reference.checking.lifetimes import kind_of, kind_of_elements
from hsa_spec import Function

Names = Callable[[Sequence[int]], Iterator[tuple[str, str, int]]]


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
            for number, key in enumerate(own_memory.words(args[index], args[length]) or ()):
                if key:
                    yield f"{name}[{number}]", kind, key

    return found
