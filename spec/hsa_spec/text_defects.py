"""Where the headers' own text is wrong or contradicts itself.

Most of it follows from the clauses that the registry calls contested. The rest is a list kept by
hand: what no clause shows, and what clauses show of all functions: those of one slug, or those that
cite one section of the specification.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.documents import check_documents, read_documents
from hsa_spec.model import SPECIFICATION, Registry

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
        section: the section of the specification that contested clauses cite which show it, or
            None.

    """

    function: str
    defect: str
    note: str
    clause: str | None = None
    slug: str | None = None
    section: str | None = None


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
    found = [*_contested(registry, by_hand), *by_hand]
    return tuple(sorted(found, key=lambda defect: order.index(defect.function)))


def _contested(registry: Registry, by_hand: Sequence[TextDefect]) -> Iterator[TextDefect]:
    slugs, sections = {d.slug for d in by_hand}, {d.section for d in by_hand}
    for clause in registry.clauses.values():
        cited = {r.source.section for r in clause.contested if r.source.header == SPECIFICATION}
        if clause.contested and clause.slug not in slugs and cited.isdisjoint(sections):
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
            shown = {key: row[key] for key in ("slug", "section") if key in row}
            yield TextDefect(row["function"], row["defect"], row["note"], **shown)
