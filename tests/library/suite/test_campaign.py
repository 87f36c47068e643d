"""Campaigns and the pool: verdicts of checks, shrinking, fresh processes, and reuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from hsa_adapters import Adapter, AdapterError, Ended
from hsa_adapters.calls import Call, Outcome, TimedOutcome
from hsa_adapters.faults import Faults
from hsa_adapters.protocol import Process, Subject
from hsa_conformance import subjects
from hsa_conformance.engine.calls.outcomes import Blocked, Inconsistent, Unavailable, Violation
from hsa_conformance.engine.calls.values import GUARD, PATTERN, Out
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, OutOfReach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.start_failures import TRIES
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.judging.verdict import SURVIVORS
from hsa_conformance.engine.running.attempt import MORE_FOR_OVERLAP, Attempt
from hsa_conformance.engine.running.campaign import Campaign
from hsa_conformance.engine.running.example_counts import PROFILES
from hsa_conformance.engine.running.failures import shortening
from hsa_conformance.engine.running.session_pool import REUSE, SessionPool
from hsa_conformance.engine.session.clean_up import clean_up
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.amd.copies.state import PendingCopies
from hsa_conformance.topics.amd.pools.fixtures import all_pools
from hsa_conformance.topics.core.agents.state import agents
from hsa_conformance.topics.core.signals.state import Signal
from hsa_conformance.topics.shared.pointer_info import require_kind
from hsa_conformance.topics.shared.traversal import Traversal
from hsa_reports import Result, Verdict
from hsa_reports.verdicts import DEATHS
from hsa_spec import Registry
from tests.wrong.inside import running

CLAUSE = "hsa_amd_vmem_address_free/size-zero"
Body = Callable[[Session, Draw, Counts], None]


class Counting:
    """An adapter that counts the processes of another and can spoil its calls."""

    name = "counting"

    def __init__(self, adapter: Adapter) -> None:
        self.adapter = adapter
        self.opened = 0
        self.spoil: Callable[[Call], Outcome | None] = lambda _: None
        self.device = False
        self.seeks_device = True
        self.lacks: frozenset[str] = frozenset()

    def start(self) -> Subject:
        subject = self.adapter.start()
        exports = subject.exports - self.lacks
        return replace(subject, device=self.device, seeks_device=self.seeks_device, exports=exports)

    def process(self) -> Process:
        self.opened += 1
        return self._spoilt(self.adapter.process())

    def _spoilt(self, process: Process) -> Process:
        honest, honest_peer = process.call, process.peer
        process.peer = lambda: self._spoilt(honest_peer())  # type: ignore[method-assign]
        process.call = lambda call: self.spoil(call) or honest(call)  # type: ignore[method-assign]
        return process

    def faults(self) -> Faults | None:
        return self.adapter.faults()

    def memory(self) -> Faults | str:
        return self.adapter.memory()

    def complaints(self) -> Sequence[str]:
        return self.adapter.complaints()

    def observations(self) -> Sequence[str]:
        return self.adapter.observations()

    def close(self) -> None:
        self.adapter.close()


@pytest.fixture
def adapter(registry: Registry) -> Counting:
    return Counting(subjects.reference(None, registry))


@pytest.fixture
def own_pool(adapter: Counting, registry: Registry) -> Iterator[SessionPool]:
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    yield pool
    pool.close()


@pytest.fixture
def run(own_pool: SessionPool) -> Callable[..., Result]:
    """Return a function that runs a check of some body to its verdict."""

    def run(body: Body, seed: int = 0, **options: object) -> Result:
        check = Check(CLAUSE, "check", body, **options)  # type: ignore[arg-type]
        judge = Judge(own_pool.registry, lambda _: True)
        return Campaign(own_pool, judge, "quick", seed).run(check)

    return run


def violated(verdict: Verdict = Verdict.FAIL) -> Violation:
    return Violation(CLAUSE, verdict, "it is wrong", "got", {})


# verdicts


def test_profiles_grow() -> None:
    """Each profile makes more examples than the one before it."""
    growing = ["quick", "full", "exhaustive"]
    assert growing == sorted(growing, key=lambda p: PROFILES[p])
    assert PROFILES["quick"] == PROFILES["soak"]


def test_examples_that_hold_pass(run: Callable[..., Result]) -> None:
    """As many examples are tried as the profile says, each counted."""

    def body(_: Session, draw: Draw, counts: Counts) -> None:
        draw(drawing.integers(-(2**31), 2**31))
        counts.satisfied += 1

    result = run(body)
    assert ("PASS", None, PROFILES["quick"]) == (
        result.verdict,
        result.reason,
        result.satisfied,
    )


def test_nothing_that_counts_is_vacuous(run: Callable[..., Result]) -> None:
    """A check that judged no example says why, and did not try for ever."""
    tried = 0

    def body(_: Session, draw: Draw, __: Counts) -> None:
        nonlocal tried
        draw(drawing.integers(-(2**31), 2**31))
        tried += 1
        raise CannotMake("it resists")

    result = run(body)
    assert ("VACUOUS", "it resists") == (result.verdict, result.reason)
    assert tried == result.discarded <= 10 * PROFILES["quick"]


def test_what_a_machine_cannot_reach_is_not_applicable(run: Callable[..., Result]) -> None:
    """Where all that can be made is undefined, for want of something, the want is the reason."""

    def body(_: Session, draw: Draw, __: Counts) -> None:
        draw(drawing.integers(-(2**31), 2**31))
        raise OutOfReach("nothing moves")

    result = run(body)
    assert ("NOT_APPLICABLE", "nothing moves") == (result.verdict, result.reason)


def test_a_traversal_of_one_handle_leaves_it_to_longer_ones(
    own_pool: SessionPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long one is may be a matter of choice: a short one decides nothing for the others."""
    monkeypatch.setattr(Traversal, "handles", lambda _: [7])
    clause = own_pool.registry.clauses["hsa_iterate_agents/stops"]
    with own_pool.session(initialised=True) as session, pytest.raises(OutOfReach):
        Traversal(
            Scene(session, lambda _: None, clause), "hsa_iterate_agents", "hsa_agent_callback"
        ).stops()


def test_failure_is_made_as_short_as_possible(run: Callable[..., Result]) -> None:
    """Of all failing examples the one with the fewest steps is kept."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        counts.satisfied += 1
        for _ in range(draw(drawing.integers(0, 30))):
            session.call("hsa_init")
        if session.model.references > 3:
            raise violated()

    result = run(body)
    assert ("FAIL", "it is wrong") == (result.verdict, result.reason)
    assert result.failure is not None
    assert ["hsa_init()"] * 4 == [step.call for step in result.failure.steps]


def test_explained_failure_is_left_as_it_was_found(own_pool: SessionPool) -> None:
    """What a baseline explains is shown once in a fresh process, and not made shorter."""
    tried = []

    def body(session: Session, draw: Draw, _: Counts) -> None:
        draw(drawing.integers(-(2**31), 2**31))
        tried.append(session.used_before)
        raise violated()

    with own_pool.session(initialised=True):
        pass
    judge = Judge(own_pool.registry, lambda _: True)
    campaign = Campaign(own_pool, judge, "quick", 0)
    result = campaign.run(Check(CLAUSE, "check", body), lambda r: Verdict.FAIL is r.verdict)

    assert "FAIL" == result.verdict
    assert [True, False] == tried


def test_failure_is_confirmed_in_a_fresh_process(
    run: Callable[..., Result], own_pool: SessionPool
) -> None:
    """What only a used process shows is FLAKY, and named, with the clause that it breaks."""
    broken = CLAUSE.replace("size-zero", "success")

    def body(session: Session, _: Draw, counts: Counts) -> None:
        counts.satisfied += 1
        if session.used_before:
            raise Violation(broken, Verdict.FAIL, "it is wrong", "got", {})

    with own_pool.session(initialised=True):
        pass
    result = run(body)
    assert (broken, "FLAKY") == (result.clause, result.verdict)
    assert "not reproduced in a fresh process: it is wrong, got" == result.reason


def test_a_second_call_in_a_thread_proves_nothing(run: Callable[..., Result]) -> None:
    """One call can be under way beside others: to want another one is no fault of the adapter."""

    def body(session: Session, _: Draw, __: Counts) -> None:
        for _again in range(2):
            session.start("hsa_system_get_info", {"attribute": 0, "value": Out(2)})

    result = run(body)
    assert "VACUOUS" == result.verdict
    assert "a call is under way in a thread already" == result.reason


#: What is killed, how the process is used, and how often.
KILLS = [
    (often, fresh, preparing)
    for often in (1, 2)
    for fresh in (False, True)
    for preparing in (False, True)
]


@pytest.mark.parametrize(("often", "fresh", "preparing"), KILLS)
def test_one_kill_blames_nobody_and_two_do(
    run: Callable[..., Result], often: int, fresh: bool, preparing: bool
) -> None:
    """An OOM killer is no crash of the library, and a library that is always killed has one."""
    tries: list[bool] = []

    def body(session: Session, _: Draw, counts: Counts) -> None:
        tries.append(session.used_before)
        if len(tries) <= often:
            killed = session.ended = Ended("CRASH", None, "SIGKILL")
            if preparing:
                raise Blocked("hsa_amd_vmem_map/success", killed.how, end=killed)
            raise killed
        counts.satisfied += 1

    result = run(body, fresh=fresh)

    if often == 1:
        assert "NOT_RUN" == result.verdict
        assert (result.reason or "").startswith("killed from outside, or for memory: not ")
        watched = 1  # for an end that comes late
        assert preparing or [False] * (SURVIVORS + watched) == tries[1:]
        return
    assert result.failure is not None
    assert (True, "SIGKILL") == (result.verdict in DEATHS, result.failure.detail)


def test_a_kill_while_a_failure_is_shortened_is_not_what_is_reported(
    run: Callable[..., Result],
) -> None:
    tries: list[int] = []

    def body(_: Session, draw: Draw, __: Counts) -> None:
        tries.append(draw(drawing.integers(0, 2**20)))
        if len(tries) == 4:
            raise Ended("CRASH", None, "SIGKILL")
        if tries[-1] >= 7:
            raise violated()

    result = run(body)

    assert ("FAIL", True) == (result.verdict, len(tries) > 4)


def test_a_start_that_was_killed_once_blames_nobody(own_pool: SessionPool) -> None:
    """The next process starts, so hsa_init is not what ended the first."""
    own_pool.start_failures.unsteady(
        "hsa_init/success", "CRASH (SIGKILL)", Ended("CRASH", None, "SIGKILL")
    )
    [result] = own_pool.start_failures.take()
    assert "NOT_RUN" == result.verdict


@pytest.mark.parametrize(
    ("innocent", "verdict", "accused"),
    [(False, Verdict.CRASH, "hsa_init/success"), (True, Verdict.BLOCKED, CLAUSE)],
)
def test_a_thread_that_ends_the_process_before_the_call_is_not_laid_on_it(
    run: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    innocent: bool,
    verdict: Verdict,
    accused: str,
) -> None:
    """The call that was made last answers for it, unless its own checks show no harm."""
    monkeypatch.setattr(Attempt, "_is_innocent", lambda *_: innocent)

    def body(session: Session, _: Draw, __: Counts) -> None:
        session.call("hsa_init")
        raise Ended("CRASH", None, "SIGSEGV", elsewhere=True)

    result = run(body)
    assert (verdict, accused) == (result.verdict, result.clause)
    assert result.blocked_by == ("hsa_init/success" if innocent else None)


@pytest.mark.parametrize(("places", "verdict"), [({0}, "FLAKY"), ({0, 7}, "FAIL")])
def test_what_is_seen_once_accuses_nobody(
    run: Callable[..., Result], places: set[int], verdict: str
) -> None:
    """A failure of a fresh process counts once another one shows it, of those that are tried."""
    made: list[bool] = []

    def body(_: Session, __: Draw, counts: Counts) -> None:
        counts.satisfied += 1
        made.append(len(made) in places)
        if made[-1]:
            raise violated()

    result = run(body, fresh=True)
    assert verdict == result.verdict
    if verdict == "FLAKY":
        assert "once in 10 fresh processes: it is wrong, got" == result.reason


def test_blame_may_fall_on_another_clause(run: Callable[..., Result]) -> None:
    """The result carries the clause that the violation blames."""

    def body(_: Session, __: Draw, ___: Counts) -> None:
        raise Violation("other/clause", Verdict.WARN, "wrong", "got", {})

    assert ("other/clause", "WARN") == ((r := run(body)).clause, r.verdict)


def test_blocked_is_tried_again_in_fresh_processes(run: Callable[..., Result]) -> None:
    """A set-up that only a used process refuses blocks nothing."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        draw(drawing.integers(-(2**31), 2**31))
        if session.used_before:
            raise Blocked("hsa_amd_vmem_map/success", "HSA_STATUS_ERROR")
        counts.satisfied += 1

    assert "PASS" == run(body).verdict


def test_blocked_everywhere_is_blocked(run: Callable[..., Result]) -> None:
    """The reason names the clause that the set-up broke on, and its answer."""

    def body(_: Session, __: Draw, ___: Counts) -> None:
        raise Blocked("hsa_amd_vmem_map/success", "HSA_STATUS_ERROR")

    result = run(body)
    assert ("BLOCKED", "hsa_amd_vmem_map/success: answered HSA_STATUS_ERROR") == (
        result.verdict,
        result.reason,
    )


def test_death_in_a_used_process_is_not_forgotten(run: Callable[..., Result]) -> None:
    """A set-up that ended a used process and not a fresh one makes the check FLAKY."""
    deaths = [Blocked("hsa_amd_vmem_map/success", "CRASH (SIGSEGV)", deadly=True)]

    def body(_: Session, __: Draw, counts: Counts) -> None:
        if deaths:
            raise deaths.pop()
        counts.satisfied += 1

    result = run(body)
    assert ("FLAKY", "not in a fresh process: hsa_amd_vmem_map/success: CRASH (SIGSEGV)") == (
        result.verdict,
        result.reason,
    )


def test_death_by_a_thread_of_earlier_examples_is_noted(
    run: Callable[..., Result], own_pool: SessionPool
) -> None:
    """A thread of the library's own that ended a used process says nothing of the check."""
    end = Ended("CRASH", None, "SIGSEGV", elsewhere=True)
    deaths = [Blocked("hsa_amd_vmem_map/success", "CRASH (SIGSEGV)", end=end)]

    def body(_: Session, __: Draw, counts: Counts) -> None:
        if deaths:
            raise deaths.pop()
        counts.satisfied += 1

    assert "PASS" == run(body).verdict
    [noted] = own_pool.start_failures.take()
    assert ("hsa_amd_vmem_map/success", Verdict.FLAKY) == (noted.clause, noted.verdict)


def test_what_does_not_fit_blocks(run: Callable[..., Result]) -> None:
    """Where a generator and an evaluator disagree, both facts are told, and nobody is blamed."""

    def body(_: Session, __: Draw, ___: Counts) -> None:
        raise Inconsistent("made 'size > 0' true, and it is said not to hold")

    result = run(body)
    assert (Verdict.BLOCKED, CLAUSE) == (result.verdict, result.blocked_by)
    assert str(result.reason).endswith(": made 'size > 0' true, and it is said not to hold")


@pytest.mark.parametrize("verdict", [Verdict.BLOCKED, Verdict.NOT_APPLICABLE])
def test_what_is_not_there_ends_the_check(run: Callable[..., Result], verdict: Verdict) -> None:
    """What an example needs and the machine has not decides the verdict at once."""
    tried = []

    def body(_: Session, __: Draw, ___: Counts) -> None:
        tried.append(1)
        raise Unavailable(verdict, "no such thing")

    result = run(body)
    assert (verdict, "no such thing", 1) == (result.verdict, result.reason, len(tried))


@pytest.mark.parametrize(("kind", "verdict"), [("CRASH", "CRASH"), ("HANG", "HANG")])
def test_death_is_a_finding(run: Callable[..., Result], kind: str, verdict: str) -> None:
    """The end of a process is blamed on a clause of the call it was in, with the last words."""

    def body(_: Session, __: Draw, ___: Counts) -> None:
        raise Ended(kind, Call("hsa_init", ()), "SIGSEGV", "last words", "threads")

    result = run(body)
    assert ("hsa_init/success", verdict) == (result.clause, result.verdict)
    assert result.failure is not None
    found = result.failure
    assert ("the process ended in hsa_init: SIGSEGV", "SIGSEGV", "last words", "threads") == (
        found.summary,
        found.detail,
        found.stderr,
        found.seen,
    )


def test_set_up_that_may_be_refused_blames_nobody(run: Callable[..., Result]) -> None:
    """What a clause allows a call for set-up to answer is neither a finding nor a block."""

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        session.set_up("hsa_amd_vmem_address_free", va=session.place(bytes(8)), size=0)

    result = run(body)
    assert Verdict.UNTESTED is result.verdict
    assert "set-up: hsa_amd_vmem_address_free/success: answered " in (result.reason or "")
    assert "hsa_amd_vmem_address_free/not-reserved has it" in (result.reason or "")


def test_set_up_that_has_to_succeed_blocks(
    run: Callable[..., Result], adapter: Counting, registry: Registry
) -> None:
    """The same status, where no clause allows it."""
    refused = registry.status("HSA_STATUS_ERROR_INVALID_ARGUMENT")
    reserve = "hsa_amd_vmem_address_reserve"
    adapter.spoil = lambda call: Outcome(refused) if call.function == reserve else None

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        session.set_up(reserve, va=Out(), size=4096, address=0, flags=0)

    result = run(body)
    assert (Verdict.BLOCKED, f"{reserve}/success") == (result.verdict, result.blocked_by)


def test_a_death_in_set_up_is_a_finding(run: Callable[..., Result], adapter: Counting) -> None:
    """A call that only prepares may end the process, too: its own clause is blamed for it."""

    def spoil(call: Call) -> None:
        if call.function == "hsa_shut_down":
            raise Ended("CRASH", call, "SIGSEGV")

    def body(session: Session, _: Draw, __: Counts) -> None:
        session.set_up("hsa_shut_down")

    adapter.spoil = spoil
    result = run(body)
    assert ("hsa_shut_down/success", "CRASH") == (result.clause, result.verdict)


@pytest.mark.parametrize("kind", ["CRASH", "HANG"])
def test_a_death_that_only_optional_calls_met_is_a_finding_once_it_blocks(
    run: Callable[..., Result], adapter: Counting, own_pool: SessionPool, kind: str
) -> None:
    """What does without a call may have learnt first that no process survives it."""
    made: list[Call] = []

    def spoil(call: Call) -> None:
        if call.function == "hsa_shut_down":
            made.append(call)
            raise Ended(kind, call, "SIGSEGV")

    def body(session: Session, _: Draw, __: Counts) -> None:
        session.set_up("hsa_shut_down")

    adapter.spoil = spoil
    for _ in range(2):
        with (
            own_pool.session(initialised=True, fresh=True) as session,
            pytest.raises(Blocked),
        ):
            session.set_up("hsa_shut_down")
    result = run(body)
    assert ("hsa_shut_down/success", kind) == (result.clause, result.verdict)
    made.clear()
    assert ("hsa_shut_down/success", []) == (run(body).blocked_by, made), "and no process is lost"


def test_a_death_in_the_second_process_is_judged_by_its_own_state(
    run: Callable[..., Result], adapter: Counting
) -> None:
    """What holds in a process that is not initialised does not hold in one that is."""

    def spoil(call: Call) -> None:
        if call.function == "hsa_amd_memory_pool_free":
            raise Ended("CRASH", call, "SIGSEGV")

    def body(session: Session, _: Draw, __: Counts) -> None:
        session.peer().call("hsa_amd_memory_pool_free", ptr=0)

    adapter.spoil = spoil
    assert "hsa_amd_memory_pool_free/not-initialized" == run(body).clause


def test_the_worst_failure_is_shown_before_the_shortest(run: Callable[..., Result]) -> None:
    """To make an example shorter may turn what fails the run into what does not."""

    def body(session: Session, draw: Draw, __: Counts) -> None:
        number = draw(drawing.integers(0, 10**6))
        many = number > 1000
        for _ in range(2 if many else 1):
            session.call("hsa_init")
        if number:
            raise violated(Verdict.FAIL if many else Verdict.FRAGILE)

    assert "FAIL" == run(body).verdict


class Hanging:
    """Lets hsa_shut_down hang, as often as it is asked to."""

    def __init__(self, times: int | None = None) -> None:
        self.left = times
        self.waits = 0

    def __call__(self, call: Call) -> None:
        if call.function != "hsa_shut_down" or self.left == 0:
            return
        self.left = self.left and self.left - 1
        self.waits += 1
        raise Ended("HANG", call, "no answer")


def shut_down(session: Session, _: Draw, counts: Counts) -> None:
    session.call("hsa_shut_down")
    counts.satisfied += 1


@pytest.mark.parametrize("fresh", [False, True])
def test_a_hang_is_shown_by_two_processes_before_it_counts(
    run: Callable[..., Result], adapter: Counting, fresh: bool
) -> None:
    adapter.spoil = Hanging(1)
    assert "FLAKY" == run(shut_down, fresh=fresh).verdict
    adapter.spoil = Hanging(2)
    assert "HANG" == run(shut_down, fresh=fresh).verdict


def test_a_function_that_was_shown_to_hang_costs_later_checks_one_wait(
    run: Callable[..., Result], adapter: Counting
) -> None:
    """Nothing has happened in the process that shows it, and to wait once more says nothing."""
    adapter.spoil = hanging = Hanging()
    waits = []
    for _ in range(3):
        assert "HANG" == run(shut_down).verdict
        waits.append(hanging.waits)
    assert [2, 3, 4] == waits


def test_a_hang_of_one_function_makes_no_other_one_known(
    run: Callable[..., Result], adapter: Counting
) -> None:
    adapter.spoil = Hanging()
    assert "HANG" == run(shut_down).verdict
    once = [Ended("HANG", None, "no answer")]

    def body(session: Session, _: Draw, __: Counts) -> None:
        session.call("hsa_init")
        if once:
            raise once.pop()

    assert "FLAKY" == run(body, fresh=True).verdict


def test_an_example_of_threads_that_hangs_without_them_is_the_last_one(
    run: Callable[..., Result], adapter: Counting
) -> None:
    adapter.spoil = hanging = Hanging()
    result = run(shut_down, chance=True, fresh=True)
    assert "VACUOUS" == result.verdict
    assert "goes wrong in one thread as well" in str(result.reason)
    assert 2 == hanging.waits


@pytest.mark.parametrize(("again", "verdict"), [(True, "VACUOUS"), (False, "FLAKY")])
def test_what_earlier_examples_left_is_no_matter_of_threads(
    run: Callable[..., Result], again: bool, verdict: str
) -> None:
    """No fresh process shows it, but one in which one thread makes all these examples does."""
    left: list[Process] = []

    def leaving(session: Session, _: Draw, counts: Counts) -> None:
        if again or not left:
            left.append(session.process)
        counts.satisfied += 1

    def failing(session: Session, _: Draw, counts: Counts) -> None:
        if session.process in left:
            raise violated()
        counts.satisfied += 1

    assert "PASS" == run(leaving).verdict
    assert verdict == run(failing, chance=True).verdict


def test_few_hangs_are_spent_on_a_shorter_example(run: Callable[..., Result]) -> None:
    """A hang costs its whole budget, so shrinking stops after a few."""
    hangs = []

    def body(_: Session, draw: Draw, ___: Counts) -> None:
        draw(drawing.integers(0, 10**9))
        hangs.append(1)
        raise Ended("HANG", None, "no answer")

    assert "FRAGILE" == run(body).verdict
    assert 1 + shortening.DEADLY_EXAMPLES["HANG"] >= len(hangs)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_shortening_ends_after_some_examples(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The shortest one so far is taken; those until one fails and its repetition do not count."""
    monkeypatch.setitem(shortening.SHORTER, "quick", most)
    made: list[bool] = []

    def body(_: Session, draw: Draw, ___: Counts) -> None:
        drawn = draw(drawing.lists(drawing.integers(-(2**31), 2**31), min_size=20, max_size=60))
        made.append(any(drawn))
        if any(drawn):
            raise violated()

    assert "FAIL" == run(body).verdict
    assert 2 + most == len(made) - made.index(True)


def test_the_simplest_example_is_not_shortened(run: Callable[..., Result]) -> None:
    """An example that fails and is the simplest one is made once more, to confirm it."""
    made: list[int] = []

    def body(_: Session, draw: Draw, ___: Counts) -> None:
        made.append(draw(drawing.integers(-(2**31), 2**31)))
        raise violated()

    assert "FAIL" == run(body).verdict
    assert [0, 0] == made


def test_seed_decides_the_examples(run: Callable[..., Result]) -> None:
    """One seed gives the same examples twice, another gives others."""

    def drawn(seed: int) -> list[int]:
        found: list[int] = []

        def body(_: Session, draw: Draw, counts: Counts) -> None:
            found.append(draw(drawing.integers(-(2**31), 2**31)))
            counts.satisfied += 1

        run(body, seed=seed)
        return found

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


# the pool


def test_process_is_reused_and_replaced(own_pool: SessionPool, adapter: Counting) -> None:
    """A clean process serves 64 examples, and the next one gets another."""
    for _ in range(REUSE):
        with own_pool.session(initialised=True):
            pass
    assert 1 == adapter.opened
    with own_pool.session(initialised=True):
        pass
    assert 2 == adapter.opened


def test_fresh_process_is_used_once(own_pool: SessionPool, adapter: Counting) -> None:
    """Who asks for a fresh process gets one, and nobody else gets it afterwards."""
    for _ in range(3):
        with own_pool.session(initialised=False, fresh=True) as session:
            assert not session.used_before
    assert 3 == adapter.opened


def test_example_is_undone(own_pool: SessionPool, adapter: Counting) -> None:
    """What an example took is given back before the next one starts."""
    for _ in range(2):
        with own_pool.session(initialised=True) as session:
            assert session.model.owes_nothing()
            session.set_up("hsa_amd_vmem_address_reserve", va=Out(), size=4096, address=0, flags=0)
    assert 1 == adapter.opened


def test_two_waits_in_vain_are_enough(own_pool: SessionPool, adapter: Counting) -> None:
    """Where giving back hangs, later processes that need it are thrown away without waiting."""
    waits: list[Call] = []

    def spoil(call: Call) -> None:
        if call.function == "hsa_amd_vmem_address_free":
            waits.append(call)
            raise Ended("HANG", call, "no answer")

    adapter.spoil = spoil
    for _ in range(4):
        with own_pool.session(initialised=True) as session:
            session.set_up("hsa_amd_vmem_address_reserve", va=Out(), size=4096, address=0, flags=0)
    assert 2 == len(waits)
    assert 4 == adapter.opened


@pytest.mark.parametrize("initialised", [False, True])
def test_changed_reference_count_retires_a_process(
    own_pool: SessionPool, adapter: Counting, initialised: bool
) -> None:
    """A process whose runtime was started once more is not used again."""
    with own_pool.session(initialised=initialised) as session:
        session.call("hsa_init")
    with own_pool.session(initialised=initialised) as session:
        assert int(initialised) == session.model.references
    assert 2 == adapter.opened


def test_example_that_raised_retires_its_process(own_pool: SessionPool, adapter: Counting) -> None:
    """After a finding the process is ended."""
    with pytest.raises(Violation), own_pool.session(initialised=True):
        raise violated()
    with own_pool.session(initialised=True):
        pass
    assert 2 == adapter.opened


def test_initialised_session_knows_the_machine(own_pool: SessionPool) -> None:
    """Agents and pools are discovered, and the trace starts with hsa_init alone."""
    with own_pool.session(initialised=True) as session:
        assert {"cpu", "gpu"} == {a.device for a in agents(session.model)}
        assert session.model.live("pool")
        assert ["hsa_init()"] == [step.call for step in session.trace.steps]
    with own_pool.session(initialised=True) as session:
        assert ["hsa_init()"] == [step.call for step in session.trace.steps]


@pytest.mark.parametrize(
    ("device", "seeks", "expected", "verdict", "found"),
    [
        (False, True, False, "BLOCKED", []),
        (False, True, True, "NOT_APPLICABLE", []),
        (False, False, True, "BLOCKED", [Verdict.FAIL]),
        (True, True, False, "BLOCKED", [Verdict.FAIL]),
        (True, True, True, "BLOCKED", [Verdict.FAIL]),
    ],
)
def test_refused_initialisation(
    adapter: Counting,
    registry: Registry,
    device: bool,
    seeks: bool,
    expected: bool,
    verdict: str,
    found: list[Verdict],
) -> None:
    """Where a device that is wanted is not in sight, a failing hsa_init is no finding."""
    adapter.device, adapter.seeks_device = device, seeks
    adapter.spoil = lambda call: Outcome(0x1008) if call.function == "hsa_init" else None
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=expected)
    for _ in range(2):
        with pytest.raises(Unavailable) as caught, pool.session(initialised=True):
            pass
        assert verdict == caught.value.verdict
        assert "HSA_STATUS_ERROR_OUT_OF_RESOURCES" in caught.value.reason
    assert (TRIES if found else 1) == adapter.opened, "a refusal is remembered"
    assert found == [result.verdict for result in pool.start_failures.take()]
    assert not pool.initialised_once
    pool.close()


def test_missing_function_blocks(adapter: Counting, registry: Registry) -> None:
    """A library without a function that an example calls is no fault of the suite."""
    adapter.lacks = frozenset({"hsa_shut_down"})
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    with pool.session(initialised=True) as session, pytest.raises(Unavailable) as caught:
        session.call("hsa_shut_down")
    assert "BLOCKED" == caught.value.verdict
    assert "hsa_shut_down/exported: the symbol is missing" == caught.value.reason
    with pool.session(initialised=True) as session, pytest.raises(Unavailable):
        session.peer().call("hsa_shut_down")
    pool.close()


def test_missing_function_to_give_back_with_retires_a_process(
    adapter: Counting, registry: Registry
) -> None:
    """What cannot be given back ends with its process, and is held against no clause."""
    adapter.lacks = frozenset({"hsa_amd_vmem_address_free"})
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    with pool.session(initialised=True) as session:
        session.set_up("hsa_amd_vmem_address_reserve", va=Out(), size=4096, address=0, flags=0)
    with pool.session(initialised=True):
        pass
    assert 2 == adapter.opened
    pool.close()


def test_missing_initialisation_blocks(adapter: Counting, registry: Registry) -> None:
    """Without hsa_init there is no initialised session, whatever is expected."""
    adapter.lacks = frozenset({"hsa_init"})
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=True)
    with pytest.raises(Unavailable) as caught, pool.session(initialised=True):
        pass
    assert "hsa_init/exported: the symbol is missing" == caught.value.reason
    assert pool.without_device is None
    pool.close()


def test_library_of_something_else_is_refused(adapter: Counting, registry: Registry) -> None:
    """A library without any function of the API is an error of use, not many verdicts."""
    adapter.lacks = frozenset(registry.functions)
    with pytest.raises(AdapterError, match="has no function of the HSA runtime API: give"):
        SessionPool(adapter, registry, TOPICS, expect_no_device=False)


def test_death_in_a_version_query_ends_no_run(adapter: Counting, registry: Registry) -> None:
    """The release is then found without the answer; the query's own clauses tell of the death."""
    build = registry.constants["HSA_AMD_SYSTEM_INFO_BUILD_VERSION"]

    def spoil(call: Call) -> None:
        if call.function == "hsa_system_get_info" and call.args[0] == build:
            raise Ended("CRASH", call, "SIGSEGV")

    adapter.spoil = spoil
    with running(adapter, registry) as runner:
        assert runner.initialised
        assert runner.obstacle is None
        assert "1.31" == runner.release.interface


@pytest.mark.parametrize("attribute", ["RUNTIME_ALLOC_GRANULE", "RUNTIME_ALLOC_ALIGNMENT"])
def test_unit_of_nothing_blocks(adapter: Counting, registry: Registry, attribute: str) -> None:
    """No size can be made for a pool whose granule or alignment is 0; agents are known as ever."""
    number = registry.constants[f"HSA_AMD_MEMORY_POOL_INFO_{attribute}"]

    def spoil(call: Call) -> Outcome | None:
        if call.function == "hsa_amd_memory_pool_get_info" and call.args[1] == number:
            return Outcome(0, (bytes(8), bytes([PATTERN]) * GUARD))
        return None

    adapter.spoil = spoil
    pool = SessionPool(adapter, registry, TOPICS, expect_no_device=False)
    with pool.session(initialised=True) as session, pytest.raises(Blocked) as caught:
        all_pools(Fixtures(session, lambda _: None))
    said = f"hsa_amd_memory_pool_get_info/success: answered 0 for {attribute}"
    assert said == caught.value.reason
    pool.close()


def test_structure_without_a_member_blocks(own_pool: SessionPool, adapter: Counting) -> None:
    """A property that needs what hsa_amd_pointer_info left out is not decided."""
    adapter.spoil = lambda call: Outcome(0) if call.function == "hsa_amd_pointer_info" else None
    clause = own_pool.registry.clauses["hsa_amd_pointer_info/block-type"]
    with own_pool.session(initialised=True) as session:
        scene = Scene(session, lambda _: None, clause)
        page = bytes([4, 0, 0, 0])
        session.process.read = lambda *_: page  # type: ignore[method-assign]
        with pytest.raises(Blocked) as caught:
            require_kind(scene, 0x1000, "HSA")
    assert "hsa_amd_pointer_info/size-on-return" == caught.value.clause
    assert "a structure without type" == caught.value.got


def test_missing_preparation_is_an_excuse_only_without_a_device(own_pool: SessionPool) -> None:
    """A set-up that broke on anything but hsa_init blocks, whatever is expected."""
    found = own_pool.verdict_of_block(Blocked("hsa_amd_vmem_map/success", "HSA_STATUS_ERROR"))
    assert ("BLOCKED", "hsa_amd_vmem_map/success: answered HSA_STATUS_ERROR") == (
        found.verdict,
        found.reason,
    )


def test_undo_tells_when_the_library_refuses(own_pool: SessionPool, adapter: Counting) -> None:
    """A process in which something cannot be given back is not used again."""
    adapter.spoil = lambda call: Outcome(0x1000) if "address_free" in call.function else None
    with own_pool.session(initialised=True) as session:
        session.set_up("hsa_amd_vmem_address_reserve", va=Out(), size=4096, address=0, flags=0)
        assert not clean_up(session)
    with own_pool.session(initialised=True):
        pass
    assert 2 == adapter.opened


def test_nothing_is_given_back_that_a_copy_may_still_use(own_pool: SessionPool) -> None:
    """A copy that waits for a signal of the client can begin at any time."""
    with own_pool.session(initialised=True) as session:
        reserve = "hsa_amd_vmem_address_reserve"
        session.set_up(reserve, va=Out(), size=4096, address=0, flags=0)
        waiting = PendingCopies(Signal(1, 1), 1, 0)
        session.model.add("copy", 1, thing=waiting)
        before = session.calls
        assert not clean_up(session)
        assert before == session.calls


@pytest.mark.parametrize(
    ("met", "made", "verdict"),
    [(1, 1, Verdict.PASS), (4, 4, Verdict.PASS), (1000, MORE_FOR_OVERLAP, Verdict.VACUOUS)],
    ids=["at once", "late", "never"],
)
def test_more_examples_are_made_while_too_few_calls_overlap(
    met: int, made: int, verdict: Verdict, run: Callable[..., Result]
) -> None:
    """A busy machine can let threads run one after the other for a while."""

    def body(session: Session, _: Draw, counts: Counts) -> None:
        counts.satisfied += 1
        session.timed += 1
        session.overlapping += counts.satisfied >= met

    result = run(body, examples=1 / PROFILES["quick"], least=1, chance=True)
    assert (verdict, made) == (result.verdict, result.satisfied)


@pytest.mark.parametrize(
    ("guilty", "verdict"),
    [("hsa_signal_create", Verdict.WARN), ("hsa_system_get_info", Verdict.VACUOUS)],
)
def test_a_function_is_not_blamed_for_threads_that_go_wrong_without_it(
    guilty: str, verdict: Verdict, adapter: Counting, own_pool: SessionPool
) -> None:
    """What is called beside it has a clause of its own."""
    spoilt = adapter._spoilt

    def spoils_together(process: Process) -> Process:
        process = spoilt(process)
        honest = process.together

        def together(
            lanes: Sequence[Sequence[Call]], budget: float | None = None
        ) -> list[list[TimedOutcome]]:
            done = honest(lanes, budget)
            if all(call.function != guilty for lane in lanes for call in lane):
                return done
            return [
                [replace(timed, outcome=replace(timed.outcome, result=0x1000)) for timed in lane]
                for lane in done
            ]

        process.together = together  # type: ignore[method-assign]
        return process

    adapter._spoilt = spoils_together  # type: ignore[method-assign]
    clause = own_pool.registry.clauses["hsa_signal_create/threads"]

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        scene = Scene(session, draw, clause)
        version = own_pool.registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
        for event in session.together(
            [
                [("hsa_system_get_info", {"attribute": version, "value": Out()})],
                [
                    (
                        "hsa_signal_create",
                        {"initial_value": 0, "num_consumers": 0, "consumers": 0, "signal": Out()},
                    )
                ],
            ]
        ):
            scene.require_status(event.answer, SUCCESS)
        counts.satisfied += 1

    check = Check(clause.id, "check", body, chance=True, examples=1 / PROFILES["quick"], least=1)
    result = Campaign(own_pool, Judge(own_pool.registry, lambda _: True), "quick", 0).run(check)
    assert verdict == result.verdict, result.reason
    if verdict is Verdict.VACUOUS:
        assert "goes wrong without hsa_signal_create as well" in (result.reason or "")
