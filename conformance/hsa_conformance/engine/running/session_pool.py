"""The processes that examples run in: when one may serve again, and when a fresh one is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, nullcontext, suppress
from typing import Final

from hsa_adapters.errors import Ended, LimitError, MisuseError
from hsa_adapters.faults import Faults
from hsa_adapters.protocol import Adapter, Subject
from hsa_conformance.engine.calls.memory_budget import MemoryBudget, free_share
from hsa_conformance.engine.calls.outcomes import Blocked, CallLimit, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.trace import Note
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.judging.start_failures import TRIES, StartFailures
from hsa_conformance.engine.library.census import Quota
from hsa_conformance.engine.library.offered_api import OfferedApi
from hsa_conformance.engine.library.stable_answers import StableAnswers
from hsa_conformance.engine.library.topology import Topology
from hsa_conformance.engine.running.examples import DrawRecorder
from hsa_conformance.engine.running.late_ends import Evidence, earliest, may_be_late
from hsa_conformance.engine.session.clean_up import clean_up, close_descriptors
from hsa_conformance.engine.session.repeat_offenders import RepeatOffenders
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Race
from hsa_conformance.engine.topic import Topics
from hsa_reports import ALWAYS_JUDGED, Verdict
from hsa_spec import Clause, Registry
from hsa_spec.releases import Release

REUSE: Final = 64  # examples that one process may serve

#: The examples that a process made: the check of each, what it was made with, and what was drawn.
MadeExamples = Sequence[tuple[Check, Mapping[str, str], DrawRecorder]]
#: Looks at a process; gets the check that has used it, and the examples that it made.
Look = Callable[[Session, Check, MadeExamples], None]


class SessionPool:
    """Hands out sessions on an adapter.

    Args:
        adapter: the implementation, not started yet.
        registry: the specification.
        topics: what the suite knows of the API.
        expect_no_device: a failing hsa_init without a device node is no finding.
        memory_budget: the most memory that one call may take, in bytes; None for a share of what
            is free. An imitated machine has no such bound.
        most_threads: how many threads the library may leave behind; None for any number.

    Raises:
        AdapterError: the implementation cannot be started.
        MisuseError: it has no function of the API.

    """

    def __init__(
        self,
        adapter: Adapter,
        registry: Registry,
        topics: Topics,
        *,
        expect_no_device: bool,
        memory_budget: int | None = None,
        most_threads: int | None = None,
    ) -> None:
        self.adapter = adapter
        self.registry = registry
        self.topics = topics
        self.expect_no_device = expect_no_device
        self.most_threads = most_threads
        self.subject: Subject = adapter.start()
        if not self.subject.exports:
            adapter.close()
            raise MisuseError(
                f"{self.subject.path or adapter.name} has no function of the HSA runtime API: "
                "give the runtime itself, such as libhsa-runtime64.so.1"
            )
        self.topology = Topology(self.subject.topology)
        self.expected_agents: Mapping[str, Quota] = {}  # the runner knows, with the release
        limit = free_share() if memory_budget is None else memory_budget
        self._memory = MemoryBudget(limit if self.subject.machine is None else None)
        self.initialised_once = False
        self.length = 0.0  # seconds that what takes long may take
        self.race: Race = nullcontext
        self.verdicts_of: Callable[[Clause], Set[Verdict]] = lambda _: frozenset()  # see `Runner`
        self.release = Release()  # what the runner finds out
        claims = self.subject.claims
        every = frozenset(registry.functions)
        self.offered_api = OfferedApi(
            every if claims is None else claims, self.subject.claimed, registry
        )
        self._kept: dict[bool, tuple[Session, int]] = {}
        self._prelude: list[Note] = []
        self._fatal = RepeatOffenders[Ended]()
        self._waits = RepeatOffenders[str]()
        self.hung: set[str] = set()  # functions that two processes have shown to hang
        self.start_failures = StartFailures(registry)
        self._known = StableAnswers()
        self._refusal: Unavailable | None = None
        self.lost: Ended | None = None  # how a process ended while an example was given back
        self.without_device: Unavailable | None = None  # hsa_init failed, and there is no device
        self.look: Look | None = None  # looks at a process that a check has used

    @property
    def executing(self) -> Faults | None:
        """The failures of an imitated machine that executes kernels, None on any other."""
        return self.adapter.faults() if self.subject.kernels else None

    def close(self) -> None:
        """End every process."""
        self.rest()
        self.adapter.close()

    def rest(self) -> None:
        """End the processes that wait for the next example."""
        for session, _ in self._kept.values():
            try:
                session.process.close()
            except Ended as end:
                self.note_end(session, end)
        self._kept.clear()

    def note_end(self, session: Session, end: Ended) -> None:
        """Note how a process ended that waited for the next example, if no call explains it."""
        self.start_failures.unsteady(_fatal(end, session).clause, end.how, end)

    def ended_while_idle(self) -> Iterator[tuple[Session, Ended]]:
        """Watch the processes that wait for the next example; yield those that end, and how."""
        for initialised, (session, _) in [*self._kept.items()]:
            if (end := session.watch()) is not None:
                del self._kept[initialised]
                with suppress(Ended):
                    session.process.close()
                yield session, end

    @contextmanager
    def session(
        self, *, initialised: bool, fresh: bool = False, most: int | None = None
    ) -> Iterator[Session]:
        """Lend a session for one example.

        Args:
            initialised: whether hsa_init was called and the machine discovered.
            fresh: in a process that nothing happened in before.
            most: how many calls a fresh process makes before it is only watched; None for all.

        Raises:
            Blocked: such a process does not survive its start.
            CallLimit: such a process has no further call to make once it has started.
            Unavailable: the runtime cannot be initialised here, or the process is over a limit.

        """
        try:
            yield from self._lent(initialised=initialised, fresh=fresh, most=most)
        except LimitError as limit:
            # What the user allows the library is no fault of its own.
            raise Unavailable(Verdict.NOT_RUN, str(limit)) from None

    def _lent(self, *, initialised: bool, fresh: bool, most: int | None) -> Iterator[Session]:
        session, uses = self._kept.pop(initialised, (None, 0)) if not fresh else (None, 0)
        self.lost = None
        if most is not None:
            session = self._begun(most, initialised=initialised)
        elif session is None:
            session = self._open(initialised=initialised)
        else:
            session.fresh()
            session.used_before = True
            # The process may be older than what is known of it.
            session.release, session.offered_api = self.release, self.offered_api
            session.trace.notes.extend(self._prelude if initialised else ())
        clean = False
        try:
            yield session
            clean = not fresh and uses + 1 < REUSE and self._restore(session, initialised)
        finally:
            if clean:
                self._kept[initialised] = session, uses + 1
            else:
                self._end(session)
            self._memory.release()

    def _end(self, session: Session) -> None:
        try:
            if self.subject.path is None:
                # The process is the suite's: its end closes nothing, and each one slows it down.
                for process in (session, session.second):
                    if process is not None:
                        close_descriptors(process)
            session.process.close()
        except Ended as end:
            self.lost = self.lost or end

    def _begun(self, most: int, *, initialised: bool) -> Session:
        """Return a session of a process that makes so many calls and is only watched then."""
        session = self._new()
        session.most = most
        try:
            if initialised:
                self._initialise(session)
        except BaseException:
            with suppress(Ended):
                session.process.close()
            raise
        return session

    def _open(self, *, initialised: bool) -> Session:
        if not initialised:
            return self._new()
        if self._refusal is not None:
            raise self._refusal
        obstacles: list[Blocked | Unavailable] = []
        while True:
            session = self._new()
            try:
                self._initialise(session)
            except BaseException as obstacle:
                with suppress(Ended):
                    session.process.close()
                if not isinstance(obstacle, Blocked | Unavailable):
                    raise
                obstacles.append(obstacle)
            else:
                late = self._late_start(obstacles[-1]) if obstacles else None
                if late is not None:
                    self.start_failures.failed(late)
                    return session
                for past in obstacles:
                    clause, _, how = past.reason.partition(": ")
                    self.start_failures.unsteady(
                        clause, how, past.end if isinstance(past, Blocked) else None
                    )
                return session
            last = obstacles[-1]
            if len(obstacles) == TRIES or self._lacks_device(last):
                if isinstance(last, Blocked) and last.deadly:
                    last = self._late_start(last) or last
                    self.start_failures.failed(last)
                self._refusal = self.verdict_of_block(last) if isinstance(last, Blocked) else last
                raise self._refusal

    def _late_start(self, obstacle: Blocked | Unavailable) -> Blocked | None:
        """Return how a start fails with the fewest calls, if one may have ended it afterwards."""
        if not isinstance(obstacle, Blocked) or not may_be_late(obstacle.end):
            return None
        return earliest(self._watched_start)

    def _watched_start(self, most: int | None) -> Evidence[Blocked] | None:
        session = self._new()
        session.most = most
        found: Blocked | None = None
        try:
            self._initialise(session)
            if (end := session.watch()) is not None:
                found = _fatal(end, session)
        except Blocked as blocked:
            found = blocked
        except (CallLimit, Unavailable):
            return None
        finally:
            with suppress(Ended):
                session.process.close()
        if found is None or found.end is None:
            return None
        return Evidence(session.calls, found, during=not found.end.returned)

    def _new(self) -> Session:
        session = Session(
            self.adapter.process(),
            self.registry,
            self.topics.rules,
            self.topics.discover,
            fatal=self._fatal,
            exports=self.subject.exports,
            stable_answers=self._known,
            offered_api=self.offered_api,
        )
        session.release = self.release
        session.runs_kernels = self.subject.kernels is not False
        session.topology = self.topology
        session.expected_agents = self.expected_agents
        session.memory = self._memory
        session.length = self.length
        session.most_threads = self.most_threads
        session.interpreted = self.subject.interpreted
        if not session.interpreted:
            session.race = self.race
        return session

    def _initialise(self, session: Session) -> None:
        """Start the runtime and discover the machine.

        Raises:
            Blocked: hsa_init failed, or a call ended the process.
            Unavailable: the machine cannot be discovered.

        """
        try:
            answer = session.call("hsa_init")
            if not answer.ok:
                raise Blocked(ALWAYS_JUDGED, answer.name, steps=session.trace.steps)
            self._prelude = session.trace.notes[-1:]
            session.discover(session)
            session.process.settle(0.0)  # one that nobody watches any more answers all the same
        except Ended as end:
            raise _fatal(end, session) from None
        except CallLimit as limit:
            if limit.end is None:
                raise
            raise _fatal(limit.end, session) from None
        session.fresh()
        session.trace.notes.extend(self._prelude)
        self.initialised_once = True

    def hear(self, blocked: Blocked) -> None:
        """Let what blocks a check be called once more, in the fresh process that decides on it."""
        self._fatal.hear(blocked.clause.partition("/")[0])

    def verdict_of_block(self, blocked: Blocked) -> Unavailable:
        """Return what a failed set-up means: a missing device, if that is expected, or a block.

        That hsa_init fails where it has a device is a finding as well.
        """
        if self._lacks_device(blocked):
            return self._refused(blocked.got)
        if blocked.clause == ALWAYS_JUDGED:
            self.start_failures.failed(blocked)
        return Unavailable(Verdict.BLOCKED, blocked.reason)

    def _lacks_device(self, obstacle: Blocked | Unavailable) -> bool:
        """Return whether hsa_init has answered an error because there is no device.

        ROCr may, as may what opens the same nodes. For another runtime none of them is missing.
        """
        subject = self.subject
        is_rocr = subject.release is not None or subject.claimed.is_rocm
        return (
            isinstance(obstacle, Blocked)
            and obstacle.clause == ALWAYS_JUDGED
            and not obstacle.deadly
            and not subject.device
            and (is_rocr or subject.seeks_device)
            and not self.initialised_once
        )

    def _refused(self, status: str) -> Unavailable:
        if self.expect_no_device:
            reason = f"no device node in sight; hsa_init: {status}"
            self.without_device = Unavailable(Verdict.NOT_APPLICABLE, reason)
        else:
            reason = (
                f"{ALWAYS_JUDGED}: answered {status}; no device node is in sight "
                "(--expect-no-device says that this is expected)"
            )
            self.without_device = Unavailable(Verdict.BLOCKED, reason)
        return self.without_device

    def _restore(self, session: Session, initialised: bool) -> bool:
        """Give back what an example took, and see whether the process is as good as new."""
        try:
            session.process.settle(0.0)
            return (
                session.under_way is None
                and clean_up(session, self._waits)
                and session.model.references == int(initialised)
                # A library may not get over a shut-down; that is for one clause to say.
                and session.model.initialised_once is initialised
                and (not initialised or _answers(session))
            )
        except Ended as end:
            self.lost = end
            return False
        except (Unavailable, ProvesNothing):  # the last: for want of scratch memory
            return False


def _fatal(end: Ended, session: Session) -> Blocked:
    """Return what blocks all that a process is for that does not survive its start."""
    last = end.call.function if end.call else "hsa_init"
    return Blocked(f"{last}/success", end.how, end=end, steps=session.trace.steps)


def _answers(session: Session) -> bool:
    if not session.offers("hsa_system_get_info"):
        return True
    major = session.registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
    return session.call("hsa_system_get_info", attribute=major, value=Out()).ok
