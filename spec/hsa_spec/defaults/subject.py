"""A function as the rules see it: its parameters, its list of statuses, what is written of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hsa_spec.defaults.facts import Facts, Invalid


@dataclass(frozen=True)
class Subject:
    """A function whose clauses are completed.

    Args:
        name: its name.
        header: the header that declares it.
        result: the C type that it returns.
        params: its parameters, as documents write them.
        documented: the statuses that its text lists, in full.
        facts: what the other documents say.
        stable: whether other calls do not change what it tells.

    """

    name: str
    header: str
    result: str
    params: Sequence[Mapping[str, Any]]
    documented: Sequence[str]
    facts: Facts
    stable: bool = False

    @property
    def answers_status(self) -> bool:
        """Return whether the function returns a status, and not a value or nothing."""
        return self.result == "hsa_status_t"

    def param(self, slug: str, end: str) -> Mapping[str, Any] | None:
        """Return the parameter that a slug such as `agent-zero` is about, if it ends so."""
        if not slug.endswith(end):
            return None
        wanted = slug.removesuffix(end)
        return next((p for p in self.params if words(p) == wanted), None)

    def invalid(self, param: Mapping[str, Any]) -> Invalid | None:
        """Return how a bad value of an input is noticed, if its type says so."""
        if param["direction"] != "in":
            return None
        return self.facts.invalid.get(param["type"].removeprefix("const "))

    def reserves_zero(self, param: Mapping[str, Any]) -> bool:
        """Return whether a text that binds the function says of 0 that it is no such handle."""
        invalid = self.invalid(param)
        return invalid is not None and invalid.reserved in ("hsa.h", self.header)


def words(param: Mapping[str, Any]) -> str:
    """Return the name of a parameter as slugs write it."""
    name: str = param["name"]
    return name.replace("_", "-").lower()


def is_pointer(param: Mapping[str, Any]) -> bool:
    """Return whether the value of a parameter can be NULL."""
    ctype: str = param["type"]
    return ctype.endswith("*") or ctype.startswith("callback:")
