"""A run as the data that the scripts of its HTML page show."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from typing import Any

from hsa_reports.by_topic import topic
from hsa_reports.causes import Cause
from hsa_reports.failure import Failure
from hsa_reports.page import tone
from hsa_reports.page_causes import Words, cause_data
from hsa_reports.result import Result
from hsa_reports.run import EFFECTS, EXPORT, UNKNOWN, Run, columns
from hsa_reports.text import LIMIT, one_line
from hsa_reports.verdicts import WORST_FIRST
from hsa_reports.words import CONTESTED, check_name, english, short_status, source, strength, tried
from hsa_spec import Registry

BUDGET = 1_000_000
"""How many characters the data of a page may take."""

_LIMITS = (LIMIT, 1000, 200)


def packed_data(run: Run, causes: Sequence[Cause], registry: Registry) -> str:
    """Return the data of a page as JSON that is compressed with gzip, in base64.

    Texts of a run are clipped shorter where the data would be larger than a page should be.

    Args:
        run: what to show.
        causes: what its failures come from.
        registry: where the words for the clauses stand.

    """
    packed = ""
    for limit in _LIMITS:
        text = json.dumps(page_data(run, causes, registry, limit), separators=(",", ":"))
        packed = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")
        if len(packed) <= BUDGET:
            break
    return packed


def page_data(
    run: Run, causes: Sequence[Cause], registry: Registry, limit: int = LIMIT
) -> dict[str, Any]:
    """Return the data of a page: verdicts, columns of the matrix, functions, causes and clauses.

    No text has control characters or is endless, whatever the library said.

    Args:
        run: what to show.
        causes: what its failures come from.
        registry: where the words for the clauses stand.
        limit: how many characters of one text to keep.

    """
    used = {column for clause in run.verdicts for column in columns(clause, registry)}
    statuses = (each.name for each in registry.enums["hsa_status_t"].enumerators)
    order = [name for name in (EXPORT, EFFECTS, *statuses, UNKNOWN) if name in used]
    words = Words(limit)
    of_clause: dict[str, list[str]] = {}
    for cause in causes:
        for clause in cause.clauses:
            of_clause.setdefault(clause, []).append(words.line(cause.id))
    return {
        "verdicts": {verdict: [tone(verdict), verdict.meaning] for verdict in WORST_FIRST},
        "columns": [[name, short_status(name).replace("_", " ").lower()] for name in order],
        "contested": CONTESTED,
        "functions": {one_line(name): _function(name, run, registry) for name in run.functions},
        "causes": [cause_data(cause, run, words) for cause in causes],
        "clauses": [
            _clause(clause, run, registry, words, of_clause.get(clause, ()))
            for clause in run.verdicts
        ],
    }


def _function(name: str, run: Run, registry: Registry) -> Mapping[str, Any]:
    rule = registry.rules.get(name)
    known = rule or registry.functions.get(name)
    needed = rule.about if rule else name
    return {
        "summary": known.summary if known else "This registry does not know it.",
        "offered": needed in run.started.subject.exports,
    }


def _clause(
    clause: str, run: Run, registry: Registry, words: Words, causes: Sequence[str]
) -> Mapping[str, Any]:
    results = run.by_clause[clause]
    return {
        "id": words.line(clause),
        "topic": topic(clause, registry),
        "strength": strength(clause, registry),
        "verdict": run.verdicts[clause],
        "label": run.label(clause),
        "contested": clause in run.contested,
        "english": english(clause, registry),
        "source": source(clause, registry),
        "statuses": columns(clause, registry),
        "causes": causes,
        "results": [_result(result, words) for result in results],
    }


def _result(result: Result, words: Words) -> Mapping[str, Any]:
    examples = result.satisfied or result.near_misses or result.discarded
    missing = (each for each in result.values if each.outcome != "judged")
    return _without_empty(
        label=result.label,
        check=words.line(check_name(result.check)),
        value=words.line(result.value or ""),
        machines=[words.line(name) for name in (result.machine or "").split("; ") if name],
        reason=words(result.reason or ""),
        examples=_examples(result) if examples else None,
        values=words.line(tried(result)),
        missing=[words.line(f"{each.axis}={each.value}: {each.outcome}") for each in missing],
        source=words.line(result.source or ""),
        failure=_failure(result.failure, words) if result.failure else None,
    )


def _examples(result: Result) -> str:
    return (
        f"{result.satisfied} satisfied, {result.near_misses} near misses, {result.discarded} "
        f"discarded; {result.calls} calls, {result.seconds:.2f} s"
    )


def _failure(failure: Failure, words: Words) -> Mapping[str, Any]:
    found = _without_empty(
        detail=words(failure.detail or ""),
        place=words.line(failure.place.words) if failure.place else None,
        stderr=words(failure.stderr or ""),
        seen=words(failure.seen or ""),
        reproduce=words(failure.reproduce),
        program=words(failure.program or ""),
        ran=words(failure.tried or ""),
        readings=[
            [words.line(each.clause), words.line(each.text), words.line(each.answer)]
            for each in failure.readings
        ],
    )
    return {
        "summary": words(failure.summary),
        "steps": [
            [words.line(step.process), words(step.call), words(step.result)]
            for step in failure.steps
        ],
        "got": words(failure.got),
        "allowed": [
            [words.line(each.status), [words.line(clause) for clause in each.clauses]]
            for each in failure.allowed
        ],
        **found,
    }


def _without_empty(**members: object) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value}
