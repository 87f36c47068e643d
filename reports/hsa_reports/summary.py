"""A run as a JSON summary: what programs ask of it, without the calls that show each failure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from hsa_reports.by_set import State, said, set_results
from hsa_reports.by_topic import topic
from hsa_reports.causes import Cause, Explanation, causes_of
from hsa_reports.headline import headline
from hsa_reports.run import Run
from hsa_reports.text import visible
from hsa_reports.verdicts import WORST_FIRST, Verdict, rank, worst
from hsa_reports.words import strength, why
from hsa_spec import Registry

SCHEMA = "summary.schema.json"


def render_summary(
    run: Run, registry: Registry, explained: Mapping[str, Explanation] | None = None
) -> str:
    """Return the run as a JSON document of the published schema `summary.schema.json`.

    Args:
        run: what to show.
        registry: where topics and strengths of the clauses stand.
        explained: what is known of causes, by id.

    """
    return json.dumps(_summary(run, registry, explained), indent=2) + "\n"


def _summary(
    run: Run, registry: Registry, explained: Mapping[str, Explanation] | None
) -> dict[str, Any]:
    """Return the members of the document: counts by verdict, topic and strength, and failures."""
    started, subject, end = run.started, run.started.subject, run.end
    head = headline(run, registry)
    return {
        "schema": 1,
        "suite_version": started.suite_version,
        "registry_digest": started.registry_digest,
        "started": started.started.isoformat(),
        "finished": end and end.finished.isoformat(),
        "exit_status": end and end.exit_status,
        "initialised": end is not None and end.initialised,
        "passes": run.passes,
        "headline": head.text,
        "strict": started.strict,
        "profile": started.profile,
        "subject": {
            "adapter": subject.adapter,
            "implementation": subject.implementation,
            "path": subject.path,
            "build_id": subject.build_id,
            "release": subject.release,
            "release_from": subject.release_from,
            "imitation": subject.imitation,
        },
        "clauses": len(run.verdicts),
        "applicable": run.applicable,
        "contested": len(run.contested),
        "verdicts": {str(verdict): n for verdict, n in run.counts.items()},
        "known": _counts(filter(None, (_known(run, clause) for clause in run.verdicts))),
        "topics": _by(run, {c: topic(c, registry) for c in run.verdicts}),
        "strengths": _by(run, {c: strength(c, registry) for c in run.verdicts}),
        "sets": [
            {"name": r.named.name, "state": str(r.state), "said": said(r, run)}
            for r in set_results(run, registry)
            if r.state not in (State.NOT_SELECTED, State.NOT_CLAIMED)
        ],
        "causes": [_cause(cause) for cause in causes_of(run, explained)],
        "findings": [_finding(run, clause, registry) for clause in _found(run)],
    }


@cache
def summary_schema() -> dict[str, Any]:
    """Return the published JSON Schema (2020-12) of the document."""
    text = files("hsa_reports").joinpath(SCHEMA).read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def _counts(found: Iterable[Verdict]) -> dict[str, int]:
    """Return how often each verdict that occurs does, worst first."""
    counted = Counter(found)
    return {str(verdict): counted[verdict] for verdict in WORST_FIRST if counted[verdict]}


def _by(run: Run, kinds: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """Return the verdicts that occur among the clauses of each kind, with their counts."""
    found: dict[str, list[Verdict]] = {}
    for clause, verdict in run.verdicts.items():
        found.setdefault(kinds[clause], []).append(verdict)
    return {kind: _counts(verdicts) for kind, verdicts in found.items()}


def _known(run: Run, clause: str) -> Verdict | None:
    """Return the verdict that a clause would have without its baseline; None if it has that."""
    real = worst(result.real for result in run.by_clause[clause])
    return real if run.verdicts[clause] is Verdict.XFAIL and real is not Verdict.XFAIL else None


def _found(run: Run) -> list[str]:
    """Return the clauses that are not as they should be, expected or not, the worst first."""
    found = [c for c, v in run.verdicts.items() if rank(v) <= rank(Verdict.XFAIL)]
    return sorted(found, key=lambda clause: rank(run.verdicts[clause]))


def _cause(cause: Cause) -> dict[str, Any]:
    return {
        "id": cause.id,
        "title": visible(cause.title),
        "weight": str(cause.weight),
        "expected": cause.expected,
        "clauses": len(cause.clauses),
        "verdicts": {str(verdict): n for verdict, n in cause.verdicts.items()},
        "functions": list(cause.functions),
    }


def _finding(run: Run, clause: str, registry: Registry) -> dict[str, Any]:
    known, results = _known(run, clause), run.by_clause[clause]
    shown = next((r for r in results if known in (None, r.real)), results[0])
    failure = shown.failure
    return {
        "clause": clause,
        "topic": topic(clause, registry),
        "strength": strength(clause, registry),
        "verdict": str(run.verdicts[clause]),
        "known": known and str(known),
        "cause": shown.cause,
        "why": visible(why(run, clause)),
        "got": failure and visible(failure.got),
        "allowed": [each.status for each in failure.allowed] if failure else [],
        "value": shown.value,
        "machine": shown.machine,
        "reproduce": visible(failure.reproduce) if failure and failure.reproduce else None,
    }
