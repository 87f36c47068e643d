"""Runs the suite under pytest: one item a clause."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

import hsa_reports
from hsa_adapters import AdapterError, MisuseError, interrupts
from hsa_conformance import own_errors, subjects
from hsa_conformance.baselines import Baseline, BaselineError, KnownFailures, read_baseline
from hsa_conformance.baselines.earlier import of_run, read_earlier
from hsa_conformance.configurations import Configuration
from hsa_conformance.engine.running.runner import Runner
from hsa_conformance.pytest_options import (
    command,
    examples_of,
    options_of,
    program,
    settings_of,
    stops_early,
)
from hsa_conformance.replay.replays import Replays
from hsa_conformance.reproduce.trying.commands import with_commands
from hsa_conformance.runs import opening, resuming
from hsa_conformance.runs.absent_failures import absent_failures
from hsa_conformance.runs.exit_status import FAILED, NOT_CARRIED_OUT
from hsa_conformance.runs.journal import Journal, JournalEntry, processor_time
from hsa_conformance.runs.limit import LOAD, Limit, usual
from hsa_conformance.runs.losses import losses
from hsa_conformance.runs.platforms import Platform, judge
from hsa_conformance.runs.stopping import stoppable
from hsa_conformance.runs.turns import Turns
from hsa_conformance.selection.durations import subject_of
from hsa_conformance.selection.names import SelectionError
from hsa_conformance.selection.selection import selection_of, tell
from hsa_conformance.subjects import plan
from hsa_conformance.topics import TOPICS
from hsa_reports import Verdict
from hsa_reports.verdicts import WARNINGS
from hsa_spec import Clause, Registry, load
from hsa_spec.releases import HSA_VERSIONS, Release

#: What a worker of pytest-xdist calls its processor time.
_PROCESSOR = "hsa_processor"
#: What it is told of the time of the run.
_LIMIT = "hsa_limit"

_EXPLAINED = WARNINGS | {Verdict.PASS, Verdict.UNDOCUMENTED}


class SuitePlugin:
    """Holds the platforms of this process, and in the controller what writes down the run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.registry: Registry = load()
        self.strict = bool(config.getoption("--hsa-strict"))
        try:
            self.selection = selection_of(config, self.registry)
            Release.parse(config.getoption("--hsa-release"))
        except (SelectionError, ValueError) as error:
            raise pytest.UsageError(str(error)) from None
        version = config.getoption("--hsa-hsa-version")
        if version not in (None, *HSA_VERSIONS):
            raise pytest.UsageError(f"{version!r} is no HSA version: {', '.join(HSA_VERSIONS)}")
        self.clauses, self.selected = self.selection.clauses, self.selection.ids
        self.is_worker = hasattr(config, "workerinput")
        self.is_last = False  # whether no further clause is judged in this process
        self.journal = Journal(strict=self.strict)
        self.tally = self.journal.tally
        self.tally.elsewhere.update(self.selection.everything - self.selected)
        self.excused = False
        self.stopped_early = False
        self.part = None if self.is_worker else resuming.begun(config, self.journal)
        self.turns = Turns(TOPICS, getattr(config, "workerinput", None))
        self.todo = self.turns.in_order(self._todo(), subject_of(config.getoption("--hsa-library")))
        self.limit = Limit(*getattr(config, "workerinput", {}).get(_LIMIT, ()))
        self.workers: list[int] = []  # processes of pytest-xdist on this machine
        self.stopping = ExitStack()
        self._reported_instructions: set[str] = set()  # instructions of kernels
        self.replays: Replays | None = None
        self.baseline = self._read_baseline()
        self.examples = examples_of(config)
        self.platforms = [
            Platform(
                configuration, self._start, self.baseline, further=number > 0, replays=self.replays
            )
            for number, configuration in enumerate(plan(options_of(config)))
        ]
        self.stopping.enter_context(stoppable())

    def _todo(self) -> list[Clause]:
        """Return the clauses that are to be judged; processes of pytest-xdist are told which."""
        if self.is_worker:
            ids = frozenset(self.config.workerinput["hsa_todo"])  # type: ignore[attr-defined]
        else:
            ids = self.selected if self.part is None else self.part.left
        return [c for c in self.clauses if c.id in ids]

    def _read_baseline(self) -> Baseline | None:
        name = self.config.getoption("--hsa-baseline")
        before = self.config.getoption("--hsa-against")
        if name and before:
            raise pytest.UsageError("--hsa-against is a baseline, too: leave out --hsa-baseline")
        try:
            if before:
                run = read_earlier(Path(before))
                self.replays = Replays(run, self.registry, self._under_test)
                return of_run(run, before, self.registry)
            return read_baseline(name, self.registry) if name else None
        except BaselineError as error:
            raise pytest.UsageError(str(error)) from None

    def _under_test(self) -> hsa_reports.RunStarted:
        """Return what is under test, with the options that say where it runs."""
        given = ((f"--{n}", self.config.getoption(f"--hsa-{n}")) for n in ("host", "via"))
        words = tuple(word for name, value in given if value for word in (name, str(value)))
        return replace(self._run_started(), command=words)

    def _run_started(self) -> hsa_reports.RunStarted:
        return opening.run_started(self.config, self.registry, self.selection, self.platforms)

    @property
    def expected(self) -> KnownFailures | None:
        """The known failures of what is under test, where every clause is judged."""
        return self.platforms[0].expected

    @property
    def runner(self) -> Runner:
        """What judges every clause in this process, started on first use."""
        return self.platforms[0].runner

    def _start(self, configuration: Configuration) -> Runner:
        name = self.config.getoption("--hsa-adapter") or "library"
        options = replace(
            options_of(self.config),
            virtual_kfd=configuration.machine,
            environment=configuration.environment,
        )
        try:
            adapter = subjects.make(name, options, self.registry)
            kept = self.examples.on(configuration)
            settings = replace(settings_of(self.config), archive=kept, race=self.turns.turn)
            return Runner(adapter, self.registry, TOPICS, settings)
        except MisuseError as error:
            raise pytest.UsageError(str(error)) from None
        except AdapterError as error:
            self._give_up(str(error), error.__cause__)
        except Exception as error:
            broken = f"{name!r} cannot be started, the suite itself is broken"
            self._give_up(f"{broken}: {own_errors.line(error)}{own_errors.MORE}", error)

    def _give_up(self, reason: str, error: BaseException | None) -> NoReturn:
        tracebacks = bool(self.config.getoption("--hsa-traceback"))
        pytest.exit(own_errors.message(reason, error, tracebacks=tracebacks), NOT_CARRIED_OUT)

    # the run

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note what is to be run, and keep the garbage collector from what lives as long."""
        self._note_collected([item.name for item in session.items])
        gc.freeze()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Note what is to be run, where processes of pytest-xdist run it."""
        self._note_collected(ids)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:  # noqa: ANN401
        """Tell a process of pytest-xdist which clauses are to be judged."""
        tell(self.selection, node)
        node.workerinput["hsa_todo"] = [c.id for c in self.todo]
        node.workerinput[_LIMIT] = astuple(self.limit)
        self.turns.tell(node)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_newgateway(self, gateway: Any) -> None:  # noqa: ANN401
        """Note a process of pytest-xdist, which is stopped with this one."""
        if gateway.spec.popen:
            self.workers.append(gateway._rinfo().pid)

    def _note_collected(self, names: list[str]) -> None:
        ids = (name.partition("[")[2].removesuffix("]") for name in names)
        self.tally.collected.update(self.selected.intersection(ids))

    def pytest_sessionstart(self) -> None:
        """Open the event file and say what is under test."""
        if self.is_worker:
            return
        # What cannot be started is one error, not as many failures as there are clauses.
        started = self._run_started()
        notices, starts = list(opening.notices(self.platforms, self.baseline)), self._starts()
        notices += self.examples.notices((p.configuration for p in self.platforms), self.selected)
        self.excused = started.without_device
        self.release = self.runner.release
        seen = self._observations()
        self.limit = self._limit()
        if self.config.pluginmanager.hasplugin("dsession"):
            # Workers would inherit the core that the adapter confines this process to.
            self._close()
        target = self.config.getoption("--hsa-events")
        if self.part is not None:
            try:
                resuming.check(self.part, started)
            except BaseException:
                self._close()
                raise
            self.journal.go_on(self.part)
        elif target and not self.journal.is_open:
            self.journal.open(Path(target))
        if self.part is None or not self.part.judged:
            self.journal.emit(started)
            for text in notices:
                self.journal.emit(hsa_reports.Notice(text))
        self.journal.note_seen(seen)
        for result in starts:
            self.journal.note_start(result)

    def _limit(self) -> Limit:
        """Return how long the run may take; nobody can tell it of a library on a real machine."""
        option = self.config.getoption
        if (given := option("--hsa-limit")) is not None:
            return Limit.from_now(float(given))
        if self.runner.imitation is None and option("--hsa-adapter") != "reference":
            return Limit()
        seconds = usual(
            [c.id for c in self.todo],
            subject_of(option("--hsa-library")),
            str(option("--hsa-profile")),
            processes=option("numprocesses", None) or 1,
            machines=len(self.platforms),
        )
        return Limit.from_now(seconds, LOAD * seconds)

    def _close(self) -> None:
        for platform in reversed(self.platforms):
            try:
                platform.close()
            except AdapterError as error:
                self.tally.errors["the adapter"] += 1
                said = str(error).removesuffix(own_errors.MORE)
                self.journal.emit(hsa_reports.Notice(f"It could not be stopped: {said}."))

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make one item for each clause selected."""
        if "hsa_clause" in metafunc.fixturenames:
            metafunc.parametrize("hsa_clause", self.todo, ids=[c.id for c in self.todo])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, nextitem: pytest.Item | None) -> Iterator[None]:
        """Know which item is the last one of this process."""
        self.is_last = nextitem is None
        return (yield)

    @pytest.fixture
    def hsa_suite(self) -> SuitePlugin:
        """Return the plugin, for the suite's one test."""
        return self

    def judge(self, clause: Clause, record_property: Any) -> None:  # noqa: ANN401
        """Judge one clause, and hand the results to whoever writes them down."""
        record = JournalEntry(record_property)
        try:
            with interrupts.limited(self.limit.over):
                interrupts.checkpoint()
                values = self.selection.values.get(clause.id, ())
                found = self._commanded(judge(self.platforms, clause, values))
        except interrupts.TimeIsUp:
            late = self.limit.passed_by(clause.id)
            record.not_done(late)
            pytest.skip(f"{late.verdict}: {late.reason}")
        if complaints := self._complaints():
            # What the imitation lacks is no finding about the library.
            record.notice("; ".join(complaints))
            raise AdapterError("; ".join(complaints))
        for seen in self._observations():
            record.seen(seen)
        if self.is_last:
            late_ends = [r for platform in self.platforms for r in platform.late_ends()]
            found += self._commanded(late_ends)
        starts = self._starts()
        always = {hsa_reports.ALWAYS_JUDGED, *(r.clause for r in starts)}
        concerns = self.selection.everything | always
        found += [r for r in starts if r not in found]
        results = [r for r in found if r.clause in concerns]
        for stray in (r for r in found if r.clause not in concerns):
            # An input that just misses one clause may show that another is broken.
            record.stray(stray)
        if all(r.clause != clause.id for r in results):
            # All that was found speaks of other clauses; without a word on it, this one is NOT_RUN.
            other = f"{found[0].clause}: {found[0].reason}"
            blocked = replace(found[0], clause=clause.id, verdict=Verdict.BLOCKED, reason=other)
            results.append(replace(blocked, failure=None))
        record.executed(self._executed())
        record.judged(results, initialised=self.runner.initialised)
        broken = [r for r in results if r.verdict.fails(strict=self.strict)]
        if broken:
            pytest.fail("\n".join(f"{r.verdict}: {r.clause}: {r.reason}" for r in broken), False)
        silent = [r for r in results if r.verdict not in _EXPLAINED]
        if silent:
            pytest.skip(f"{silent[0].verdict}: {silent[0].reason}")

    def _starts(self) -> list[hsa_reports.Result]:
        """Return what the starts of processes have shown since the last time, in the same way."""
        return self._commanded([r for platform in self.platforms for r in platform.starts()])

    def _executed(self) -> dict[str, str]:
        """Return how instructions were executed that nobody was told of yet."""
        started = [platform.runner.executed() for platform in self.platforms if platform.started]
        found = {
            n: how
            for each in started
            for n, how in each.items()
            if n not in self._reported_instructions
        }
        self._reported_instructions |= found.keys()
        return found

    def _complaints(self) -> list[str]:
        started = (platform for platform in self.platforms if platform.started)
        return [said for platform in started for said in platform.runner.complaints()]

    def _observations(self) -> list[str]:
        started = (platform for platform in self.platforms if platform.started)
        return [seen for platform in started for seen in platform.runner.observations()]

    def _commanded(self, found: list[hsa_reports.Result]) -> list[hsa_reports.Result]:
        where = {t.configuration.name: t.configuration for t in self.platforms}
        first = self.platforms[0].configuration
        return [
            with_commands(
                r,
                command(self.config, r.name, where.get(r.machine or "", first)),
                program(self.config, r.name),
            )
            for r in found
        ]

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the results down as they come in, from this process or from a worker."""
        if not self.is_worker:
            with interrupts.deferred():
                self.journal.take(report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # noqa: ANN401 - of pytest-xdist
        """Add the processor time of a worker that has ended."""
        self.journal.add_processor(getattr(node, "workeroutput", {}).get(_PROCESSOR, 0.0))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Close the event file at once, unless the run stops as was asked for."""
        self.stopped_early = stops_early(self.config, excinfo.value)
        if self.stopped_early:
            return
        self.journal.close()
        for process in self.workers:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGINT)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the end of the run and decide its exit status."""
        self._close()
        self.journal.note_seen(self._observations())
        for result in self._starts():
            self.journal.note_start(result)
        if self.is_worker:
            self.config.workeroutput[_PROCESSOR] = processor_time()  # type: ignore[attr-defined]
            return
        ended = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if exitstatus not in ended and not self.stopped_early:
            broken = self.tally.end(None, excused=False).status == FAILED
            if broken and exitstatus == pytest.ExitCode.INTERRUPTED:
                session.exitstatus = FAILED
            return
        started = [(t, t.expected_of(self.release)) for t in self.platforms]
        expected = started[0][1]
        # What was not reached says nothing of what is known of it.
        done = (r.clause for r in self.tally.results if r.verdict is not Verdict.NOT_RUN)
        # A clause that was tried with some values alone says nothing of the others.
        reached = self.selected.intersection(done) - self.selection.values.keys()
        told = list(absent_failures(started, self.tally.results, self.registry, reached))
        for event in told:
            self.journal.tell(event)
        machines = [t.configuration.name for t in self.platforms if t.configuration.machine]
        lost = losses(self.baseline, machines, self.tally.results)
        end = self.tally.end(expected, excused=self.excused, lost=lost)
        session.exitstatus = end.status
        self.journal.end(end)

    def pytest_unconfigure(self) -> None:
        """Close the event file, however the run ended."""
        self.journal.close()
        self.turns.close()
        self.stopping.close()
