"""The page with the status codes: what each means, who lists it, and which clauses lead to it."""

from __future__ import annotations

from collections import Counter

from hsa_spec.model import Registry
from hsa_spec.pages.markup import INDEX, Words, code, table

_INTRODUCTION = """\
# Statuses

What functions answer, and what callbacks are told. The last columns count the functions whose text
lists a status, and the clauses that lead to it; `hsa-conformance spec show STATUS` names them. No
header says what text hsa_status_string has for a status; ROCr's begins with its name."""


def statuses_page(registry: Registry, words: Words) -> str:
    """Return the page, without the mark."""
    listed = Counter(status for f in registry.functions.values() for status in f.documented)
    answered = Counter(status for c in registry.clauses.values() for status in c.status)
    rows = [
        (
            f"{e.value:#x}",
            code(e.name),
            words.prose(e.summary),
            str(e.versions),
            str(listed[e.name]),
            str(answered[e.name]),
        )
        for e in registry.enums["hsa_status_t"].enumerators
    ]
    heads = ("Value", "Name", "Meaning", "Exists", "Functions", "Clauses")
    return f"{words.prose(_INTRODUCTION)} [Index]({words.url(INDEX)}).\n\n{table(heads, rows)}\n"
