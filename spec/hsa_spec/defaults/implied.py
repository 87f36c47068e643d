"""Which clauses a function has although nobody names them, and where they stand.

| Clause | Implied by | Stands |
| --- | --- | --- |
| `not-initialized` | a function that returns a status | first |
| `P-null` | a pointer, no array and not `nullable` | behind it, by parameters |
| `P-zero`, `P-unknown-handle` | a handle that is an input, of a type with `invalid` | likewise |
| `out-of-resources` | its status in the list | behind the last that has conditions |
| `success` | a function that returns a status | behind that |
| `failure-creates-nothing` | a parameter with `ownership: creates` | last |
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from hsa_spec.defaults.bodies import body
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

    def silent(slugs: Iterator[str]) -> list[str]:
        return [s for s in slugs if not {s, _other_name(s)} & {*written, *without}]

    names = list(written)
    start = 1 if names[:1] == ["not-initialized"] else 0
    if "success" in written:
        end = names.index("success")
    else:
        conditional = [i for i, s in enumerate(names) if _has_condition(s, written[s], subject)]
        end = max([*(i + 1 for i in conditional), start])
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
    if any(p.get("ownership") == "creates" for p in subject.params):
        yield "failure-creates-nothing"


def _other_name(slug: str) -> str:
    """Return the other name of a clause about a value that nothing gave."""
    if slug.endswith("-invalid"):
        return slug.replace("-invalid", "-unknown-handle")
    return slug.replace("-unknown-handle", "-invalid")


def _has_condition(slug: str, written: Mapping[str, Any] | None, subject: Subject) -> bool:
    said = written or {}
    return "when" in {**body(slug, said, subject), **said}
