"""A run as one self-contained HTML page: no scripts, styles, fonts or images from elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from hsa_reports.by_set import assumed, said, set_results, telling
from hsa_reports.events import Result
from hsa_reports.page import environment
from hsa_reports.run import Cell, Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import Verdict, rank
from hsa_reports.words import (
    CONTESTED,
    english,
    facts,
    headline,
    share,
    source,
    strength,
    warnings,
)
from hsa_spec import Registry, Strength


@dataclass(frozen=True)
class ClauseView:
    """A clause in the page."""

    id: str
    strength: str
    verdict: Verdict
    english: str
    source: str
    results: tuple[Result, ...]
    contested: bool

    @property
    def slug(self) -> str:
        """Return the part of the id after the function."""
        return self.id.split("/", 1)[1]

    @property
    def reason(self) -> str | None:
        """Return why the worst result is what it is, when it says so."""
        return self.results[0].reason if self.results else None

    @property
    def satisfied(self) -> int:
        """Return in how many examples the condition held."""
        return sum(result.satisfied for result in self.results)

    @property
    def near_misses(self) -> int:
        """Return in how many examples one atom of the condition did not hold."""
        return sum(result.near_misses for result in self.results)

    @property
    def discarded(self) -> int:
        """Return how many examples proved nothing."""
        return sum(result.discarded for result in self.results)


@dataclass(frozen=True)
class FunctionView:
    """A function or a rule in the page, with what the registry says about it."""

    name: str
    summary: str
    exported: bool
    clauses: tuple[ClauseView, ...]

    @property
    def counts(self) -> str:
        """Return how many clauses have which verdict."""
        verdicts = [clause.verdict for clause in self.clauses]
        found = sorted(set(verdicts), key=rank)
        return ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in found)


def render_html(run: Run, registry: Registry) -> str:
    """Return the run as an HTML page.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.

    """
    functions = tuple(_functions(run, registry))
    clauses = [clause for function in functions for clause in function.clauses]
    findings = [(c, r) for c in clauses for r in c.results if _is_finding(r)]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            run=run,
            headline=headline(run, registry),
            share=share(run),
            sets=[(r, said(r, run)) for r in telling(set_results(run, registry))],
            assumed=assumed(run),
            facts=facts(run),
            warnings=warnings(run, registry),
            contested=CONTESTED,
            matrix=run.matrix(registry),
            members=_members,
            functions=functions,
            findings=sorted(findings, key=lambda finding: rank(finding[1].verdict)),
            strengths=_strengths(clauses),
            of_functions=[f for f in functions if f.name not in registry.rules],
        )
    )


def _is_finding(result: Result) -> bool:
    return rank(result.verdict) <= rank(Verdict.XFAIL) or result.failure is not None


def _functions(run: Run, registry: Registry) -> Iterator[FunctionView]:
    for name, ids in run.functions.items():
        function = registry.functions.get(name) or registry.rules.get(name)
        needed = registry.rules[name].about if name in registry.rules else name
        yield FunctionView(
            name,
            summary=function.summary if function else "This registry does not know it.",
            exported=needed in run.started.subject.exports,
            clauses=tuple(
                ClauseView(
                    clause,
                    strength(clause, registry),
                    run.verdicts[clause],
                    english(clause, registry),
                    source(clause, registry),
                    run.by_clause[clause],
                    clause in run.contested,
                )
                for clause in ids
            ),
        )


def _strengths(clauses: list[ClauseView]) -> dict[str, dict[Verdict, int]]:
    """Return how many clauses of each strength that there is have each verdict."""
    counted = Counter((clause.strength, clause.verdict) for clause in clauses)
    # The strengths in their own order; a clause of another version of the suite may have none.
    there = sorted({of for of, _ in counted}, key=lambda of: [*Strength, of].index(of))
    return {
        strength: {verdict: n for (of, verdict), n in counted.items() if of == strength}
        for strength in there
    }


def _members(cell: Cell) -> str:
    return "\n".join(f"{one_line(clause)}: {verdict}" for clause, verdict in cell.clauses)
