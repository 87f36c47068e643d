"""Runs clauses one by one for a subject: what pytest items and tests call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain

from hsa_adapters.protocol import Adapter
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.case import STABLE
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.checks.status.exports import export_result
from hsa_conformance.engine.judging.imitation import BENEATH, Imitation
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.unknown_version import either
from hsa_conformance.engine.library.census import expected, unlisted
from hsa_conformance.engine.running.before import try_before
from hsa_conformance.engine.running.beside import try_beside
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.choice.applicability import (
    LONG_RUN,
    Applicability,
    Exclusion,
    GeneralExclusions,
)
from hsa_conformance.engine.running.choice.checks import Checks
from hsa_conformance.engine.running.example_counts import BRIEF, SOAK, STEPS, ExampleCounts
from hsa_conformance.engine.running.examples import ExampleArchive
from hsa_conformance.engine.running.facts import FactsAgain
from hsa_conformance.engine.running.question_order import QuestionOrder
from hsa_conformance.engine.running.result import Explained, unexplained
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.running.sweep import sweep, with_values
from hsa_conformance.engine.session.axes import AxisCoverage, Pin
from hsa_conformance.engine.session.extensions import denied
from hsa_conformance.engine.session.identity import own_version, release_of
from hsa_conformance.engine.session.threads.together import Race
from hsa_conformance.engine.topic import Topics
from hsa_reports import ALWAYS_JUDGED, APPLICABILITY, Result, TextReading, Verdict
from hsa_spec import Clause, DecidedBy, Kind, Registry

#: The profiles in which the driver refuses in every way that it may.
THOROUGH: frozenset[str] = frozenset({"full", "exhaustive"})

#: Seconds that a long run takes where nobody says how many.
LENGTH: float = 600.0

_PASSING = (Verdict.PASS, Verdict.IMITATED)
_SILENT = (Verdict.VACUOUS, Verdict.BLOCKED)
_UNREACHED = (*_SILENT, Verdict.NOT_APPLICABLE)


@dataclass(frozen=True)
class Settings:
    """How a run is to be made."""

    profile: str = "quick"
    costs: Mapping[str, float] = field(default_factory=dict)  # see `ExampleCounts`
    allowance: float = float("inf")  # see `ExampleCounts`
    length: float = LENGTH  # seconds of a long run
    seed: int = 0
    expect_no_device: bool = False
    memory_budget: int | None = None  # bytes that one call may take; None for a share
    release: str | None = None
    hsa_version: str | None = None
    threads: int | None = None  # that the library may leave behind when it is shut down
    archive: ExampleArchive | None = (
        None  # where failing examples go, and those of earlier runs come from
    )
    race: Race = nullcontext  # waits for the other processes of the run
    emulator: str | None = None  # somebody else's, that stands in for the driver and its devices


class Runner:
    """Judges clauses of one implementation.

    `on_machine` says whether the clause that was judged last was tried with objects of the machine,
    so that another machine may give another answer.

    Args:
        adapter: the implementation.
        registry: the specification.
        topics: what the suite knows of the API.
        settings: profile, seed and the like.

    Raises:
        AdapterError: the implementation cannot be started.

    """

    def __init__(
        self, adapter: Adapter, registry: Registry, topics: Topics, settings: Settings
    ) -> None:
        self.registry = registry
        self.pool = SessionPool(
            adapter,
            registry,
            topics,
            expect_no_device=settings.expect_no_device,
            memory_budget=settings.memory_budget,
            most_threads=settings.threads,
        )
        # Before the first process, which serves checks as well.
        self.pool.length = settings.length
        self.pool.race = settings.race
        self.subject = self.pool.subject
        self.obstacle: Unavailable | None = None
        self._listed: Mapping[str, int] | None = None
        answers, lacking = self._ask_library()
        self.identity = release_of(
            self.subject, answers, settings.release, registry, hsa=settings.hsa_version
        )
        self.release, self.release_from = self.identity.release, self.identity.how
        self.pool.release = self.release
        self.pool.expected_agents = expected(self.subject, self.release, self.pool.topology)
        faults, memory = adapter.faults(), adapter.memory()
        no_memory = memory if isinstance(memory, str) else None
        declared = GeneralExclusions(
            registry, topics, met=(LONG_RUN,) if settings.profile == SOAK else ()
        )
        self.applicability = Applicability(
            declared,
            self.subject,
            self.release,
            faults=faults,
            no_memory=no_memory,
            denied=lacking,
        )
        self.pool.offered_api = self.applicability.offered_api
        self.judge = Judge(registry, self.applicability.in_force, self.release)
        real = self.subject.machine is None and settings.emulator is None
        imitated = BENEATH | ({DecidedBy.PROFILER} if self.subject.imitates_profiler else set())
        self.imitation = None if real else Imitation(registry, self.release, imitated)
        self.campaign = Campaign(
            self.pool, self.judge, settings.profile, settings.seed, settings.archive
        )
        self.example_counts = ExampleCounts(
            settings.profile, settings.costs, settings.allowance, self.subject.interpreted
        )
        self.on_machine = False
        steps = STEPS[settings.profile]
        offered = self.subject.exports & self.pool.offered_api.functions
        lives = topics.lives(self.judge, offered)
        thorough = settings.profile in THOROUGH
        exports = self.subject.exports
        self.checks = Checks(
            declared.cases,
            self.judge,
            faults,
            None if isinstance(memory, str) else memory,
            lives.checks(steps),
            lives.programs,
            exports,
            offered,
            settings.seed,
            thorough=thorough,
        )

        self._heard: dict[str, frozenset[Verdict]] = {}
        self.pool.verdicts_of = self._verdicts_of
        self.facts = FactsAgain(
            self.pool,
            self.judge,
            topics.holders,
            [f for f in registry.functions.values() if f.stable and f.name in offered],
            settings.seed,
            brief=settings.profile in BRIEF,
        )
        self.pool.look = self.facts.look
        self.question_order = QuestionOrder(
            self.pool, self.judge, topics.holders, topics.repertoire, settings.seed
        )

    @property
    def initialised(self) -> bool:
        """Return whether the runtime could be initialised at least once."""
        return self.pool.initialised_once

    def unlisted(self) -> Sequence[str]:
        """Return what the machine has more of than the library lists, in words."""
        if self._listed is None:
            return ()
        return list(unlisted(self.subject, self.release, self.pool.topology, self._listed))

    def complaints(self) -> Sequence[str]:
        """Return what kept the implementation from being judged on an imitated machine."""
        return self.pool.adapter.complaints()

    def observations(self) -> Sequence[str]:
        """Return what was seen of the implementation's processes; see `Adapter`."""
        return self.pool.adapter.observations()

    def executed(self) -> Mapping[str, str]:
        """Return how an imitated machine executed the instructions of kernels; see `Faults`."""
        executing = self.pool.executing
        return executing.executed() if executing else {}

    def close(self) -> None:
        """End every process."""
        self.pool.close()

    def run(
        self,
        clause: Clause,
        effort: float = 1.0,
        explained: Explained = unexplained,
        *,
        objects_only: bool = False,
        sweeps: bool = True,
        values: Collection[Pin] = (),
    ) -> list[Result]:
        """Return the results of every check of a clause.

        There is none only where it was judged elsewhere.

        Args:
            clause: the clause.
            effort: how many times the profile's number of examples.
            explained: whether a failure is known already, and need not be made shorter.
            objects_only: it was judged on another machine: of the values that have to be tried, try
                only objects of the machine, and leave out what one machine is enough for.
            sweeps: whether to try each of those values; without, what is drawn has to do.
            values: the values of axes to try, and none of the others; without, all of them.

        """
        self.on_machine = False
        unjudged = self.applicability.exclusion(clause)
        absent = self.pool.without_device
        if unjudged is None and clause.id == ALWAYS_JUDGED and absent is not None:
            unjudged = Exclusion(absent.verdict, absent.reason)
        if unjudged is not None:
            return [Result(clause.id, APPLICABILITY, unjudged.verdict, unjudged.reason)]
        if clause.kind is Kind.EXPORT:
            return [export_result(clause, self.subject)]

        def results_of(of: Clause) -> list[Result]:
            checks = [c for c in self.checks.of(of) if not (objects_only and c.once)]
            return self._results(
                [
                    replace(
                        c,
                        examples=effort * self.example_counts.share(c),
                        turns=self.example_counts.turns(c),
                        objects_only=objects_only,
                        sweeps=sweeps and c.sweeps,
                    )
                    for c in checks
                ],
                explained,
                values,
            )

        others = self.applicability.instead(clause)
        found = (
            either(clause, results_of(clause), others, results_of) if others else results_of(clause)
        )
        if (kept := self.campaign.archive) is not None and all(map(_passes, found)):
            kept.passed(clause.id)
        of_facts = self.facts.take()
        if clause.slug == STABLE and not (objects_only or values):
            of_facts += self.question_order.results(clause)
        changed = (self._add_readings(r) for r in of_facts)
        return [*found, *(self._discount_imitation(r) for r in changed)]

    def _verdicts_of(self, clause: Clause) -> frozenset[Verdict]:
        """Return the verdicts of a clause's own checks, for who has met it elsewhere."""
        if clause.id not in self._heard:
            self._heard[clause.id] = frozenset()  # while they are found out
            left_out = clause.kind is Kind.EXPORT or self.applicability.exclusion(clause)
            checks = () if left_out else self.checks.of(clause)
            self._heard[clause.id] = frozenset(
                result.verdict
                for check in checks
                if not (check.beside or check.stepwise)  # which call other functions, too
                for result in self._try_values(check, unexplained, ())
                if result.clause == clause.id
            )
        return self._heard[clause.id]

    def _results(
        self, checks: Sequence[Check], explained: Explained, values: Collection[Pin]
    ) -> list[Result]:
        of_checks = (self._try_values(check, explained, values) for check in checks)
        tried = (
            with_values(checks, [*of_checks], values) if values else chain.from_iterable(of_checks)
        )
        results = (r for t in tried for r in _for_each_clause(self.pool.start_failures.instead(t)))
        found = [
            self._add_readings(self._discount_imitation(self._start_again(r))) for r in results
        ]
        return decisive(found)

    def _try_values(
        self, check: Check, explained: Explained, only: Collection[Pin]
    ) -> list[Result]:
        if check.beside:
            return try_beside(self.campaign, check, explained, only)
        seen = AxisCoverage()
        results = sweep(self.campaign, check, explained, seen, only)
        self.on_machine |= seen.on_machine
        if check.objects_only:
            return results  # the first machine has shown it
        return try_before(self.campaign, check, explained, results, only)

    def _add_readings(self, result: Result) -> Result:
        """Say where texts contradict each other: other answers than the right one hold, too."""
        holds = result.verdict is Verdict.PASS
        contested = holds and bool(self.registry.clauses[result.clause].contested)
        failure = result.failure
        if failure is not None:
            concerned = dict.fromkeys(
                [result.clause, *(c for a in failure.allowed for c in a.clauses)]
            )
            readings = (
                TextReading(clause, str(reading.source), reading.answer)
                for clause in concerned
                for reading in self.registry.clauses[clause].contested
            )
            failure = replace(failure, readings=tuple(readings))
        return replace(result, contested=contested, failure=failure)

    def starts(self) -> list[Result]:
        """Return what the starts of processes have shown since the last time."""
        return self.pool.start_failures.take()

    def late_ends(self) -> list[Result]:
        """Return the failures of calls that end the processes of the last checks after a moment."""
        return [self._discount_imitation(r) for r in self.campaign.late_ends()]

    def _start_again(self, result: Result) -> Result:
        """Look again at a process that hsa_init did not start: later ones may start all the same.

        Its check uses each process for one call, so that chance looks like a reproduction.
        """
        failure = result.failure
        if result.clause != ALWAYS_JUDGED or failure is None or len(failure.steps) > 1:
            return result
        try:
            with self.pool.session(initialised=True, fresh=True):
                reason = f"not in another fresh process: {failure.summary}"
                return replace(result, verdict=Verdict.FLAKY, reason=reason, failure=None)
        except Unavailable:
            return result

    def _discount_imitation(self, result: Result) -> Result:
        return self.imitation.discount(result) if self.imitation else result

    def _ask_library(self) -> tuple[Mapping[str, int | str], frozenset[str]]:
        """Return what the library says of its version, and which extensions it says it lacks."""
        try:
            with self.pool.session(initialised=True) as session:
                if not (session.missing_kinds.get("agent") or session.listed["unknown"]):
                    self._listed = session.listed
                return own_version(session), denied(session)
        except Unavailable as obstacle:
            self.obstacle = obstacle
            return {}, frozenset()


def decisive(found: Sequence[Result]) -> list[Result]:
    """Return the results that decide on a clause.

    What a further check could not reach decides nothing unless it names what it tried, and is a
    reason of what the first one found; what the first could not, decides.

    Args:
        found: the results of its checks.

    """
    kept = [*found[:1], *(r for r in found[1:] if r.verdict not in _UNREACHED or r.ways)]
    silent = [f"{r.check}: {r.reason}" for r in found[1:] if r.verdict in _SILENT and not r.ways]
    if silent and kept[0].verdict is Verdict.PASS:
        reasons = [kept[0].reason, f"not judged: {'; '.join(dict.fromkeys(silent))}"]
        kept[0] = replace(kept[0], reason="; ".join(filter(None, reasons)))
    return kept


def _for_each_clause(result: Result) -> list[Result]:
    """Return a result, and the same for each further clause that its failure breaks."""
    also = result.failure.also if result.failure is not None else ()
    return [result, *(replace(result, clause=clause) for clause in also)]


def _passes(result: Result) -> bool:
    return result.verdict in _PASSING and result.failure is None
