"""What a run found in each topic, as the picture at the head of its page shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from hsa_reports.run import UNKNOWN, Run
from hsa_reports.verdicts import DEATHS, FAILURES, WARNINGS, Verdict, worst
from hsa_spec import Registry


class Outcome(StrEnum):
    """What came of a clause, whether it was expected or not; the worst first."""

    DIES = "ends or hangs the process"
    FAILS = "fails"
    WARNS = "warns"
    OPEN = "not shown"
    PASSES = "passes"


_OUTSIDE = frozenset({Verdict.UNTESTED, Verdict.NOT_APPLICABLE})


@dataclass(frozen=True)
class TopicRow:
    """A topic: how many of its clauses came to what."""

    topic: str
    counts: Mapping[Outcome, int]

    @property
    def clauses(self) -> int:
        """Return how many of its clauses could be judged at all."""
        return sum(self.counts.values())


def by_topic(run: Run, registry: Registry) -> tuple[TopicRow, ...]:
    """Return the topics of a run, that with the most and worst failures first.

    Clauses that do not apply, or that no test can show, are left out.

    Args:
        run: what was found.
        registry: where the topics of functions and rules stand.

    """
    found: dict[str, Counter[Outcome]] = {}
    for clause in run.verdicts:
        outcome = _outcome(run, clause)
        if outcome is not None:
            found.setdefault(topic(clause, registry), Counter())[outcome] += 1
    rows = [TopicRow(name, {each: n[each] for each in Outcome}) for name, n in found.items()]
    return tuple(sorted(rows, key=lambda row: [-row.counts[each] for each in Outcome]))


def topic(clause: str, registry: Registry) -> str:
    """Return the topic of a clause's function or rule; `UNKNOWN` where the registry has neither."""
    name = clause.partition("/")[0]
    subject = registry.functions.get(name) or registry.rules.get(name)
    return subject.topic if subject else UNKNOWN


def _outcome(run: Run, clause: str) -> Outcome | None:
    verdict = worst(result.real for result in run.by_clause[clause])
    if verdict in _OUTSIDE:
        return None
    if verdict in DEATHS:
        return Outcome.DIES
    if verdict in FAILURES:
        return Outcome.FAILS
    if verdict in WARNINGS | {Verdict.UNDOCUMENTED, Verdict.XFAIL}:
        return Outcome.WARNS
    return Outcome.PASSES if verdict is Verdict.PASS else Outcome.OPEN
