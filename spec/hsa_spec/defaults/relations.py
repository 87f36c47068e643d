"""The clauses that documents of attributes stand for.

| In the document of an attribute | Clause of the function that reports it |
| --- | --- |
| `reports: node.fact` | `reports-NAME`, by the end of the attribute's name: the value is the fact |
| `reports: {one_of: caches.fact}` | likewise: the value is one of the facts |
| `reports: {holds: condition, states: ...}` | likewise: the condition holds |
| `invariants: {slug: {holds: condition, states: ...}}` | `slug`: the condition holds |

What is reported is the runtime's: it has the driver's word for it. It is `should`, and `must` where
the text states whose number it is and in which unit: a value in another unit breaks that text.
`note`, `strength`, `where` (for which objects) and `decided_by` are as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hsa_spec.documents import Document

_COPIED: Final = ("strength", "decided_by", "needs")


def with_relations(documents: Sequence[Document]) -> list[Document]:
    """Return the documents; functions have the clauses that their attributes stand for.

    Raises:
        RegistryError: a function has a clause of this name already, or there is no such function.

    """
    deprecated = {d.data["function"]: "deprecated" in d.data for d in documents if _function(d)}
    since = {
        row["name"]: {key: row[key] for key in ("since", "until") if key in row}
        for d in documents
        for row in d.data.get("enumerators", ())
    }
    found: dict[str, dict[str, Any]] = {}
    for document in documents:
        if "attributes" not in document.data:
            continue
        for name, attribute in document.data["values"].items():
            asked = attribute.get("asked_by", document.data.get("asked_by", ()))
            for slug, relation in relations_of(name, attribute):
                function = asking(asked, deprecated)
                if function is None:
                    raise document.error(["values", name], f"no function here reports {name}")
                clauses = found.setdefault(function, {})
                if slug in clauses:
                    raise document.error(["values", name], f"{function}/{slug} is used twice")
                clauses[slug] = {**_clause(name, relation), **since.get(name, {})}
    return [_completed(d, found.get(d.data.get("function", ""), {})) for d in documents]


def asking(functions: Sequence[str], deprecated: Mapping[str, bool]) -> str | None:
    """Return which of the functions that report an attribute has the clauses about it.

    Args:
        functions: those that report it.
        deprecated: whether each function that there is is deprecated.

    """
    there = [f for f in functions if f in deprecated]
    return next((f for f in there if not deprecated[f]), there[0] if there else None)


def relations_of(name: str, attribute: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the slug and the whole of each relation that the document of an attribute has."""
    if "reports" in attribute:
        yield f"reports-{_end(name)}", _reported(name, attribute["reports"])
    for slug, relation in attribute.get("invariants", {}).items():
        yield slug, {"strength": "must", **relation}


def _reported(name: str, written: str | Mapping[str, Any]) -> dict[str, Any]:
    data = {"fact": written} if isinstance(written, str) else dict(written)
    base = {"strength": "should", "decided_by": "runtime"}
    if "fact" in data:
        fact = data.pop("fact")
        own = {"holds": f"value == {fact}", "states": f"{name} is {fact} of the driver's files."}
    elif "one_of" in data:
        facts = data.pop("one_of")
        own = {
            "holds": f"value in {facts}",
            "states": f"{name} is one of {facts} of the driver's files.",
        }
    else:
        own = {}
    return {**base, **own, **data}


def _clause(name: str, relation: Mapping[str, Any]) -> dict[str, Any]:
    source = {"enumerator": name}
    if "note" in relation:
        source["note"] = relation["note"]
    copied = {key: relation[key] for key in _COPIED if key in relation}
    return {"states": relation["states"], "source": source, **copied}


def _end(name: str) -> str:
    return name.partition("_INFO_")[2].lower().replace("_", "-")


def _function(document: Document) -> bool:
    return "function" in document.data


def _completed(document: Document, clauses: Mapping[str, Any]) -> Document:
    if not clauses:
        return document
    written = document.data.get("clauses") or {}
    for slug, clause in clauses.items():
        if slug not in written:
            continue
        # A document in full has them, and is read like any other.
        if written[slug].get("source", {}).get("enumerator") != clause["source"]["enumerator"]:
            raise document.error(["clauses", slug], f"an attribute has a clause {slug!r}, too")
    return replace(
        document,
        data={
            **document.data,
            "clauses": {**written, **{k: v for k, v in clauses.items() if k not in written}},
        },
    )
