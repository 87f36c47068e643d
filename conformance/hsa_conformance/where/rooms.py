"""Where the parts of a topic are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hsa_conformance import source_tree, topics
from hsa_conformance.engine.topic import Topics
from hsa_conformance.where.place import Place
from hsa_conformance.where.texts import assigned
from hsa_reference.topics import TOPICS as REFERENCE
from hsa_spec import Registry
from hsa_spec.conditions import vocabulary


def room(topic: str) -> Iterator[Place]:
    """Yield where the room of a topic begins, nothing for one that the suite lacks."""
    path = _folder(topic) / "__init__.py"
    if path.is_file():
        yield Place(path, assigned(path, "TOPIC") or 1, f"the room of {topic}")


def modules(topic: str) -> Iterator[Path]:
    """Yield the files of a topic's room."""
    yield from sorted(_folder(topic).rglob("*.py"))


def places(registry: Registry, known: Topics, name: str) -> Iterator[Place]:
    """Yield the places of a topic, by its name or its short name."""
    topic = known.groups.get(name, name)
    if topic not in registry.topics:
        return
    yield Place(registry.root / f"{topic}.yaml", 1, f"the documents of {topic}")
    words = Path(vocabulary.__file__).parent / f"{topic}.py"
    if words.is_file():
        yield Place(words, assigned(words, "WORDS") or 1, "the words of its conditions")
    yield from room(topic)
    for module in REFERENCE:
        if module.__name__.endswith(f".{topic.replace('/', '.')}"):
            yield Place(Path(str(module.__file__)), 1, "in the reference")
    folder = source_tree.golden()
    if folder and (path := folder / f"{topic}.yaml").is_file():
        yield Place(path, 1, "its golden cases")


def _folder(topic: str) -> Path:
    return Path(topics.__file__).parent / topic
