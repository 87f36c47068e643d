"""Symbols and sessions: names in traces, outputs, guards, memory, and a second process."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import create_autospec

import pytest

from hsa_adapters.calls import Call, Callback, Outcome
from hsa_adapters.errors import Ended
from hsa_adapters.faults import Faults
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing
from hsa_conformance.engine.calls.symbols import Symbol, text
from hsa_conformance.engine.calls.values import GUARD, PATTERN, Data, Out
from hsa_conformance.engine.checks.refusals.arming import armed
from hsa_conformance.engine.library.stable_answers import Question, StableAnswers, question
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_conformance.topics.amd.vmem.fixtures import access_descriptors
from hsa_reports import Step
from hsa_reports.actions import Call as ActionCall
from hsa_reports.actions import Given, Refuse
from hsa_reports.operands import Agent, Memory, Named, Number, Output
from hsa_spec import Registry

RESERVE = "hsa_amd_vmem_address_reserve"
SCRATCH = 0x10000


class ScriptedProcess:
    """A process that answers with what it was told to, one outcome a call."""

    page_size = 4096
    scratch = (SCRATCH, 4096)

    def __init__(self, *answers: Outcome | Ended) -> None:
        self.answers = list(answers)
        self.calls: list[Call] = []
        self.memory: dict[int, bytes] = {}

    def call(self, call: Call) -> Outcome:
        self.calls.append(call)
        answer = self.answers.pop(0)
        if isinstance(answer, Ended):
            raise answer
        return answer

    def write(self, address: int, data: bytes) -> bool:
        self.memory[address] = data
        return True


def scripted(
    registry: Registry, *answers: Outcome | Ended, known: StableAnswers | None = None
) -> Session:
    process = ScriptedProcess(*answers)
    return Session(process, registry, TOPICS.rules, TOPICS.discover, stable_answers=known)  # type: ignore[arg-type]


def reserve(session: Session, va: int | Out) -> object:
    return session.set_up(RESERVE, va=va, size=4096, address=0, flags=0)


def reserved(*reads: bytes) -> Outcome:
    return Outcome(0, reads)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Symbol(4096, "va1"), "va1"),
        (Symbol(4096, "va1") + 16, "va1 + 0x10"),
        (16 + Symbol(4096, "va1"), "va1 + 0x10"),
        (Symbol(4096, "va1") - 16, "va1 - 0x10"),
        (Symbol(4096, "va1") + 16 - 16, "va1"),
        (Symbol(4096, "va1") * 2, "0x2000"),
        (5, "5"),
        (-1, "-1"),
        (256, "0x100"),
        (4097, "0x1001"),
        (0, "0x0"),
    ],
)
def test_numbers_in_a_trace(value: int, shown: str) -> None:
    """A number keeps its name through sums, and loses it in anything else."""
    assert shown == text(value)


def test_symbol_is_its_number() -> None:
    """A symbol compares and counts as the number it names."""
    assert Symbol(4096, "va1") + 16 == 4112
    assert {4096: "x"}[Symbol(4096, "va1")] == "x"


def test_output_gets_room_pattern_and_guard(registry: Registry) -> None:
    """An output starts as a pattern, between guarded bytes, and all is read after the call."""
    session = scripted(registry, reserved((8192).to_bytes(8, "little"), bytes([PATTERN]) * GUARD))
    reserve(session, Out())
    [call] = session.process.calls  # type: ignore[attr-defined]
    place, guard = SCRATCH + GUARD, bytes([PATTERN]) * GUARD
    assert (place, 4096, 0, 0) == call.args
    assert ((place, bytes([PATTERN]) * 8 + guard), (SCRATCH, guard)) == call.writes
    assert ((place, 8), (place + 8, GUARD), (SCRATCH, GUARD)) == call.reads


def shown(step: Step) -> tuple[str, str, str]:
    """Return what people see of a step."""
    return step.process, step.call, step.result


def test_output_is_a_named_number(registry: Registry) -> None:
    """An output of a success is known by its name and a number, in the trace, too."""
    content = (8192).to_bytes(8, "little"), bytes([PATTERN]) * GUARD
    session = scripted(registry, reserved(*content), reserved(*content))
    first = session.call(RESERVE, va=Out(), size=4096, address=0, flags=0)
    second = session.call(RESERVE, va=Out(), size=4096, address=first["va"], flags=0)
    assert (8192, "va1") == (first["va"], str(first["va"]))
    assert "va2" == str(second["va"])
    assert (
        "main",
        f"{RESERVE}(va=&va, size=0x1000, address=va1, flags=0x0)",
        "HSA_STATUS_SUCCESS, va = va2",
    ) == shown(session.trace.steps[-1])


def test_steps_are_recorded_for_programs(registry: Registry) -> None:
    """Names stand for what only this process knows, also where a number lost its name."""
    content = (0x200000).to_bytes(8, "little"), bytes([PATTERN]) * GUARD
    session = scripted(registry, reserved(*content), Outcome(0x1001), Outcome(0))
    va = session.call(RESERVE, va=Out(), size=4096, address=0, flags=0)["va"]
    memory = session.place(bytes(4) + b"\1" + bytes(11), "memory")
    session.call("hsa_amd_vmem_address_free", va=int(va) + 1, size=memory + 1)
    agent = Symbol(5, "gpu1", origin=Agent("gpu1", 1, 1))
    session.call(
        "hsa_amd_vmem_set_access",
        va=va + 4096,
        size=4096,
        desc=access_descriptors([(agent, 3)]),
        desc_cnt=1,
    )
    assert [
        ActionCall(
            RESERVE,
            (Output(8), Number(4096), Number(0), Number(0)),
            0,
            (Given("va", "va1", content[0]),),
        ),
        ActionCall(
            "hsa_amd_vmem_address_free",
            (Named("va1", 1), Memory(1, 16, bytes(4) + b"\1", (), 1)),
            0x1001,
        ),
        ActionCall(
            "hsa_amd_vmem_set_access",
            (
                Named("va1", 4096),
                Number(4096),
                Memory(2, 16, b"\3", ((8, Agent("gpu1", 1, 1)),)),
                Number(1),
            ),
            0,
        ),
    ] == [step.action for step in session.trace.steps]


def test_null_and_enumerators_are_shown_by_name(registry: Registry) -> None:
    """A trace reads like a program: NULL, and the names of enumerations."""
    session = scripted(registry, Outcome(0x1001))
    session.call("hsa_system_get_info", attribute=0, value=0)
    assert (
        "hsa_system_get_info(attribute=HSA_SYSTEM_INFO_VERSION_MAJOR, value=NULL)"
        == session.trace.steps[0].call
    )
    assert "HSA_STATUS_ERROR_INVALID_ARGUMENT" == session.trace.steps[0].result


@pytest.mark.parametrize(("changed", "output"), [(1, "va"), (2, "va"), (0, None)])
def test_write_next_to_an_output_is_seen(
    registry: Registry, changed: int, output: str | None
) -> None:
    """A changed byte of a guard tells which output was overrun."""
    guard = bytes([PATTERN]) * GUARD
    reads = [bytes(8), guard, guard]
    reads[changed] = bytes(1) + reads[changed][1:]
    session = scripted(registry, reserved(*reads))
    answer = session.call(RESERVE, va=Out(), size=4096, address=0, flags=0)
    assert output == answer.overrun()


def test_untouched_output_is_unwritten(registry: Registry) -> None:
    """An output that still holds the pattern was not written, and changes nothing in the model."""
    session = scripted(registry, reserved(*[bytes([PATTERN]) * n for n in (8, GUARD)]))
    answer = session.call(RESERVE, va=Out(), size=4096, address=0, flags=0)
    assert answer.untouched("va")
    assert ["va"] == answer.unwritten()
    assert [] == session.model.live("reservation")


def test_success_with_a_null_output_is_survived(registry: Registry) -> None:
    """A library that accepts NULL for an output leaves nothing to record."""
    session = scripted(registry, Outcome(0))
    answer = session.call(RESERVE, va=0, size=4096, address=0, flags=0)
    assert answer.ok
    assert [] == session.model.live("reservation")


def test_preparation_must_succeed(registry: Registry) -> None:
    """A refused preparation blocks, by the clause that says when it succeeds."""
    with pytest.raises(Blocked) as blocked:
        reserve(scripted(registry, Outcome(0x1008, (bytes(8), bytes(GUARD)))), Out())
    assert (f"{RESERVE}/success", "HSA_STATUS_ERROR_OUT_OF_RESOURCES", False) == (
        blocked.value.clause,
        blocked.value.got,
        blocked.value.deadly,
    )


@pytest.mark.parametrize(("used_before", "calls"), [(False, 2), (True, 3)])
def test_deadly_preparation_is_tried_twice(
    registry: Registry, used_before: bool, calls: int
) -> None:
    """What ended two fresh processes is not called again; a used process is no proof."""
    session = scripted(registry, *[Ended("HANG", None, "no answer")] * 3)
    session.used_before = used_before
    for _ in range(3):
        with pytest.raises(Blocked) as blocked:
            reserve(session, Out())
        assert ("HANG (no answer)", True) == (blocked.value.got, blocked.value.deadly)
    assert calls == session.calls


def test_what_ends_a_process_behind_a_refusal_is_called_again(registry: Registry) -> None:
    """It may be the refusal's doing, and says nothing of processes that meet none."""
    session = scripted(registry, *[Ended("CRASH", None, "SIGSEGV")] * 3)
    refusal = Refuse("ALLOC_MEMORY_OF_GPU", "ENOMEM", 0, lasting=False)
    faults = create_autospec(Faults)
    faults.noted.return_value, faults.alike.return_value = (), (0, 0)
    with armed(session, faults, refusal):
        pass
    for _ in range(3):
        with pytest.raises(Blocked):
            reserve(session, Out())
    assert 3 == session.calls


def test_death_is_the_last_step(registry: Registry) -> None:
    """The call that a process did not survive ends the trace."""
    session = scripted(registry, Ended("CRASH", None, "SIGSEGV"))
    with pytest.raises(Ended):
        session.call("hsa_init")
    assert [("main", "hsa_init()", "CRASH: SIGSEGV")] == [shown(s) for s in session.trace.steps]


def test_data_is_laid_out_and_remembered(registry: Registry) -> None:
    """Bytes for an input are written before the call, and conditions can read them."""
    session = scripted(registry, Outcome(0x1001))
    words = (3).to_bytes(8, "little") + (7).to_bytes(8, "little")
    session.call(
        "hsa_amd_vmem_set_access", va=4096, size=4096, desc=Data(words, "[{3, x}]"), desc_cnt=1
    )
    assert (3, 7) == session.model.words(SCRATCH + GUARD, 2)
    assert "desc=[{3, x}]" in session.trace.steps[0].call


def test_scratch_memory_is_not_exceeded(registry: Registry) -> None:
    """An example that wants more memory than there is proves nothing: a library named its size."""
    session = scripted(registry)
    with pytest.raises(ProvesNothing):
        session.place(bytes(5000))


def test_fresh_session_forgets(registry: Registry) -> None:
    """A new example starts without steps, names, and used memory."""
    content = (8192).to_bytes(8, "little"), bytes([PATTERN]) * GUARD
    session = scripted(registry, reserved(*content), reserved(*content))
    reserve(session, Out())
    session.fresh()
    reserve(session, Out())
    addresses: Sequence[int] = [c.args[0] for c in session.process.calls]  # type: ignore[attr-defined]
    assert [SCRATCH + GUARD, SCRATCH + GUARD] == addresses
    assert ["HSA_STATUS_SUCCESS, va = va1"] == [step.result for step in session.trace.steps]


def test_memory_and_descriptors_are_in_the_trace(session: Session) -> None:
    """Reading, writing, opening and closing are steps of their own."""
    session.trace.clear()
    address = session.place(b"\1\2", "data")
    assert session.write(address, b"\3\4")
    assert b"\3\4" == session.read(address, 2)
    descriptor = session.open_file(4096)
    session.close_descriptor(descriptor)
    assert [
        ("write 03 04 at data", "done"),
        ("read 2 bytes at data", "03 04"),
        ("open an ordinary file of 4096 bytes", "file1"),
        ("close(file1)", "done"),
    ] == [(step.call, step.result) for step in session.trace.steps]
    assert not session.model.is_open(descriptor)


def test_memory_that_cannot_be_read_is_an_answer(session: Session) -> None:
    """A read that would fault is refused, in words."""
    assert session.read(8, 8) is None
    assert "refused" == session.trace.steps[-1].result


def test_second_process_shares_the_trace(session: Session) -> None:
    """Steps of the peer stand in the same trace, under its name."""
    session.peer().call("hsa_init")
    assert session.peer() is session.peer()
    assert ("peer", "hsa_init()", "HSA_STATUS_SUCCESS") == shown(session.trace.steps[-1])


def test_descriptor_is_known_on_both_sides(session: Session) -> None:
    """A descriptor that was sent is open in the peer, under its own number."""
    number = session.send_descriptor(session.open_file(4096))
    assert session.peer().model.is_open(number)


def version(session: Session, agent: int | None = Symbol(0x10, "gpu1")) -> int:
    """Ask for the version of an agent, or of the system."""
    constants = session.registry.constants
    with session.learning():
        if agent is None:
            attribute = constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
            answer = session.call("hsa_system_get_info", attribute=attribute, value=Out(2))
        else:
            attribute = constants["HSA_AGENT_INFO_VERSION_MAJOR"]
            answer = session.call(
                "hsa_agent_get_info", agent=agent, attribute=attribute, value=Out(2)
            )
    return answer.number("value")


def answered(number: int, status: int = 0) -> Outcome:
    return Outcome(status, (number.to_bytes(2, "little"), bytes([PATTERN]) * GUARD))


def test_what_two_processes_answered_stands_for_the_next(registry: Registry) -> None:
    """A third process with the same knowledge is not asked, and its trace is empty."""
    known = StableAnswers()
    first = scripted(registry, answered(3), answered(3), known=known)
    second = scripted(registry, answered(3), known=known)
    third = scripted(registry, known=known)

    assert [version(first), version(first), version(second), version(third)] == [3] * 4
    assert [first.calls, second.calls, third.calls] == [2, 1, 0]
    assert first.trace.steps == second.trace.steps == third.trace.steps == []


def test_what_names_no_object_is_asked_once(registry: Registry) -> None:
    """Whatever order lists have, it is the same question in each process."""
    known = StableAnswers()
    first, second = scripted(registry, answered(3), known=known), scripted(registry, known=known)
    assert [3, 3] == [version(first, None), version(second, None)]


def test_no_answer_stands_for_others_once_two_differ(registry: Registry) -> None:
    """Lists may have another order in each process, and names another meaning."""
    known = StableAnswers()
    for number in (3, 4, 3, 3, 5):
        assert number == version(scripted(registry, answered(number), known=known))
    assert [1, 2] == [known.once("pools", lambda: 1), known.once("pools", lambda: 2)]


def test_no_answer_stands_for_others_once_a_list_has_two_orders(registry: Registry) -> None:
    known = StableAnswers()
    orders = (((1,), (2,)), ((2,), (1,)))
    lists = [Outcome(0, callbacks=order) for order in orders]
    session = scripted(registry, answered(3), *lists, known=known)
    version(session)
    with session.learning():
        session.call("hsa_iterate_agents", callback=Callback("hsa_agent_callback"), data=0)

    for number in (3, 4):
        assert number == version(scripted(registry, answered(number), known=known))


@pytest.mark.parametrize(("living", "obstacle"), [(15, Blocked), (16, ProvesNothing)])
def test_a_lack_with_many_living_objects_is_no_failure(
    registry: Registry, living: int, obstacle: type[Exception]
) -> None:
    """An agent may have sixteen samplers, for example, and no more."""
    session = scripted(registry, Outcome(0x1008, (bytes([PATTERN]) * 8, bytes([PATTERN]) * GUARD)))
    for number in range(living):
        session.model.add("signal", number, thing=number)
    with pytest.raises(obstacle):
        session.set_up(
            "hsa_signal_create", initial_value=1, num_consumers=0, consumers=0, signal=Out()
        )


def test_a_runtime_that_was_started_again_is_asked_anew(registry: Registry) -> None:
    known = StableAnswers()
    for _ in range(2):
        version(scripted(registry, answered(3), known=known))
    again = scripted(registry, answered(4), known=known)
    again.ends = 1

    assert (4, 5) == (version(again), again.learn("pools", lambda: 5))


def test_a_refusal_is_asked_for_again(registry: Registry) -> None:
    known = StableAnswers()
    version(scripted(registry, answered(3, status=0x1000), known=known))

    assert version(scripted(registry, answered(4), known=known)) == 4


def test_facts_are_found_out_once_until_a_process_differs() -> None:
    known = StableAnswers()
    known.confirm("agents", ["cpu1"])

    assert known.once("pools", lambda: 3) == known.once("pools", lambda: 4) == 3
    known.confirm("agents", ["cpu1", "gpu1"])
    assert known.once("pools", lambda: 4) == 4


def test_what_a_used_process_answers_stands_for_none(registry: Registry) -> None:
    """An example may have left its process in a bad state."""
    known = StableAnswers()
    used = scripted(registry, answered(3), known=known)
    used.used_before = True
    version(used)

    assert version(scripted(registry, answered(4), known=known)) == 4


def test_another_machine_is_asked_anew(registry: Registry) -> None:
    """Nothing stands any more once a process lists other agents than those before."""
    known = StableAnswers()
    known.confirm("agents", ["cpu1"])
    for _ in range(2):
        version(scripted(registry, answered(3), known=known))
    known.confirm("agents", ["cpu1"])
    assert version(scripted(registry, known=known)) == 3

    known.confirm("agents", ["cpu1", "gpu1"])
    assert version(scripted(registry, answered(4), known=known)) == 4


def test_an_answer_kept_for_one_agent_is_not_that_of_another(registry: Registry) -> None:
    """Handles differ between processes; their names say whether the same is meant."""
    function = registry.functions["hsa_agent_get_info"]

    def asked(agent: int) -> Question | None:
        return question(function, {"agent": agent, "attribute": 0, "value": Out(4)})

    assert asked(Symbol(7, "gpu1")) == asked(Symbol(9, "gpu1"))
    assert asked(Symbol(7, "gpu1")) != asked(Symbol(7, "gpu2"))


def test_a_list_of_handles_is_asked_of_every_process(registry: Registry) -> None:
    function = registry.functions["hsa_iterate_agents"]

    assert question(function, {"callback": Callback("hsa_agent_callback"), "data": 0}) is None
