"""Where the headers' own text is wrong or contradicts itself.

Most of it follows from the clauses that the registry calls contested. The rest, which no clause
shows, is a list kept by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
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

    """

    function: str
    defect: str
    note: str
    clause: str | None = None


def text_defects(registry: Registry, path: Path = DEFECTS) -> tuple[TextDefect, ...]:
    """Return the defects of the text, in the order of the registry's functions.

    Args:
        registry: where contested clauses are read, and functions looked up.
        path: the list kept by hand.

    Raises:
        RegistryError: the list is malformed, or names a function that the registry lacks.

    """
    order = list(registry.functions)
    found = [*_contested(registry), *_by_hand(registry, path)]
    return tuple(sorted(found, key=lambda defect: order.index(defect.function)))


def _contested(registry: Registry) -> Iterator[TextDefect]:
    for clause in registry.clauses.values():
        if clause.contested:
            note = "Every reading passes."
            yield TextDefect(clause.function, clause.contested, note, clause.id)


def _by_hand(registry: Registry, path: Path) -> Iterator[TextDefect]:
    documents = list(read_documents(path))
    check_documents(documents, SCHEMA)
    for document in documents:
        for index, row in enumerate(document.data["defects"]):
            if row["function"] not in registry.functions:
                place: list[str | int] = ["defects", index, "function"]
                raise document.error(place, f"{row['function']} is not in the registry")
            yield TextDefect(row["function"], row["defect"], row["note"])
