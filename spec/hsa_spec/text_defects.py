"""Where the headers' own text is wrong or contradicts itself.

Most of it follows from the clauses that the registry calls contested. The rest is a list kept by
hand: what no clause shows, and what the clauses of one slug show of all functions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.documents import check_documents, read_documents
from hsa_spec.model import Registry

DEFECTS = Path(__file__).with_name("text_defects.yaml")
SCHEMA = Path(__file__).with_name("text_defects.schema.json")


@dataclass(frozen=True)
class TextDefect:
    """One thing that is wrong with the text.

    Args:
        function: the function that the text is about.
        defect: what is wrong.
        note: what the registry makes of it.
        clause: the id of the contested clause that shows it, or None.
        slug: the slug of the contested clauses, of any function, that show it, or None.

    """

    function: str
    defect: str
    note: str
    clause: str | None = None
    slug: str | None = None


def text_defects(registry: Registry, path: Path = DEFECTS) -> tuple[TextDefect, ...]:
    """Return the defects of the text, in the order of the registry's functions.

    Args:
        registry: where contested clauses are read, and functions looked up.
        path: the list kept by hand.

    Raises:
        RegistryError: the list is malformed, or names a function that the registry lacks.

    """
    order = list(registry.functions)
    by_hand = list(_by_hand(registry, path))
    found = [*_contested(registry, {d.slug for d in by_hand}), *by_hand]
    return tuple(sorted(found, key=lambda defect: order.index(defect.function)))


def _contested(registry: Registry, known: Collection[str | None]) -> Iterator[TextDefect]:
    for clause in registry.clauses.values():
        if clause.contested and clause.slug not in known:
            note = "Any of these answers is right."
            yield TextDefect(clause.function, f"{clause.contest}.", note, clause.id)


def _by_hand(registry: Registry, path: Path) -> Iterator[TextDefect]:
    documents = list(read_documents(path))
    check_documents(documents, SCHEMA)
    for document in documents:
        for index, row in enumerate(document.data["defects"]):
            if row["function"] not in registry.functions:
                place: list[str | int] = ["defects", index, "function"]
                raise document.error(place, f"{row['function']} is not in the registry")
            slug = row.get("slug")
            yield TextDefect(row["function"], row["defect"], row["note"], slug=slug)
