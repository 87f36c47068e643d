"""Where the registry declares a thing: a function, a type, a macro, a table, a rule."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.where.place import Place, few
from hsa_spec import Attribute, Clause, Registry, Rule
from hsa_spec.model import Declared
from hsa_spec.places import document_of, kind_of, place_of


def document(registry: Registry, declared: Declared | Rule) -> Iterator[Place]:
    """Yield where the document of a declaration is, and of which family it is one."""
    path, line = place_of(registry, declared)
    found = document_of(registry, declared)
    if found is None:
        return
    expanded, written = found
    kind = kind_of(expanded)
    family = f", of the family {written.data[kind]}" if "family" in written.data else ""
    yield Place(path, line or 1, f"{kind} {declared.name}{family}")


def users(registry: Registry, name: str) -> Iterator[Place]:
    """Yield the documents of the functions that have a parameter of a type, or give it back."""
    for function in registry.functions.values():
        types = (function.result, *(p.type for p in function.params))
        if any(name in t.replace("*", " ").replace(":", " ").split() for t in types):
            path, line = place_of(registry, function)
            yield Place(path, line or 1, f"used by {function.name}")


def places(registry: Registry, name: str, most: int | None) -> Iterator[Place]:
    """Yield the places of a type, a macro, a table or a rule."""
    found = registry.find(name)
    if found is None or isinstance(found, Clause | Attribute) or name in registry.functions:
        return
    yield from document(registry, found)
    yield from few(users(registry, name), most)
