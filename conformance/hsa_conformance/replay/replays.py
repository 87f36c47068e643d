"""Failures of an earlier run, shown again by the steps that it kept of them."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property

from hsa_conformance.baselines.witness import Witness
from hsa_conformance.configurations import Configuration
from hsa_conformance.reproduce import CannotReproduce, NoTargetError, Target, plan_for, render
from hsa_reports import Result, Run, RunStarted
from hsa_reports.programs import PRESENT
from hsa_spec import Registry


class Replays:
    """Runs the programs of failures on what is under test now.

    Args:
        run: the earlier run.
        registry: the specification.
        started: returns what is under test now.

    """

    def __init__(self, run: Run, registry: Registry, started: Callable[[], RunStarted]) -> None:
        self._witness = Witness(run, registry)
        self._registry = registry
        self._started = started

    def again(self, clause: str, where: Configuration, but: Collection[str | None]) -> list[Result]:
        """Return the failures of a clause that their steps still show.

        Args:
            clause: the id of the clause.
            where: what it is judged on now.
            but: the values with which it is known to fail; None for the clause as a whole.

        """
        if where.environment or self._target is None:
            return []  # programs are started with the variables of nobody
        return [
            self._bare(result)
            for result in self._witness.failures
            if result.clause == clause
            and result.value not in but
            and (not where.names or not {*where.names}.isdisjoint(self._witness.on(result)))
            and self._shows(result, where.machine)
        ]

    def _shows(self, result: Result, machine: str | None) -> bool:
        assert self._target is not None
        if result.failure is None:
            return False
        form = self._target.languages[0]
        try:
            plan = plan_for(result.clause, result.failure, self._registry)
            text = render(plan, self._started(), self._registry, form)
            said = self._target.run(text, form, machine)
        except (CannotReproduce, NoTargetError):
            return False
        return said.status == PRESENT and in_the_same_way(result, said.line)

    @cached_property
    def _target(self) -> Target | None:
        try:
            return Target(self._started())
        except NoTargetError:
            return None

    @staticmethod
    def _bare(result: Result) -> Result:
        steps = len(result.failure.steps) if result.failure else 0
        reason = result.failure.summary if result.failure else None
        return replace(
            result,
            reason=reason,
            satisfied=0,
            near_misses=0,
            discarded=0,
            calls=steps,
            seconds=0.0,
            values=(),
            cause=None,
            machine=None,
        )


def in_the_same_way(result: Result, line: str) -> bool:
    """Return whether a program shows a failure as it was, and no other one in its place.

    Args:
        result: the failure.
        line: what the program of its steps printed.

    """
    if result.end == "HANG":
        return ": no end after " in line
    if (result.end or "").startswith("SIG"):
        return f": {signal.strsignal(signal.Signals[result.end or ''])}, " in line
    if result.end is None and re.search(r": [^,:]+, in step \d", line):
        return False  # it ends the process now
    answered = re.search(r" answered (HSA_\w+)", line)
    got = re.match(r"HSA_\w*STATUS_\w+", result.failure.got if result.failure else "")
    return answered is None or got is None or answered[1] == got[0]
