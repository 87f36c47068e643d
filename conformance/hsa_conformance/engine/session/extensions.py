"""Extensions that an implementation need not have: which it says that it lacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.session.session import Session
from hsa_spec import Clause, Function, Registry
from hsa_spec.layout import place_of

#: What the system says of extensions: a bit for each.
MASK: Final = "HSA_SYSTEM_INFO_EXTENSIONS"

#: The extension without which a clause that needs something cannot be shown, by the need.
NEEDED: Final[Mapping[str, str]] = {"finalizer": "HSA_EXTENSION_FINALIZER"}

_QUERY: Final = "hsa_system_get_info"


def has_bit(mask: bytes, number: int) -> bool:
    """Return whether the bit of an extension is set in a mask."""
    return number // 8 < len(mask) and bool(mask[number // 8] >> number % 8 & 1)


def denied(session: Session) -> frozenset[str]:
    """Return the names of the extensions that have no bit in the mask, none where it is unknown."""
    registry = session.registry
    if not session.offers(_QUERY):
        return frozenset()
    try:
        answer = session.call(_QUERY, attribute=registry.constants[MASK], value=Out())
    except Ended:
        return frozenset()  # that it died is for the clauses of the query to say
    mask = answer.outputs["value"]
    if not answer.ok or mask is None or answer.untouched("value"):
        return frozenset()
    extensions = registry.enums["hsa_extension_t"].enumerators
    return frozenset(e.name for e in extensions if not has_bit(mask, e.value))


def needed(clause: Clause, function: Function, registry: Registry) -> str | None:
    """Return the extension without which nothing can be shown of a clause, None without such.

    A runtime that fills a table with the functions of a library of its own, such as the profiler's,
    does so where it finds that library, and only then has a bit for the extension.

    Args:
        clause: the clause.
        function: the function that it is about.
        registry: the specification.

    """
    if function.export == "library" and (place := place_of(function.name, registry)):
        return place.extension.name
    return next((NEEDED[need] for need in clause.needs if need in NEEDED), None)
