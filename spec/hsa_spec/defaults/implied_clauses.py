"""Which clauses a function has although nobody names them, and where they stand.

| Clause | Implied by | Stands |
| --- | --- | --- |
| `not-initialized` | a function that returns a status | first |
| `P-null` | a pointer that is not `nullable`, an array, flags or opaque | next, by parameters |
| `P-zero`, `P-unknown-handle` | an input of a type with `invalid` | before `success`, likewise |
| `out-of-resources` | its status in the list | between these and `success` |
| `success` | a function that returns a status | behind the last clause with conditions |
| `distinct` | a parameter with `ownership: creates` that is a handle | last |
| `failure-creates-nothing` | a parameter with `ownership: creates` | last |
| `nothing-kept` | a parameter with `ownership: consumes`, or a function that is `stable` | last |
| `driver-refuses` | a function that returns a status | last |
| `threads` | a function that returns a status | last |
| `same-answer` | a function that is `stable` | last |

None of them is implied where a clause with the same conditions is written, by whatever name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from hsa_spec.defaults.bodies import body
from hsa_spec.defaults.conditions import special
from hsa_spec.defaults.subject import Subject, is_pointer, words

_OUT_OF_RESOURCES = "HSA_STATUS_ERROR_OUT_OF_RESOURCES"
_OPTIONAL_ROLES = ("array", "opaque", "flags")


def implied(subject: Subject) -> list[str]:
    """Return the slugs of the clauses that a function has by its facts, in their order."""
    return [*_first(subject), *_before_success(subject), *_last(subject)]


def order(written: Mapping[str, Any], without: Collection[str], subject: Subject) -> Iterator[str]:
    """Yield the slugs of all clauses of a function in the order of the registry.

    Args:
        written: the clauses of its document by slug.
        without: what it lacks although a rule implies it.
        subject: the function.

    """
    conditions = {s: _conditions(s, clause, subject) for s, clause in written.items()}
    said = [c for c in conditions.values() if c]

    def silent(slugs: Iterator[str]) -> list[str]:
        unsaid = [s for s in slugs if s not in written and s not in without]
        return [s for s in unsaid if _conditions(s, None, subject) not in said]

    names = list(written)
    start = 1 if names[:1] == ["not-initialized"] else 0
    if "success" in written:
        end = names.index("success")
    else:
        end = max([start, *(i for i, s in enumerate(names, start=1) if conditions[s])])
    yield from names[:start]
    yield from silent(_first(subject))
    yield from names[start:end]
    yield from silent(_before_success(subject))
    yield from names[end:]
    yield from silent(_last(subject))


def _first(subject: Subject) -> Iterator[str]:
    if not subject.answers_status:
        return
    yield "not-initialized"
    for p in subject.params:
        if is_pointer(p) and not p.get("nullable") and p.get("role") not in _OPTIONAL_ROLES:
            yield f"{words(p)}-null"


def _before_success(subject: Subject) -> Iterator[str]:
    if not subject.answers_status:
        return
    for p in subject.params:
        if invalid := subject.invalid(p):
            if not is_pointer(p):
                yield f"{words(p)}-zero"
            yield f"{words(p)}-{invalid.slug}"
    if _OUT_OF_RESOURCES in subject.documented:
        yield "out-of-resources"
    yield "success"


def _last(subject: Subject) -> Iterator[str]:
    creating = [p for p in subject.params if p.get("ownership") == "creates"]
    if any(p.get("role") == "handle" for p in creating):
        yield "distinct"
    if creating:
        yield "failure-creates-nothing"
    if any(p.get("ownership") == "consumes" for p in subject.params) or subject.stable:
        yield "nothing-kept"
    if subject.answers_status:
        yield "driver-refuses"
        yield "threads"
    if subject.stable:
        yield "same-answer"


def _conditions(slug: str, written: Mapping[str, Any] | None, subject: Subject) -> list[str]:
    clause = {**body(slug, written or {}, subject), **(written or {})}
    return special(clause.get("when", ()))
