"""Clauses about resources that run out: a driver is made to refuse them."""

from __future__ import annotations

import ctypes.util
import shutil
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hsa_adapters import Adapter, Ended, LibraryAdapter
from hsa_adapters.calls import Call, Outcome
from hsa_adapters.faults import Refusal
from hsa_adapters.protocol import Process, Subject
from hsa_adapters.virtual_kfd import DEFAULT, ImitatedAdapter, load_machine
from hsa_conformance import subjects
from hsa_conformance.engine.checks.refusals.arming import words
from hsa_conformance.reproduce import plan_for
from hsa_conformance.reproduce.trying.commands import with_commands
from hsa_reports import Result
from hsa_reports.actions import Refuse
from hsa_spec import Registry
from tests.wrong.functions import honest, mistaken
from tests.wrong.inside import results, running

INIT = "hsa_init/no-resources"
INIT_AGAIN = "hsa_init/succeeds-later"
MAP = "hsa_amd_vmem_map/out-of-memory"
MAP_AGAIN = "hsa_amd_vmem_map/succeeds-later"
CREATE = "hsa_amd_vmem_handle_create/not-zero"
EXPORT = "hsa_amd_vmem_export_shareable_handle/out-of-descriptors"

ERROR, OUT_OF_RESOURCES, OVERFLOW = 0x1000, 0x1008, 0x100C

Behaviour = Callable[[Call], Outcome | None]


class Driver:
    """A driver that can refuse, beneath a library that asks it for two things in one function.

    Args:
        adapter: the library, which asks no driver by itself.
        function: the function.
        refused: what it answers when it is refused; None for what it answers otherwise.
        asked: the calls of the driver that it makes.
        always: whether it answers so also when it is not refused anything.
        asks_again: whether a refusal that does not last is nothing to it.
        afterwards: what it answers after a refusal for ever; None for what it answers otherwise.
        machine: what the report calls the driver.

    """

    name = "refusing"

    def __init__(
        self,
        adapter: Adapter,
        function: str,
        refused: Behaviour,
        *,
        asked: tuple[str, ...] = ("mmap", "EXPORT_DMABUF"),
        always: bool = False,
        asks_again: bool = False,
        afterwards: Outcome | None = None,
        machine: str | None = None,
    ) -> None:
        self.adapter = adapter
        self.function = function
        self.refused = refused
        self.asked = asked
        self.always = always
        self.asks_again = asks_again
        self.afterwards = afterwards
        self.machine = machine
        self.armed: Refuse | None = None
        self.met = False
        self.called = False

    def start(self) -> Subject:
        return replace(self.adapter.start(), machine=self.machine)

    def process(self) -> Process:
        self.met = False
        process = self.adapter.process()
        honest = process.call

        def call(call: Call) -> Outcome:
            answer = self.answer(call) if call.function == self.function else None
            return answer or honest(call)

        process.call = call  # type: ignore[method-assign]
        return process

    def answer(self, call: Call) -> Outcome | None:
        if self.armed is None:
            return self.afterwards if self.met else None
        self.called = True
        self.met = self.armed.call in self.asked and self.armed.after < 2
        suffices = self.armed.lasting or not self.asks_again
        return self.refused(call) if (self.met and suffices) or self.always else None

    def faults(self) -> Driver:
        return self

    def arm(self, call: str, error: str, after: int, *, lasting: bool) -> None:
        self.armed, self.met = Refuse(call, error, after, lasting), False
        self.called = False

    def disarm(self) -> None:
        self.armed = None

    def hits(self) -> int:
        return int(self.met and self.armed is not None)

    def left(self) -> int:
        if self.armed is None:
            return 0
        made = 2 if self.called and self.armed.call in self.asked else 0
        return max(0, self.armed.after - made)

    def watch(self) -> None:
        self.disarm()

    def made(self) -> dict[str, int]:
        return {}

    def alike(self) -> tuple[int, int]:
        return 0, 0

    def noted(self) -> tuple[str, ...]:
        return ()

    def beyond(self) -> int:
        return 0

    def lacking(self) -> tuple[str, ...]:
        return ()

    def executed(self) -> dict[str, str]:
        return {}

    def errors(self, call: str) -> tuple[str, ...]:
        return (call,)

    def done(self, call: str) -> Refusal:
        return Refusal[call]

    def memory(self) -> str:
        return "it is not there"

    def complaints(self) -> tuple[str, ...]:
        return ()

    def observations(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        self.adapter.close()


@pytest.fixture
def judged(registry: Registry) -> Callable[..., Result]:
    """Return a function that judges a clause of a library which answers so when it is refused."""

    def judged(clause: str, refused: Behaviour, **options: Any) -> Result:
        adapter = subjects.reference(None, registry)
        driver = Driver(adapter, clause.partition("/")[0], refused, **options)
        result = results(driver, registry, clause)[-1]
        assert driver.armed is None
        return result

    return judged


def answering(status: int) -> Behaviour:
    return lambda call: Outcome(status, tuple(bytes(size) for _, size in call.reads))


def dying(call: Call) -> None:
    raise Ended("CRASH", call, "SIGABRT", stderr="out of memory")


@pytest.mark.parametrize(
    ("clause", "status", "verdict"),
    [
        (INIT, OUT_OF_RESOURCES, "PASS"),
        (INIT, OVERFLOW, "FAIL"),
        (INIT, ERROR, "FAIL"),
        (MAP, OUT_OF_RESOURCES, "PASS"),
        (MAP, ERROR, "PASS"),
        (MAP, OVERFLOW, "WARN"),
        (EXPORT, OUT_OF_RESOURCES, "PASS"),
        (EXPORT, ERROR, "PASS"),
        (EXPORT, OVERFLOW, "FAIL"),
    ],
)
def test_the_answer_to_a_refusal_is_judged(
    judged: Callable[..., Result], clause: str, status: int, verdict: str
) -> None:
    """The statuses of all clauses about the lack of the resource are right, and no other."""
    result = judged(clause, answering(status))
    assert (clause, verdict) == (result.clause, result.verdict)


def test_what_is_refused_is_mostly_what_the_function_asks_for(
    judged: Callable[..., Result],
) -> None:
    """Which calls of the driver it makes is found out first."""
    result = judged(MAP, answering(OUT_OF_RESOURCES), asked=("mmap",))
    assert 25 == result.satisfied
    assert result.discarded < result.satisfied


@pytest.mark.parametrize(("status", "verdict"), [(OUT_OF_RESOURCES, "PASS"), (OVERFLOW, "FAIL")])
def test_a_library_that_asks_again_is_refused_again(
    judged: Callable[..., Result], status: int, verdict: str
) -> None:
    """What a library does that survives one refusal shows when all later calls are refused, too."""
    result = judged(INIT, answering(status), asks_again=True)
    assert (INIT, verdict) == (result.clause, result.verdict)
    assert result.satisfied > 0


def test_a_refusal_must_not_end_the_process(judged: Callable[..., Result]) -> None:
    """A death counts, whoever decides the status, and the trace tells what was refused."""
    result = judged(MAP, dying, machine="an imitated one")
    assert ("CRASH", MAP) == (result.verdict, result.clause)
    assert result.failure is not None
    refusal, call = result.failure.steps[-2:]
    assert isinstance(refusal.action, Refuse)
    assert ("mmap", words(refusal.action)) == (refusal.action.call, refusal.call)
    assert "CRASH: SIGABRT" == call.result


@pytest.mark.parametrize(("status", "verdict"), [(OUT_OF_RESOURCES, "PASS"), (OVERFLOW, "WARN")])
def test_what_is_made_of_a_refusal_is_the_librarys(
    judged: Callable[..., Result], status: int, verdict: str
) -> None:
    """That an imitated driver refuses is the suite's doing, and the status the library's answer."""
    result = judged(MAP, answering(status), machine="an imitated one")
    assert verdict == result.verdict


@pytest.mark.parametrize("clause", [INIT, MAP, EXPORT])
def test_success_in_spite_of_a_refusal_is_never_wrong(
    judged: Callable[..., Result], clause: str
) -> None:
    """There may be another way."""
    result = judged(clause, lambda _: None)
    assert ("VACUOUS", 0) == (result.verdict, result.satisfied)


@pytest.mark.parametrize("clause", [INIT, MAP, EXPORT])
@pytest.mark.parametrize(
    ("answer", "always"),
    [(answering(ERROR), False), (answering(ERROR), True), (dying, True)],
    ids=["asks for nothing", "fails by itself", "dies by itself"],
)
def test_what_has_another_cause_proves_nothing(
    judged: Callable[..., Result], clause: str, answer: Behaviour, *, always: bool
) -> None:
    """Only an answer to a refusal is judged, and there is none where the driver is not asked."""
    result = judged(clause, answer, asked=(), always=always)
    assert ("UNTESTED", 0) == (result.verdict, result.satisfied)
    assert "asks the driver for no " in str(result.reason)


@pytest.mark.parametrize("clause", [INIT_AGAIN, MAP_AGAIN])
def test_a_call_that_was_refused_can_be_made_again(
    judged: Callable[..., Result], clause: str
) -> None:
    """When the driver gives again what it refused, the same call succeeds."""
    assert "PASS" == judged(clause, answering(OUT_OF_RESOURCES)).verdict


@pytest.mark.parametrize("clause", [INIT_AGAIN, MAP_AGAIN])
def test_a_call_that_fails_for_ever_after_a_refusal_is_found(
    judged: Callable[..., Result], clause: str
) -> None:
    """Something of the failed call was left behind."""
    result = judged(clause, answering(OUT_OF_RESOURCES), afterwards=Outcome(ERROR, (None, None)))
    assert (clause, "WARN") == (result.clause, result.verdict)
    assert "after a call that the driver made fail, the same call fails without that" == (
        result.reason
    )


@pytest.mark.parametrize(
    ("refused", "verdict"),
    [(answering(0), "WARN"), (lambda _: None, "PASS"), (answering(ERROR), "PASS"), (dying, "PASS")],
    ids=["handle 0", "another handle", "fails", "dies"],
)
def test_success_in_spite_of_a_refusal_gives_a_handle(
    judged: Callable[..., Result], refused: Behaviour, verdict: str
) -> None:
    """A library may do without what it was refused, but then there has to be something."""
    result = judged(CREATE, refused)
    assert (CREATE, verdict) == (result.clause, result.verdict)


@pytest.mark.parametrize(("clause", "verdict"), [(INIT_AGAIN, "VACUOUS"), (MAP_AGAIN, "VACUOUS")])
def test_after_a_refusal_that_ends_the_process_nothing_can_be_made_again(
    judged: Callable[..., Result], clause: str, verdict: str
) -> None:
    """The clause of the status tells of the death, and the other checks of this one decide."""
    assert verdict == judged(clause, dying).verdict


def test_without_a_driver_that_can_refuse_nothing_is_judged(registry: Registry) -> None:
    """On a real machine, and of most libraries in process, the reason says what is needed."""
    [result] = results(mistaken(registry, honest), registry, INIT)
    reason = "needs a machine that can be made to run out of resources (--virtual-kfd)"
    assert ("UNTESTED", reason) == (result.verdict, result.reason)


@pytest.mark.parametrize(
    ("after", "ordinal"), [(0, "1st"), (1, "2nd"), (2, "3rd"), (3, "4th"), (7, "8th")]
)
def test_a_refusal_in_words(after: int, ordinal: str) -> None:
    """The trace says which call of the driver is refused, and how."""
    refusal = Refuse("CREATE_EVENT", "ENOMEM", after, lasting=False)
    assert f"the driver refuses the {ordinal} CREATE_EVENT with ENOMEM" == words(refusal)
    lasting = replace(refusal, lasting=True)
    assert (
        f"the driver refuses the {ordinal} CREATE_EVENT and all later ones with ENOMEM"
    ) == words(lasting)


def test_a_program_makes_the_imitated_driver_fail(
    judged: Callable[..., Result], registry: Registry
) -> None:
    """The program arms the imitation as the suite did, and disarms it after the call."""
    event = with_commands(judged(INIT, dying), "run again", "make a program")
    assert event.failure is not None
    assert "make a program" == event.failure.program
    plan = plan_for(INIT, event.failure, registry)
    assert "Refuse" == type(plan.moves[0].action).__name__
    assert not plan.last.restored_call


def test_rocr_5_2_3_dies_of_a_refusal_in_hsa_init(registry: Registry) -> None:
    """A real library on the imitated machine, from the refusal to the verdict."""
    name = ctypes.util.find_library("hsa-runtime64")
    if name is None or shutil.which("cc") is None:
        pytest.skip("needs a C compiler and libhsa-runtime64 (Debian: libhsa-runtime64-1)")
    adapter = ImitatedAdapter(LibraryAdapter(name, registry), load_machine(DEFAULT))
    with running(adapter, registry) as runner:
        if runner.release.lowest != "5.2.3":
            pytest.skip("another release is installed")
        [result] = runner.run(registry.clauses[INIT])
        [again] = runner.run(registry.clauses["hsa_init/success"])
    assert ("CRASH", INIT) == (result.verdict, result.clause)
    assert result.failure is not None
    assert "SIGABRT, by a failed assertion" == result.failure.detail
    assert "PASS" == again.verdict
