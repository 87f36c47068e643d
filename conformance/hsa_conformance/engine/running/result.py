"""What the examples of one check have found so far, and the result that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hsa_conformance.engine.calls.outcomes import ProvesNothing, Violation
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.generation.fixtures import CannotMake, OutOfReach, Unsuitable
from hsa_conformance.engine.judging import verdict
from hsa_conformance.engine.running.examples import DrawnValue, Example
from hsa_conformance.engine.session.axes import AxisCoverage
from hsa_conformance.engine.session.threads import overlap
from hsa_conformance.engine.session.threads.repetition import Rate
from hsa_reports import BESIDE, Result, Step, Verdict
from hsa_reports.verdicts import rank
from hsa_spec import DecidedBy

#: Returns whether a result shows a failure that is known already.
Explained = Callable[[Result], bool]


def unexplained(_: Result) -> bool:
    """Return False: nothing is known of the implementation."""
    return False


@dataclass(frozen=True)
class FailingExample:
    """An example that shows a violation in a fresh process."""

    violation: Violation
    steps: tuple[Step, ...]
    chosen: Mapping[str, str]
    choices: tuple[DrawnValue, ...] | None = (
        None  # what was drawn for it, where it can be drawn again
    )
    rate: Rate | None = None  # how often it shows, where that depends on chance


class CheckFindings:
    """What the examples of one check have found so far.

    Args:
        check: the check.
        coverage: where to note what its examples are made with.

    """

    def __init__(self, check: Check, coverage: AxisCoverage) -> None:
        self.check = check
        self.coverage = coverage
        self.counts = Counts()
        self.failures: list[FailingExample] = []
        self.unconfirmed_violation: Violation | None = None
        self.doubt = "not reproduced in a fresh process"
        self.set_up_failure: FailingExample | None = None
        self.obstacle: ProvesNothing | None = None
        self.deciders: set[DecidedBy | None] = set()
        self.shows: FailingExample | None = None  # what its result shows
        self.known_failures: dict[
            str, FailingExample
        ] = {}  # known failures, by the clause that they break

    def worst(self) -> FailingExample | None:
        """Return the shortest of the worst: to make a failure shorter may make it another one."""
        return min(
            self.failures, key=lambda f: (rank(f.violation.verdict), len(f.steps)), default=None
        )

    def judged(self) -> bool:
        """Return whether an example has failed, confirmed or not."""
        return bool(self.failures) or self.unconfirmed_violation is not None

    def conclusion(self) -> Result:
        """Return what the examples found, once all of them have run."""
        failed = self.worst()
        if failed is not None:
            return self.shown(failed)
        if self.known_failures:
            return self.shown(next(iter(self.known_failures.values())))
        if self.unconfirmed_violation is not None:
            doubt = f"{self.doubt}: {_in_one_line(self.unconfirmed_violation)}"
            found = self.result(*verdict.of_doubt(self.unconfirmed_violation, doubt))
            return replace(found, clause=self.unconfirmed_violation.clause)
        if not self.useful():
            beyond = self._unsuitable() or isinstance(self.obstacle, OutOfReach)
            reason = str(self.obstacle or "no example met the condition")
            return self.result(Verdict.NOT_APPLICABLE if beyond else Verdict.VACUOUS, reason)
        if self.check.chance:
            return self._of_threads()
        return self.result(Verdict.PASS)

    def _of_threads(self) -> Result:
        """Return the result where nothing is wrong: it shows little if few calls overlapped."""
        timed, overlapping = self.counts.timed, self.counts.overlapping
        whose = "the other function" if BESIDE in self.check.pins else "other threads"
        reason = f"{overlapping} of {timed} calls overlapped with those of {whose}"
        shown = timed and overlap.is_enough(overlapping, timed)
        return self.result(Verdict.PASS if shown else Verdict.VACUOUS, reason)

    def shown(self, failed: FailingExample) -> Result:
        """Return the result that an example which fails shows."""
        self.shows = failed
        self.coverage.ended = failed.chosen
        self.deciders = {failed.violation.decided_by}
        return self._of(failed)

    def _of(self, failed: FailingExample) -> Result:
        violation = failed.violation
        how_often = f", {failed.rate}" if failed.rate else ""
        found = self.result(violation.verdict, f"{violation.summary}{how_often}")
        failure = violation.failure(failed.steps)
        return replace(found, clause=violation.clause, failure=failure)

    def _unsuitable(self) -> bool:
        """Return whether nothing goes with what is pinned, or nobody can tell whether it does."""
        unable = isinstance(self.obstacle, CannotMake) and not isinstance(self.obstacle, Unsuitable)
        return bool(self.check.pins) and self.obstacle is not None and not unable

    def result(self, found: Verdict, reason: str | None = None) -> Result:
        """Return a result of the check with the counts of its examples."""
        return Result(
            self.check.clause,
            self.check.name,
            found,
            reason,
            self.counts.satisfied,
            self.counts.near_misses,
            self.counts.discarded,
            self.counts.calls,
            source=str(self.check.source),
            decided_by=self._decider(),
        )

    def _decider(self) -> DecidedBy | None:
        """Return who decides what was looked at, where that is not whom the clause names.

        To hold takes all of it, so one part that the runtime does not decide is enough.
        """
        named = {by for by in self.deciders if by is not None}
        others = named - {DecidedBy.RUNTIME}
        if others:
            return min(others)
        return DecidedBy.RUNTIME if named and None not in self.deciders else None

    def useful(self) -> int:
        """Return how many examples have judged something."""
        return self.counts.satisfied + self.counts.near_misses

    def example(self) -> Example | None:
        """Return the example that the result shows, if it can be made again in another run."""
        if self.shows is None or self.shows.choices is None:
            return None
        violation, check = self.shows.violation, self.check
        broken = " ".join(filter(None, [violation.clause, violation.ended]))
        return Example(check.clause, check.name, broken, check.pins, self.shows.choices)


def _in_one_line(violation: Violation) -> str:
    """Return all that stays of a violation without an example: also its answer, or its place."""
    words = [violation.summary]
    if violation.got not in violation.summary and violation.ended is None:
        words.append(violation.got)
    if violation.ended_at is not None:
        words.append(f"in {violation.ended_at.words}")
    return ", ".join(words)
