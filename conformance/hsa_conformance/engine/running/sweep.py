"""Tries a check with every value of every axis, and says which of them are to blame.

The examples that Hypothesis draws leave values out. Each of those gets an example of its own, in
which it is pinned and all else is as simple as can be. A value is to blame for a failure unless
more than two thirds of its axis fail: then they have something else in common. Where the failing
example also has a value of another axis that is to blame, it is tried again without that one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hsa_adapters.ends import HANG
from hsa_conformance.engine.calls.outcomes import A_HANG
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.result import Explained, unexplained
from hsa_conformance.engine.session.axes import AxisCoverage, Pin
from hsa_reports import Result, ValueResult, Verdict, worst

#: How many examples may hang before other values are not tried: each costs its whole budget.
HANGS: Final = 2

_LACKING = (Verdict.NOT_APPLICABLE, Verdict.UNTESTED)
_UNTRIED = (Verdict.NOT_RUN, Verdict.VACUOUS, Verdict.BLOCKED)
_UNDECIDED = (Verdict.PASS, *_UNTRIED, Verdict.NOT_APPLICABLE)


def sweep(
    campaign: Campaign,
    check: Check,
    explained: Explained = unexplained,
    seen: AxisCoverage | None = None,
    only: Collection[Pin] = (),
) -> list[Result]:
    """Run a check with drawn examples, and then with each value that they left out.

    Args:
        campaign: runs the examples.
        check: what to run.
        explained: whether a failure is known already, and need not be made shorter.
        seen: where to note what the drawn examples are made with.
        only: the values to try; without, all of them.

    Returns:
        The result of the check, with what came of each value, and one for each value to blame.

    """
    seen = AxisCoverage() if seen is None else seen
    drawn = campaign.run(check, explained, seen)
    if not check.sweeps or not seen.offered:
        return [drawn]
    # Which value a failure depends on takes all of them.
    objects_only = check.objects_only and drawn.verdict is Verdict.PASS
    found = _Sweep(campaign, replace(check, objects_only=objects_only), seen, only)
    if seen.simplest and drawn.failure is not None:
        found.take(drawn)
    found.try_all()
    found.clear()
    return found.results(drawn)


def _hangs(result: Result) -> bool:
    """Return whether a process of an example did not end, or a copy that was made of it."""
    failure = result.failure
    return result.end == HANG or (failure is not None and failure.got == A_HANG)


@dataclass(frozen=True)
class _ValueOutcome:
    """What came of one value."""

    result: Result
    ended: Mapping[str, str]
    over_budget: bool = False
    beyond: bool = False

    @property
    def outcome(self) -> str:
        """Return the word for it that reports have."""
        if self.result.verdict is Verdict.PASS:
            return "judged"
        if self.beyond:
            return "lacking"  # the machine cannot do it, whatever else it can
        if self.result.verdict in _LACKING:
            return "over budget" if self.over_budget else "lacking"
        return "untried" if self.result.verdict in _UNTRIED else "failed"


class _Sweep:
    def __init__(
        self, campaign: Campaign, check: Check, seen: AxisCoverage, only: Collection[Pin]
    ) -> None:
        self.campaign = campaign
        self.check = check
        self.seen = seen
        self.only = only
        self.singles: dict[Pin, _ValueOutcome] = {}
        self.inseparable: set[Pin] = set()  # those that go with nothing else than they failed with
        self.cost: list[Result] = []

    def take(self, drawn: Result) -> None:
        """Take the failure of the simplest example for what comes of each value that it has.

        With one of them pinned and all else as simple as can be, the same example would come out.

        Args:
            drawn: the result with that example.

        """
        shown = _ValueOutcome(drawn, self.seen.ended)
        self.singles = {pin: shown for pin in self._to_be_tried() if pin in shown.ended.items()}

    def try_all(self) -> None:
        """Try each value that no drawn example was judged with; trying one may bring up others."""
        while pending := [p for p in self._to_be_tried() if not self._was_tried(p)]:
            for pin in pending:
                single = self._single(dict([pin]))
                if single.outcome == "untried":
                    # There may be a choice only where another one has come out as it did then.
                    single = self._single({**self.seen.offered[pin], pin[0]: pin[1]})
                self.singles[pin] = single

    def _to_be_tried(self) -> list[Pin]:
        """Return what was offered, as far as it is asked for."""
        some = self.seen.objects if self.check.objects_only else None
        asked_for = self.only or self.seen.offered
        return [p for p in self.seen.offered if p in asked_for and (some is None or p[0] in some)]

    def _was_tried(self, pin: Pin) -> bool:
        drawn = pin in self.seen.judged and pin[0] not in self.check.hints
        return drawn or pin in self.singles

    def _single(self, pins: Mapping[str, str]) -> _ValueOutcome:
        hung = {id(s.result) for s in self.singles.values() if _hangs(s.result)}
        if len(hung) >= HANGS:
            result = Result(self.check.clause, self.check.name, Verdict.VACUOUS, "others hang")
            return _ValueOutcome(result, {})
        seen = AxisCoverage()
        fresh = self.check.fresh or not self.check.hints.isdisjoint(pins)
        check = replace(self.check, pins=pins, examples=0.0, fresh=fresh)
        result = self.campaign.run(check, seen=seen)
        self.cost.append(result)
        self.seen.objects |= seen.objects
        for pin, around in seen.offered.items():
            self.seen.offered.setdefault(pin, around)
        return _ValueOutcome(result, seen.ended, seen.over_budget, seen.beyond)

    def clear(self) -> None:
        """Try again, without other such values, what was not judged together with them."""
        stopped, others = self._stopped(), self._others()
        suspects = {pin for pin in stopped if pin[0] in others}
        for pin in stopped:
            around = {
                axis: others[axis]
                for axis, value in self.singles[pin].ended.items()
                if axis != pin[0] and (axis, value) in suspects
            }
            if around:
                alone = self._single({**around, pin[0]: pin[1]})
                if alone.outcome in ("judged", "failed"):
                    self.singles[pin] = alone
                else:
                    self.inseparable.add(pin)

    def _others(self) -> dict[str, str]:
        """Return a value of each axis that does not fail, as far as there is one.

        Where all values of all axes fail, what they have in common may be the values that simple
        examples are made with; one with the last value of each axis shows it.
        """
        holding = dict(pin for pin in reversed(self.seen.offered) if self._does_not_fail(*pin))
        if holding or not self._stopped():
            return holding
        last = dict(iter(self.seen.offered))
        if any(last.items() <= single.ended.items() for single in self.singles.values()):
            return {}
        return last if self._single(last).outcome == "judged" else {}

    def _does_not_fail(self, *pin: str) -> bool:
        single = self.singles.get((pin[0], pin[1]))
        return single is None or single.outcome == "judged"

    def _stopped(self) -> list[Pin]:
        return [pin for pin, single in self.singles.items() if single.outcome != "judged"]

    def _failed(self) -> list[Pin]:
        return [pin for pin, single in self.singles.items() if single.outcome == "failed"]

    def _culprits(self) -> set[Pin]:
        """Return the failing values of those axes that do not fail as a whole."""
        failing = {pin for pin in self._failed() if self._enough_hold(pin[0])}
        alone = failing - self.inseparable
        return {pin for pin in failing if not self._goes_with(pin, alone)}

    def _goes_with(self, pin: Pin, culprits: Collection[Pin]) -> bool:
        """Return whether a value fails only together with one that is to blame."""
        together = self.singles[pin].ended.items()
        return pin in self.inseparable and any(other in culprits for other in together)

    def _enough_hold(self, axis: str) -> bool:
        failing = sum(pin[0] == axis for pin in self._failed())
        holding = sum(self._does_not_fail(*pin) for pin in self.seen.offered if pin[0] == axis)
        return 2 * holding >= failing

    def results(self, drawn: Result) -> list[Result]:
        """Return the results, that of the check as a whole first.

        Args:
            drawn: what the drawn examples came to.

        """
        culprits = self._culprits()
        to_blame = [blamed(pin, s.result) for pin, s in self.singles.items() if pin in culprits]
        tried = tuple(self._tried(*pin) for pin in self.seen.offered if self._was_tried(pin))
        explained = any(
            r.clause == drawn.clause
            and r.value in ["=".join(pin) for pin in self.seen.ended.items()]
            for r in to_blame
        )
        whole = drawn
        if explained or drawn.verdict in _UNDECIDED:
            unexplained = [p for p in self._failed() if not self._goes_with(p, culprits)]
            others = [self.singles[pin].result for pin in unexplained if pin not in culprits]
            whole = others[0] if others else self._without_failure(drawn, tried)
        return [replace(whole.counting([drawn, *self.cost]), values=tried), *to_blame]

    def _tried(self, axis: str, value: str) -> ValueResult:
        single = self.singles.get((axis, value))
        if single is None:
            return ValueResult(axis, value, "judged")
        return ValueResult(axis, value, single.outcome, single.result.reason)

    def _without_failure(self, drawn: Result, tried: Sequence[ValueResult]) -> Result:
        """Return the result of a check that fails with no value but those that are to blame."""
        if not {"judged", "failed"} & {t.outcome for t in tried} and drawn.verdict in _UNDECIDED:
            return drawn
        own = replace(drawn, clause=self.check.clause, failure=None)
        left = [f"{t.axis}={t.value} ({t.reason})" for t in tried if t.outcome == "untried"]
        if not left:
            return replace(own, verdict=Verdict.PASS, reason=self._failed_elsewhere())
        untried = [s.result for s in self.singles.values() if s.outcome == "untried"]
        # What is blocked is blocked by a clause, which a baseline and the exit status go by.
        blocked = [r.reason for r in untried if r.blocked_by]
        reason = "; ".join([*filter(None, blocked[:1]), f"not tried: {', '.join(left)}"])
        return replace(own, verdict=worst(r.verdict for r in untried), reason=reason)

    def _failed_elsewhere(self) -> str | None:
        """Return which values show nothing of this clause, since they break another one."""
        own, found = self.check.clause, self.singles
        words = [
            f"{'='.join(pin)} ({found[pin].result.clause}: {found[pin].result.reason})"
            for pin in self._failed()
            if found[pin].result.clause != own
        ]
        return f"not judged with {', '.join(words)}" if words else None


def blamed(pin: Pin, result: Result) -> Result:
    """Return the result of a value that is to blame, which says so wherever it is shown."""
    value = "=".join(pin)
    failure = result.failure and replace(
        result.failure, summary=f"{result.failure.summary}, with {value}"
    )
    return replace(result, value=value, reason=f"{result.reason}, with {value}", failure=failure)


def with_values(
    checks: Sequence[Check], found: Sequence[Sequence[Result]], values: Collection[Pin]
) -> list[Result]:
    """Return the results of those checks that were tried with some values.

    Args:
        checks: the checks of a clause.
        found: the results of each, that of the check as a whole first.
        values: what was asked for. A value that no check could be tried with leaves the clause
            unjudged, however the checks ended without it.

    """
    tried = [{(v.axis, v.value) for v in results[0].values if v.reached} for results in found]
    left = set(values).difference(*tried)
    if not left:
        own = zip(found, tried, strict=True)
        return [r for results, those in own if those & set(values) for r in results]
    first = next((r for results in found for r in results if r.failure is not None), found[0][0])
    if first.verdict is not Verdict.PASS:
        return [first]
    axes = {axis for axis, _ in left}
    ways = {pin for check in checks for pin in check.surroundings}
    there = [pin for pin in sorted(ways.union(*tried)) if pin[0] in axes]
    known = ", ".join(map("=".join, there)) or f"no axis {' or '.join(sorted(axes))}"
    missed = " and ".join(map("=".join, sorted(left)))
    reason = f"no check could be tried with {missed}; there is {known}"
    return [replace(first, verdict=Verdict.VACUOUS, reason=reason)]
