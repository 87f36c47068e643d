"""What a run's failures come from: each cause once, the heaviest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from hsa_reports.result import Result
from hsa_reports.run import Run
from hsa_reports.signature import signature
from hsa_reports.upstream import Upstream
from hsa_reports.verdicts import BROKEN, DEATHS, Verdict, rank
from hsa_reports.weight import Weight, supposed

#: Whose defect a failed assertion is.
BUILD_OPTION: Final = "a build option"
WITHOUT_ASSERTIONS: Final = (
    "A check of the library's own failed: builds with assertions left out continue there. Whether "
    "they answer as they should is not known."
)


@dataclass(frozen=True)
class Explanation:
    """What is known of a cause whatever a run shows.

    Args:
        id: its permanent id, which results have as `cause`.
        title: what is wrong, in one line.
        paragraph: more of it, in a few sentences.
        releases: those in which it was seen, the oldest first.
        weight: how much it matters; None where nobody has said.
        defect: whose it is, such as "the library"; None where nobody has said.
        page: the file that explains it, from the root of the documentation, such as
            "findings/wait-any-timeout.md", or an address elsewhere; None where there is none.
        upstream: what the library's own project has about it.

    """

    id: str
    title: str
    paragraph: str
    releases: tuple[str, ...] = ()
    weight: Weight | None = None
    defect: str | None = None
    page: str | None = None
    upstream: tuple[Upstream, ...] = ()


@dataclass(frozen=True)
class Cause:
    """One cause of failures of a run.

    Attributes:
        explanation: what is known of it, by a baseline or else by its signature.
        named: whether a baseline names it; the id of others is that of their signature.
        results: all that it made fail, the worst first.

    """

    explanation: Explanation
    named: bool
    results: tuple[Result, ...]

    @property
    def id(self) -> str:
        """Return its permanent id."""
        return self.explanation.id

    @property
    def title(self) -> str:
        """Return what is wrong, in one line."""
        return self.explanation.title

    @property
    def weight(self) -> Weight:
        """Return how much it matters; for a cause that nobody weighed, by its worst failure."""
        worst_one = self.results[0]
        known = self.explanation.weight
        return known or supposed(worst_one.failure, ends=worst_one.real in DEATHS)

    @cached_property
    def clauses(self) -> Mapping[str, Verdict]:
        """Return the clauses that fail, each with its worst real verdict."""
        found: dict[str, Verdict] = {}
        for result in self.results:
            found.setdefault(result.clause, result.real)
        return found

    @property
    def functions(self) -> tuple[str, ...]:
        """Return the functions and rules whose clauses fail."""
        return tuple(dict.fromkeys(clause.partition("/")[0] for clause in self.clauses))

    @property
    def verdicts(self) -> Mapping[Verdict, int]:
        """Return how many clauses have each real verdict that occurs, the worst first."""
        found = Counter(self.clauses.values())
        return {verdict: found[verdict] for verdict in sorted(found, key=rank)}

    @property
    def verdict(self) -> Verdict:
        """Return the worst real verdict."""
        return self.results[0].real

    @property
    def ends(self) -> Mapping[str, int]:
        """Return with how many clauses the process ends in which way, such as {"SIGSEGV": 2}."""
        found = {(r.clause, r.end) for r in self.results if r.end}
        return dict(Counter(end for _, end in sorted(found)))

    @property
    def deaths(self) -> int:
        """Return how many clauses end the process, or hang."""
        return len({r.clause for r in self.results if r.real in DEATHS})

    @property
    def expected(self) -> bool:
        """Return whether a baseline expects all of its failures."""
        return all(r.verdict is Verdict.XFAIL for r in self.results)

    @property
    def machines(self) -> tuple[str, ...]:
        """Return the configurations that show it, where a run has several."""
        names = (name for r in self.results for name in (r.machine or "").split("; ") if name)
        return tuple(dict.fromkeys(names))

    @property
    def example(self) -> Result:
        """Return the failure to begin with: of the worst, one with a program, the shortest."""

        def place(result: Result) -> tuple[int, bool, int]:
            failure = result.failure
            if failure is None:
                return rank(result.real), True, 0
            return rank(result.real), failure.program is None, len(failure.steps)

        return min(self.results, key=place)

    @property
    def order(self) -> tuple[object, ...]:
        """Return what sorts causes, the heaviest first.

        What ends the process in correct use, then by the worst verdict, then by weight, then by
        how many clauses and functions fail.
        """
        return (
            self.weight is not Weight.PROCESS,
            rank(self.verdict),
            self.weight.rank,
            -len(self.clauses),
            -len(self.functions),
            self.id,
        )


def causes_of(run: Run, explained: Mapping[str, Explanation] | None = None) -> tuple[Cause, ...]:
    """Return the causes of a run's failures, the heaviest first.

    Args:
        run: whose failures; those that a baseline expects are among them.
        explained: what is known of causes, by id.

    """
    named: dict[str, list[Result]] = {}
    others: dict[str, list[Result]] = {}
    for results in run.by_clause.values():
        for result in results:
            if result.real in BROKEN and result.cause:
                named.setdefault(result.cause, []).append(result)
            elif result.real in BROKEN:
                others.setdefault(signature(result).id, []).append(result)
    known = explained or {}
    found = [
        Cause(known.get(id_) or _reasoned(id_, results), True, _sorted(results))
        for id_, results in named.items()
    ]
    found += [
        Cause(_described(id_, _sorted(results)[0], run), False, _sorted(results))
        for id_, results in others.items()
    ]
    return tuple(sorted(found, key=lambda cause: cause.order))


def _sorted(results: Sequence[Result]) -> tuple[Result, ...]:
    return tuple(sorted(results, key=lambda result: rank(result.real)))


def _reasoned(id_: str, results: Sequence[Result]) -> Explanation:
    """Return what the reasons of a baseline say of a cause that is explained nowhere else."""
    reasons = dict.fromkeys(_reason(result, id_) for result in results)
    paragraph, defect = _owned(_sorted(results)[0], " ".join(reasons))
    return Explanation(id_, next(iter(reasons)).rstrip("."), paragraph, defect=defect)


def _reason(result: Result, id_: str) -> str:
    reason = (result.reason or id_).partition("; also on ")[0].removeprefix("known: ")
    return reason.removesuffix(f" ({id_})")


def _described(id_: str, result: Result, run: Run) -> Explanation:
    """Return what can be said of a cause that no baseline names."""
    told = result.known and _reason(result, id_)
    paragraph = told or (result.failure and result.failure.summary) or result.reason
    release = run.started.subject.release
    paragraph, defect = _owned(result, paragraph or result.verdict.meaning)
    return Explanation(
        id_,
        signature(result).title,
        paragraph,
        releases=(release,) if release else (),
        defect=defect,
    )


def _owned(result: Result, paragraph: str) -> tuple[str, str | None]:
    """Return the words about a failure, and whose defect it is where the failure itself says so."""
    if result.failure is None or not result.failure.asserted:
        return paragraph, None
    return f"{paragraph.rstrip('.')}. {WITHOUT_ASSERTIONS}", BUILD_OPTION
