"""What the keys of a query mean: `topic:amd/vmem`, `verdict:FAIL@RUN` and the like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from hsa_conformance.engine.topic import Topics
from hsa_conformance.selection.query import QueryError
from hsa_reports import EventFileError, Run, Verdict, read_run
from hsa_reports.causes import causes_of
from hsa_spec import Clause, Registry, Strength


class Asking:
    """Says which clauses a key and a value stand for.

    Args:
        registry: the specification.
        topics: what the suite knows of the API, with its short names.

    """

    def __init__(self, registry: Registry, topics: Topics) -> None:
        self.registry = registry
        self.topics = topics
        self._keys: Mapping[str, Callable[[str], Iterable[str]]] = {
            "topic": self._topic,
            "function": self._function,
            "clause": self._clause,
            "strength": self._strength,
            "verdict": self._verdict,
            "cause": self._cause,
        }

    @property
    def keys(self) -> tuple[str, ...]:
        """Return what may be asked for."""
        return tuple(self._keys)

    def of(self, key: str, value: str) -> frozenset[str]:
        """Return the ids of the clauses.

        Raises:
            QueryError: there is nothing like the value; the message says what there is.

        """
        return frozenset(self._keys[key](value))

    def _topic(self, value: str) -> Iterable[str]:
        names = {*self.registry.topics, *self.topics.groups}
        chosen = {self.topics.groups.get(n, n) for n in _like(value, names, "topic or group")}
        for clause in self.registry.clauses.values():
            function, subject = self._about(clause)
            if chosen & {function.topic, subject.topic}:
                yield clause.id

    def _function(self, value: str) -> Iterable[str]:
        chosen = _like(value, {*self.registry.functions, *self.registry.rules}, "function or rule")
        for clause in self.registry.clauses.values():
            if not chosen.isdisjoint(each.name for each in self._about(clause)):
                yield clause.id

    def _about(self, clause: Clause) -> tuple[Any, Any]:
        return self.registry.functions[clause.function], self.registry.subject(clause)

    def _clause(self, value: str) -> Iterable[str]:
        return _like(value, self.registry.clauses, "clause")

    def _strength(self, value: str) -> Iterable[str]:
        chosen = _like(value, [str(strength) for strength in Strength], "strength")
        return (c.id for c in self.registry.clauses.values() if c.strength in chosen)

    def _verdict(self, value: str) -> Iterable[str]:
        """Yield the clauses with a verdict in a run, be it expected there or not."""
        wanted, run = _in_run(value)
        if run is None:
            raise QueryError(f"say in which run: verdict:{value}@RUN")
        chosen = _like(wanted, [str(verdict) for verdict in Verdict], "verdict")
        for clause, verdict in run.verdicts.items():
            found = {str(verdict), *(str(r.known) for r in run.by_clause[clause] if r.known)}
            if not chosen.isdisjoint(found):
                yield from self._still(clause)

    def _cause(self, value: str) -> Iterable[str]:
        """Yield the clauses of a cause: those that fail in a run, or that baselines know."""
        wanted, run = _in_run(value)
        if run is None:
            pairs = _known(self.registry)
        else:
            pairs = frozenset((c.id, clause) for c in causes_of(run) for clause in c.clauses)
        chosen = _like(wanted, {cause for cause, _ in pairs}, "cause")
        for cause, clause in pairs:
            if cause in chosen:
                yield from self._still(clause)

    def _still(self, clause: str) -> Iterable[str]:
        """Yield a clause, unless there is no such clause any more."""
        if clause in self.registry.clauses:
            yield clause


def _like(value: str, names: Iterable[str], what: str) -> frozenset[str]:
    """Return the names that are a value, or that it stands for with `*` and `?`.

    Raises:
        QueryError: there is none.

    """
    known = sorted(names)
    found = frozenset(name for name in known if fnmatchcase(name, value))
    if found:
        return found
    near = get_close_matches(value, known, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {_some(known)}"
    raise QueryError(f"{value!r} is no {what}; {hint}" if known else f"there is no {what} there")


def _some(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 16 else f"{', '.join(names[:8])}, ..."


def _in_run(value: str) -> tuple[str, Run | None]:
    """Return what is asked for, and the run in which, if one is named behind an `@`."""
    wanted, at, name = value.partition("@")
    return wanted, _run(name) if at else None


@cache
def _run(name: str) -> Run:
    """Return an earlier run.

    Raises:
        QueryError: there is none of that name, or it cannot be read.

    """
    try:
        return read_run(Path(name))
    except EventFileError as error:
        raise QueryError(str(error)) from None


def _known(registry: Registry) -> frozenset[tuple[str, str]]:
    """Return the causes that the suite's own baselines know, each with a clause."""
    from hsa_conformance.baselines import baseline_names, read_baseline

    baselines = (read_baseline(name, registry) for name in baseline_names())
    entries = (entry for baseline in baselines for entry in baseline.entries)
    return frozenset((entry.finding, entry.clause) for entry in entries if entry.finding)
