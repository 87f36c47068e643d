"""Runs one check many times, and turns what happened into a result."""

from __future__ import annotations

import time
from dataclasses import replace

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, ImitationLimit, Unavailable
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.verdict import of_doubt
from hsa_conformance.engine.running.attempt import Attempt
from hsa_conformance.engine.running.example_counts import PROFILES
from hsa_conformance.engine.running.examples import ExampleArchive
from hsa_conformance.engine.running.failures.history import last_examples
from hsa_conformance.engine.running.failures.shortening import SHORTER
from hsa_conformance.engine.running.late_ends import may_be_late
from hsa_conformance.engine.running.replay import Replay
from hsa_conformance.engine.running.result import Explained, unexplained
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.axes import AxisCoverage
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.repetition import REPETITIONS
from hsa_reports import ALWAYS_JUDGED, Result, Verdict


class Campaign:
    """Runs checks with sessions from a pool.

    Args:
        pool: where sessions come from.
        judge: says what holds for a call that a process did not survive.
        profile: a key of PROFILES.
        seed: makes two runs choose the same examples.
        archive: where examples that fail are kept, and those of earlier runs are, if anywhere.

    """

    def __init__(
        self,
        pool: SessionPool,
        judge: Judge,
        profile: str,
        seed: int,
        archive: ExampleArchive | None = None,
    ) -> None:
        self.pool = pool
        self.judge = judge
        self.profile = profile
        self.seed = seed
        self.archive = archive

    def run(
        self,
        check: Check,
        explained: Explained = unexplained,
        seen: AxisCoverage | None = None,
    ) -> Result:
        """Run one check to its verdict; examples that are kept of earlier runs come first.

        Args:
            check: the check.
            explained: whether a failure is known already, and need not be made shorter.
            seen: where to note what its examples are made with.

        """
        started = time.monotonic()
        seen = AxisCoverage() if seen is None else seen
        before = Replay(self.pool, self.judge, check, explained, self.archive)
        result = before.news(seen)
        if result is None:
            # The same examples as without those that are kept.
            result = before.joined(self._drawn(check, explained, seen), seen)
        return replace(result, seconds=round(time.monotonic() - started, 4))

    def late_ends(self) -> list[Result]:
        """Watch the processes that wait for a check, and return the failures of calls that end one.

        After the last check no further call would notice that its process is gone.
        """
        found: list[Result] = []
        for session, end in self.pool.ended_while_idle():
            late = self._late_end(session, end)
            if late is not None:
                found.append(late)
            else:
                self.pool.note_end(session, end)
        return found

    def _late_end(self, session: Session, end: Ended) -> Result | None:
        """Return the failure of the call that ended a process late, if one explains it."""
        examples = last_examples(session.made) if may_be_late(end) else []
        if not examples:
            return None
        check = replace(examples[0].check, pins=examples[0].pins)
        attempt = Attempt(self.pool, self.judge, check, unexplained, AxisCoverage())
        example = attempt.late(examples)
        return None if example is None else attempt.shown(example)

    def _drawn(
        self, check: Check, explained: Explained, seen: AxisCoverage, *, again: bool = False
    ) -> Result:
        """Run a check with drawn examples.

        Args:
            check: the check.
            explained: whether a failure is known already, and need not be made shorter.
            seen: where to note what its examples are made with.
            again: it was run already, and its set-up failed.

        """
        attempt = Attempt(self.pool, self.judge, check, explained, seen)
        attempt.repetitions = REPETITIONS[self.profile]
        attempt.shorter = SHORTER[self.profile]
        examples = max(1, round(PROFILES[self.profile] * check.examples))
        try:
            attempt.drive(examples, f"{self.seed}")
        except Unavailable as missing:
            seen.beyond |= isinstance(missing, ImitationLimit)
            result = attempt.result(missing.verdict, missing.reason)
        except Blocked as blocked:
            late = attempt.late_block(blocked)
            if late is None and not again:
                return self._decide_afresh(check, blocked, explained, seen)
            unavailable = self.pool.verdict_of_block(blocked)
            result = attempt.result(unavailable.verdict, unavailable.reason)
            if late is not None:
                result = attempt.shown(late)
            elif attempt.set_up_failure is not None and blocked.clause != ALWAYS_JUDGED:
                result = attempt.shown(attempt.set_up_failure)
        else:
            result = attempt.conclusion()
            if result.verdict is Verdict.FLAKY and check.stepwise and not check.fresh:
                # What it takes may have been done in an earlier example.
                return self._drawn(replace(check, fresh=True), explained, seen)
        if self.archive is not None and (example := attempt.example()) is not None:
            self.archive.keep(example)
        return result

    def _decide_afresh(
        self, check: Check, blocked: Blocked, explained: Explained, seen: AxisCoverage
    ) -> Result:
        """Run a check in fresh processes: an earlier example may have left this one in a bad state.

        A process that died is never forgotten, though, even if fresh ones survive it.
        """
        self.pool.hear(blocked)
        result = self._drawn(replace(check, fresh=True), explained, seen, again=True)
        if blocked.clause == ALWAYS_JUDGED:
            if result.blocked_by != ALWAYS_JUDGED:
                self.pool.start_failures.unsteady(blocked.clause, blocked.got, blocked.end)
        elif blocked.deadly and result.verdict in (Verdict.PASS, Verdict.VACUOUS):
            if blocked.end is not None and blocked.end.elsewhere:
                # What earlier examples began ended it, and not what this check is about.
                self.pool.start_failures.unsteady(blocked.clause, blocked.got, blocked.end)
                return result
            doubt = f"not in a fresh process: {blocked.clause}: {blocked.got}"
            found, reason = of_doubt(blocked.end, doubt)
            return replace(result, verdict=found, reason=reason)
        return result
