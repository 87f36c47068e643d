"""Where the parts of a function are: its document, its topic's room, its effects, its evidence."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.topic import Topics
from hsa_conformance.where import evidence, rooms
from hsa_conformance.where.declarations import document
from hsa_conformance.where.place import Place, few, of_code
from hsa_conformance.where.texts import assigned
from hsa_reference.topics import effects
from hsa_spec import Function, Registry


def places(registry: Registry, topics: Topics, name: str, most: int | None) -> Iterator[Place]:
    """Yield the places of a function."""
    function = registry.functions.get(name)
    if function is None:
        return
    yield from document(registry, function)
    yield from rooms.room(function.topic)
    if name in topics.rules.transitions:
        yield of_code("what a success changes in the model", topics.rules.transitions[name])
    yield from _clean_up(topics, name)
    yield from few(_properties(topics, function), most)
    if name in effects():
        yield of_code("in the reference", effects()[name])
    ids = [clause.id for clause in function.clauses]
    yield from few(evidence.golden_cases(name), most)
    yield from few(evidence.findings(ids), most)
    yield from few(evidence.known_failures(ids), most)


def _clean_up(topics: Topics, name: str) -> Iterator[Place]:
    """Yield where a topic says that the function gives its objects back."""
    for topic in topics.by_name.values():
        kinds = [clean_up.kind for clean_up in topic.clean_up if clean_up.function == name]
        for path in rooms.modules(topic.name) if kinds else ():
            if line := assigned(path, "CLEAN_UP"):
                yield Place(path, line, f"clean-up of each {' and '.join(kinds)}")


def _properties(topics: Topics, function: Function) -> Iterator[Place]:
    for clause in function.clauses:
        for proof in topics.properties.get(clause.id, ()):
            yield of_code(f"property of {clause.slug}", proof.body)
