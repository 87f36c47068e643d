"""Examples of earlier runs, made again before others are drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.attempt import Attempt
from hsa_conformance.engine.running.examples import Example, ExampleArchive
from hsa_conformance.engine.running.result import Explained
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.axes import AxisCoverage
from hsa_reports import Result

#: What a report says of a failure that one of them shows.
SHOWN: Final = "shown by an example of an earlier run, made again"


class Replay:
    """What the examples that are kept for a check show now.

    Args:
        pool: where sessions come from.
        judge: says what holds for a call that a process did not survive.
        check: the check.
        explained: whether a failure is known already.
        kept: where examples are kept, if anywhere.

    """

    def __init__(
        self,
        pool: SessionPool,
        judge: Judge,
        check: Check,
        explained: Explained,
        kept: ExampleArchive | None,
    ) -> None:
        self._explained = explained
        self._coverage = AxisCoverage()
        # Apart from the drawn examples, which are to be those that they are without it.
        self._attempt = Attempt(pool, judge, check, explained, self._coverage)
        examples = _of(check, kept) if kept is not None else []
        self._replay_count = self._attempt.replay(examples) if examples else 0
        if kept is not None and self._failed() is not None:
            kept.keep(examples[self._replay_count - 1])  # nor does it grow old

    def news(self, seen: AxisCoverage) -> Result | None:
        """Return the failure that they show, if it is not known; else None.

        Args:
            seen: where to note what the examples were made with, if it is.

        """
        failed = self._failed()
        if failed is None or self._explained(failed):
            return None
        seen.take(self._coverage)
        return failed

    def joined(self, drawn: Result, seen: AxisCoverage) -> Result:
        """Return the result of a check with what was made again counted in.

        A known failure that the drawn examples have not shown is shown all the same.

        Args:
            drawn: the result with drawn examples.
            seen: what those were made with.

        """
        if not self._replay_count:
            return drawn
        whole, other, failed = drawn, self._attempt.counts, self._failed()
        if failed is not None and drawn.failure is None:
            whole = failed
            seen.take(self._coverage)
        return replace(
            whole,
            satisfied=drawn.satisfied + other.satisfied,
            near_misses=drawn.near_misses + other.near_misses,
            discarded=drawn.discarded + other.discarded,
            calls=drawn.calls + other.calls,
            replayed=self._replay_count,
        )

    def _failed(self) -> Result | None:
        result = self._attempt.conclusion() if self._replay_count else None
        if result is None or result.failure is None:
            return None
        detail = "; ".join(filter(None, [result.failure.detail, SHOWN]))
        failure = replace(result.failure, detail=detail)
        reason = f"{result.reason}, {SHOWN}"
        return replace(result, reason=reason, failure=failure, replayed=self._replay_count)


def _of(check: Check, kept: ExampleArchive) -> list[Example]:
    """Return the examples to make again, those with fewer pins first.

    Where nothing is pinned, they are all: whether a value is tried on its own depends on what is
    drawn.
    """
    examples = [e for e in kept.of(check) if not check.pins or e.pins == check.pins]
    return sorted(examples, key=lambda e: len(e.pins))
