"""Failures of an earlier run, shown again by the steps that it kept of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cached_property

from hsa_conformance.baselines.witness import Witness
from hsa_conformance.configurations import Configuration
from hsa_conformance.reproduce import CannotReproduce, Ground, NoGroundError, plan_for, render
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
        if where.environment or self._ground is None:
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
        assert self._ground is not None
        if result.failure is None:
            return False
        form = self._ground.languages[0]
        try:
            plan = plan_for(result.clause, result.failure, self._registry)
            text = render(plan, self._started(), self._registry, form)
            return self._ground.run(text, form, machine).status == PRESENT
        except (CannotReproduce, NoGroundError):
            return False

    @cached_property
    def _ground(self) -> Ground | None:
        try:
            return Ground(self._started())
        except NoGroundError:
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
