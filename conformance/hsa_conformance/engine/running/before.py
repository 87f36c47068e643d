"""Tries a check that holds once more, with something that happens before its call."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from hsa_conformance.engine.checks.before.ways import PROGRAM
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.example_counts import BRIEF
from hsa_conformance.engine.running.result import Explained
from hsa_conformance.engine.running.sweep import blamed
from hsa_conformance.engine.session.axes import Pin
from hsa_reports import BEFORE, Result, ValueResult, Verdict

#: How many more ways than it has turns for a brief run tries, as some cannot be gone. Each check
#: begins with another one, so that the run tries all of them somewhere.
_MORE_TRIES: Final = 1


def try_before(
    campaign: Campaign,
    check: Check,
    explained: Explained,
    results: Sequence[Result],
    only: Collection[Pin] = (),
) -> list[Result]:
    """Try a check with something before its call, where it holds with nothing before.

    Args:
        campaign: runs the examples.
        check: the check.
        explained: whether a failure is known already, and need not be made shorter.
        results: what came of the check, that of the check as a whole first.
        only: the values of axes to try; without, as many as the profile has time for.

    Returns:
        The results, that of the check with what was tried, and one for each way to blame.

    """
    whole, *others = results
    if whole.verdict is not Verdict.PASS or not check.before:
        return list(results)
    # Values that are to blame already would only show their failures again.
    axes = {(result.value or "").partition("=")[0] for result in others}
    holding = {
        each.axis: each.value
        for each in reversed(whole.values)
        if each.outcome == "judged" and each.axis in axes
    }
    tried: list[ValueResult] = []
    culprits: list[Result] = []
    cost = [whole]
    brief = campaign.profile in BRIEF and not only
    ways = [way for way in check.before if not only or (BEFORE, way) in only]
    left = check.turns + _MORE_TRIES
    for way in ways:
        if brief and (len(tried) >= check.turns or not left):
            break
        pins = {**holding, BEFORE: way}
        single = replace(check, pins=pins, examples=0.0, stepwise=way == PROGRAM)
        result = campaign.run(single, explained)
        cost.append(result)
        left -= result.verdict is not Verdict.NOT_APPLICABLE  # it cannot come before this function
        if result.failure is not None:
            # With the same inputs and nothing before it may fail as well.
            plain = campaign.run(replace(single, pins=holding, fresh=True), explained)
            cost.append(plain)
            if plain.failure is not None:
                whole = whole if others else replace(plain, values=whole.values)
                break
            culprits.append(blamed((BEFORE, way), result))
            tried.append(ValueResult(BEFORE, way, "failed", result.reason))
        elif result.verdict in (Verdict.PASS, Verdict.FLAKY):
            tried.append(ValueResult(BEFORE, way, "judged"))
            if result.verdict is Verdict.FLAKY:
                doubt = f"{result.reason}, with {BEFORE}={way}"
                whole = replace(whole, verdict=result.verdict, reason=doubt)
    values = (*whole.values, *tried)
    whole = replace(whole.counting(cost), values=values, ways=len(check.before))
    return [whole, *others, *culprits]
