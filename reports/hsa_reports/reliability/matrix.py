"""Clauses by run and machine: what holds, what fails, and what nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from hsa_reports.events import BASELINE
from hsa_reports.result import Result
from hsa_reports.run import Run
from hsa_reports.verdicts import BROKEN, Verdict, worst
from hsa_spec import Registry, Strength

_BINDING = (Strength.MUST, Strength.SHOULD)


class Standing(StrEnum):
    """What a run says of a clause to somebody who relies on it."""

    HOLDS = "holds"
    FAILS = "fails"
    IMITATED = "imitated"
    UNKNOWN = "not known"
    ABSENT = "absent"

    @property
    def meaning(self) -> str:
        """Return what it says, as a phrase for people."""
        return _MEANINGS[self]


_MEANINGS = {
    Standing.HOLDS: "the library did so for all inputs that were tried",
    Standing.FAILS: "it did not for some, whether that was expected or not",
    Standing.IMITATED: "an imitation of driver or device decided it, which promises nothing",
    Standing.UNKNOWN: "nothing could be tried, or was",
    Standing.ABSENT: "the release or the machine does not have what it is about",
}

_ABSENT = Standing.ABSENT
_STANDINGS = {
    Verdict.PASS: Standing.HOLDS,
    Verdict.IMITATED: Standing.IMITATED,
    Verdict.NOT_APPLICABLE: Standing.ABSENT,
}


@dataclass(frozen=True)
class Cell:
    """What one run says of one clause.

    Attributes:
        standing: in one word.
        verdict: the worst one, without any baseline; None where it was not selected.
        values: the values that it fails with, where it fails with those alone.
        machines: what each machine says, where a run has several.
        causes: the findings that explain why it fails.

    """

    standing: Standing
    verdict: Verdict | None
    values: tuple[str, ...] = ()
    machines: Mapping[str, Standing] | None = None
    causes: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """Return it for a table."""
        if self.standing is not Standing.FAILS:
            return "-" if self.standing is Standing.ABSENT else str(self.standing)
        only = [name for name, s in (self.machines or {}).items() if s is Standing.FAILS]
        where = f" on {', '.join(only)}" if only and len(only) < len(self.machines or {}) else ""
        some = f" with {len(self.values)} value{'s' * (len(self.values) > 1)}"
        return f"{self.verdict}{some if self.values else ''}{where}"


@dataclass(frozen=True)
class ClauseRow:
    """What each run says of a clause."""

    clause: str
    names: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def judged(self) -> tuple[tuple[str, bool], ...]:
        """Return the runs that judged it, and whether it holds there."""
        known = (Standing.HOLDS, Standing.FAILS)
        each = zip(self.names, self.cells, strict=True)
        return tuple((name, c.standing is known[0]) for name, c in each if c.standing in known)

    @property
    def causes(self) -> tuple[str, ...]:
        """Return the findings that explain why it fails in a run."""
        return tuple(dict.fromkeys(cause for cell in self.cells for cause in cell.causes))

    @property
    def first(self) -> str | None:
        """Return the first run in which it holds."""
        return next((name for name, holds in self.judged if holds), None)

    @property
    def last(self) -> str | None:
        """Return the last run in which it holds."""
        return next((name for name, holds in reversed(self.judged) if holds), None)

    @property
    def span(self) -> str:
        """Return where it holds, in words: "since" and "until" where it is known to fail else."""
        each = zip(self.names, self.cells, strict=True)
        there = [(name, cell.standing) for name, cell in each if cell.standing is not _ABSENT]
        holding = [name for name, standing in there if standing is Standing.HOLDS]
        found = [standing for _, standing in there]
        if not holding:
            if Standing.FAILS in found:
                return "never"
            return "imitated" if Standing.IMITATED in found else "not known"
        begin, end = found.index(Standing.HOLDS), len(found) - found[::-1].index(Standing.HOLDS)
        if end - begin == len(holding):
            if (begin, end) == (0, len(found)):
                return "always" if there[0][0] == self.names[0] else f"since {holding[0]}"
            if end == len(found) and found[begin - 1] is Standing.FAILS:
                return f"since {holding[0]}"
            if begin == 0 and found[end] is Standing.FAILS:
                return f"until {holding[-1]}"
        return f"in {', '.join(holding)}"


@dataclass(frozen=True)
class FunctionRow:
    """A function, or a rule, with its clauses."""

    name: str
    clauses: tuple[ClauseRow, ...]

    def standings(self, run: int) -> Counter[Standing]:
        """Return how many clauses have each standing in a run."""
        return Counter(clause.cells[run].standing for clause in self.clauses)

    def worst(self, run: int) -> Verdict | None:
        """Return the worst verdict of a clause that fails in a run."""
        failing = [c.cells[run] for c in self.clauses if c.cells[run].standing is Standing.FAILS]
        return worst(c.verdict for c in failing if c.verdict) if failing else None

    def word(self, run: int) -> str:
        """Return what a run says of the function, for a table."""
        found = self.standings(run)
        holds, fails = found[Standing.HOLDS], found[Standing.FAILS]
        if not found.total() - found[Standing.ABSENT]:
            return "-"
        if not holds + fails:
            return "imitated" if found[Standing.IMITATED] else "not known"
        verdict = self.worst(run)
        return f"{holds} of {holds + fails}{f', {verdict}' if verdict else ''}"

    def left(self, run: int) -> int:
        """Return of how many clauses a run says nothing that can be relied on."""
        found = self.standings(run)
        return found[Standing.UNKNOWN] + found[Standing.IMITATED]


@dataclass(frozen=True)
class Matrix:
    """The clauses of some functions that bind, in some runs, the oldest library first.

    Attributes:
        names: what the runs are called.
        runs: the runs.
        registry: knows the clauses.
        wanted: the ids of the clauses, of which those that bind nobody are left out.

    """

    names: tuple[str, ...]
    runs: tuple[Run, ...]
    registry: Registry
    wanted: tuple[str, ...]

    @cached_property
    def functions(self) -> tuple[FunctionRow, ...]:
        """Return the rows, in the order of the registry."""
        found: dict[str, list[ClauseRow]] = {}
        for clause in self.wanted:
            if self.registry.clauses[clause].strength in _BINDING:
                cells = tuple(self._cell(clause, number) for number in range(len(self.runs)))
                row = ClauseRow(clause, self.names, cells)
                found.setdefault(clause.partition("/")[0], []).append(row)
        return tuple(FunctionRow(name, tuple(rows)) for name, rows in found.items())

    @property
    def failing(self) -> tuple[ClauseRow, ...]:
        """Return the clauses that fail in a run."""
        return tuple(
            clause
            for function in self.functions
            for clause in function.clauses
            if any(cell.standing is Standing.FAILS for cell in clause.cells)
        )

    @cached_property
    def _by_clause(self) -> tuple[Mapping[str, Sequence[Result]], ...]:
        found: list[dict[str, list[Result]]] = []
        for run in self.runs:
            each: dict[str, list[Result]] = {}
            for result in run.results:
                if result.check != BASELINE:
                    each.setdefault(result.clause, []).append(result)
            found.append(each)
        return tuple(found)

    def _cell(self, clause: str, run: int) -> Cell:
        results = self._by_clause[run].get(clause, ())
        if not results:
            return Cell(Standing.UNKNOWN, None)
        broken = [r for r in results if r.real in BROKEN]
        values = tuple(dict.fromkeys(r.value for r in broken if r.value))
        alone = values if all(r.value for r in broken) else ()
        machines = dict.fromkeys(r.machine for r in results if r.machine)
        each = {m: _standing([r for r in results if r.machine == m]) for m in machines}
        causes = tuple(dict.fromkeys(r.cause for r in broken if r.cause))
        return Cell(_standing(results), worst(r.real for r in results), alone, each or None, causes)


def _standing(results: Sequence[Result]) -> Standing:
    reals = [r.real for r in results]
    if any(verdict in BROKEN for verdict in reals):
        return Standing.FAILS
    return _STANDINGS.get(worst(reals), Standing.UNKNOWN)
