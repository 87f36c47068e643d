"""The implementation under test on one configuration, and what is found on several of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from hsa_adapters import interrupts
from hsa_conformance.baselines import Baseline, Entry, KnownCause, KnownFailures
from hsa_conformance.baselines.witness import tried_as_a_whole
from hsa_conformance.configurations import Configuration, unknown_to
from hsa_conformance.engine.running.result import unexplained
from hsa_conformance.engine.running.runner import Runner
from hsa_conformance.engine.session.axes import Pin
from hsa_conformance.replay.replays import Replays
from hsa_reports import Result, Verdict
from hsa_reports.verdicts import JUDGED
from hsa_spec import Clause, Kind, Registry
from hsa_spec.machines import load_machine
from hsa_spec.releases import Release

#: How many times the usual number of examples a known failure gets before it counts as gone.
HARDER: Final = 8.0
#: How many times the usual number of examples a clause gets where it was judged elsewhere.
BRIEFLY: Final = 0.2

#: The check of a clause that is not judged because the release does not know the machine.
_MACHINE: Final = "machine"
_REACHED = JUDGED | {Verdict.IMITATED}


class Platform:
    """The implementation on one configuration; it is started when it is first needed.

    Args:
        configuration: what it is put on.
        start: starts the implementation.
        baseline: its known failures, if there is one.
        further: whether clauses are judged on another configuration first.
        replays: shows what failed in an earlier run again, where that is the baseline.

    """

    def __init__(
        self,
        configuration: Configuration,
        start: Callable[[Configuration], Runner],
        baseline: Baseline | None,
        *,
        further: bool,
        replays: Replays | None = None,
    ) -> None:
        self.configuration = configuration
        self.further = further
        self._replays = replays
        self._start = start
        self._baseline = baseline
        self._runner: Runner | None = None

    @property
    def runner(self) -> Runner:
        """Return what judges clauses here, started on first use."""
        if self._runner is None:
            self._runner = self._start(self.configuration)
        return self._runner

    @property
    def started(self) -> bool:
        """Return whether it was needed yet."""
        return self._runner is not None

    def close(self) -> None:
        """End every process; it may be started again.

        Raises:
            AdapterError: the implementation cannot be stopped.

        """
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    @cached_property
    def expected(self) -> KnownFailures | None:
        """Return the known failures of the implementation here."""
        return self.expected_of(self.runner.release)

    def expected_of(self, release: Release) -> KnownFailures | None:
        """Return the known failures of a release here.

        None of them has to show on a machine that the release does not know.
        """
        if self._baseline is None:
            return None
        names = self.configuration.names
        found = self._baseline.expected(release, *names, further=self.further)
        return replace(found, certain=()) if found and self.unknown_to(release) else found

    def absent_failures(
        self,
        expected: KnownFailures,
        results: Collection[Result],
        registry: Registry,
        selected: Collection[str],
    ) -> Iterator[tuple[Entry | KnownCause, Result]]:
        """Yield each failure that is known here and did not show, with a result that says so.

        Args:
            expected: what is known of the release under test here.
            results: all results of the run.
            registry: the specification.
            selected: the ids of the clauses that were to be judged.

        """
        name = self.configuration.name
        everything = {*selected} == {*registry.clauses}
        own = [r for r in results if r.machine in (None, name)]
        tried = tried_as_a_whole(registry, selected)
        if self.further:
            tried &= {r.clause for r in own if r.machine}
        for entry, surprise in expected.absent_failures(
            own, tried, everything=everything and not self.further
        ):
            yield entry, replace(surprise, machine=name) if self.further else surprise
        yield from expected.absent(results, everything=everything)

    def unknown_to(self, release: Release) -> str | None:
        """Return why a release does not know the machine, None where it may."""
        machine = self.configuration.machine
        return unknown_to(load_machine(machine), release) if machine else None

    @cached_property
    def unknown(self) -> str | None:
        """Return why the release under test does not know the machine, None where it may."""
        return self.unknown_to(self.runner.release)

    def judge(
        self, clause: Clause, *, briefly: bool = False, values: Collection[Pin] = ()
    ) -> list[Result]:
        """Return the results of a clause, as the baseline sees them.

        Args:
            clause: the clause.
            briefly: it was judged elsewhere: a few examples, and each object of the machine, do.
            values: the values of axes to try; without, all of them.

        """
        if self.unknown and clause.kind is not Kind.EXPORT:
            return [Result(clause.id, _MACHINE, Verdict.NOT_APPLICABLE, self.unknown)]
        found = self._found(
            clause, BRIEFLY if briefly else 1.0, objects_only=briefly, values=values
        )
        if not values and self.expected is not None and self.expected.misses(clause.id, found):
            # What is known must not pass for fixed because the examples were unlucky.
            again = self._again(clause, found)
            found = [*found, *again] if again else self._found(clause, HARDER)
        return found

    def _again(self, clause: Clause, found: Sequence[Result]) -> list[Result]:
        """Return the failures of an earlier run that its steps still show."""
        if self._replays is None:
            return []
        known = {r.value for r in found if r.clause == clause.id and r.verdict is Verdict.XFAIL}
        return self._seen(self._replays.again(clause.id, self.configuration, known))

    def rest(self) -> None:
        """End the processes that wait for the next clause."""
        if self._runner is not None:
            self._runner.pool.rest()

    def starts(self) -> list[Result]:
        """Return what starts of processes have shown of hsa_init since the last time."""
        found = self._seen(self.runner.starts()) if self.started else []
        return [_on(self, r) for r in found] if self.further else found

    def late_ends(self) -> list[Result]:
        """Return the failures of calls that end the processes of the last checks after a moment."""
        found = self._seen(self.runner.late_ends()) if self.started else []
        return [_on(self, r) for r in found] if self.further else found

    def _found(
        self,
        clause: Clause,
        effort: float,
        *,
        objects_only: bool = False,
        values: Collection[Pin] = (),
    ) -> list[Result]:
        expected = self.expected
        explained = expected.explains if expected is not None else unexplained
        # Which of the values fail, is known of all machines.
        known = objects_only and expected is not None and expected.fails_everywhere(clause.id)
        with interrupts.deferred():
            found = self.runner.run(
                clause,
                effort,
                explained,
                objects_only=objects_only,
                sweeps=not known,
                values=values,
            )
        return self._seen(found)

    def _seen(self, found: list[Result]) -> list[Result]:
        return [self.expected.as_expected(r) for r in found] if self.expected is not None else found


def judge(
    platforms: Sequence[Platform], clause: Clause, values: Collection[Pin] = ()
) -> list[Result]:
    """Return the results of a clause on each configuration where its answer can differ.

    That is where the first one tried it with objects of the machine, or could not judge it.

    Args:
        platforms: the configurations; the first judges every clause.
        clause: the clause.
        values: the values of axes to try; without, all of them.

    """
    first, *others = platforms
    found = first.judge(clause, values=values)
    reached = _reached(found)
    if not others:
        return found
    found = [_on(first, r) for r in found]
    if not (first.runner.on_machine or not reached):
        return found
    function = first.runner.registry.functions[clause.function]
    for platform in others:
        if reached and not platform.configuration.concerns(function):
            continue
        further = [
            _on(platform, r) for r in platform.judge(clause, briefly=bool(reached), values=values)
        ]
        if platform.configuration.busy:
            platform.rest()  # or it takes the time of all that comes after it
        found += [r for r in further if r.verdict in _REACHED]
    judged = _reached(found)
    # What one machine could not show, another one may.
    return [r for r in found if r.verdict in _REACHED or (r.clause, r.check) not in judged]


def _reached(results: Collection[Result]) -> set[tuple[str, str]]:
    return {(r.clause, r.check) for r in results if r.verdict in _REACHED}


def _on(platform: Platform, result: Result) -> Result:
    """Return a result that says on which configuration it came about."""
    name = platform.configuration.name
    result = replace(result, machine=name)
    if not platform.further or result.failure is None:
        return result
    summary = f"{result.failure.summary}, on {name}"
    failure = replace(result.failure, summary=summary)
    return replace(result, reason=f"{result.reason}, on {name}", failure=failure)
