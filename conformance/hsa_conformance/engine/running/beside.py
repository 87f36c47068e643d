"""Tries a check of two functions at one time, with one of the functions that go with the first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.example_counts import BRIEF
from hsa_conformance.engine.running.result import Explained
from hsa_conformance.engine.running.sweep import blamed
from hsa_conformance.engine.session.axes import Pin
from hsa_reports import BESIDE, Result, ValueResult, Verdict, worst

#: How many functions a brief run tries to find one that goes with the first.
_BRIEF_TRIES: Final = 3


def try_beside(
    campaign: Campaign, check: Check, explained: Explained, only: Collection[Pin] = ()
) -> list[Result]:
    """Try a check with functions that another thread calls meanwhile.

    Args:
        campaign: runs the examples.
        check: the check.
        explained: whether a failure is known already.
        only: the values of axes to try; without, as many as the profile has time for.

    Returns:
        The result of the check, with what was tried, and one for each function beside which it
        fails.

    """
    brief = campaign.profile in BRIEF and not only
    functions = [name for name in check.beside if not only or (BESIDE, name) in only]
    tried: list[ValueResult] = []
    results: list[Result] = []
    culprits: list[Result] = []
    for name in functions[:_BRIEF_TRIES] if brief else functions:
        # What other functions left in a process can look like the doing of these two. A brief run
        # has no time for a process of each pair, and looks into it where a pair fails.
        result = campaign.run(replace(check, pins={BESIDE: name}, fresh=not brief), explained)
        results.append(result)
        if _failed(result):
            culprits.append(blamed((BESIDE, name), result))
        if (outcome := _outcome(result)) is not None:
            tried.append(ValueResult(BESIDE, name, outcome, result.reason))
            if brief:
                break
    if not results:
        reason = "none of these functions is called beside it"
        return [Result(check.clause, check.name, Verdict.VACUOUS, reason)]
    told = [r for r in results if not _failed(r) and _outcome(r) is not None]
    verdict = worst(r.verdict for r in told) if told else Verdict.PASS
    reason = "; ".join(r.reason for r in told if r.verdict is verdict and r.reason)
    if not tried:
        verdict, reason = Verdict.VACUOUS, results[-1].reason or ""
    whole = replace(results[0], verdict=verdict, reason=reason, failure=None)
    whole = replace(
        whole.counting(results), values=tuple(tried), ways=len(check.beside) * bool(tried)
    )
    return [whole, *culprits]


def _failed(result: Result) -> bool:
    """Return whether something went wrong beside a function, if only once."""
    return result.failure is not None or result.verdict is Verdict.FLAKY


def _outcome(result: Result) -> str | None:
    """Return the word that reports have for what came of a function; None if it does not go."""
    if _failed(result):
        return "failed"
    if result.verdict is Verdict.PASS:
        return "judged"
    return "untried" if result.satisfied else None  # too few calls overlapped
