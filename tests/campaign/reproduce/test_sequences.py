"""Programs of sequences of all kinds, recorded on the honest fake and played on it again.

The same steps with a demand that the honest fake meets, and with one that it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from mmap import PAGESIZE

import pytest

from hsa_adapters.calls import Callback, Repeat
from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.engine.session.session import Session
from hsa_conformance.reproduce import CannotReproduce, plan_for
from hsa_conformance.topics.amd.pools.fixtures import allocate_block, known_pools
from hsa_conformance.topics.amd.vmem.fixtures import (
    access_descriptors,
    create_handle,
    grant_access,
    map_handle,
    reserve,
)
from hsa_conformance.topics.amd.vmem.state import Mapping
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.init.fixtures import discover
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.loader.loader.listing import OF_EXECUTABLES, as_many
from hsa_reports import Failure, Step
from hsa_reports.actions import Action, Call, End, Fork, Interrupt, Litmus
from hsa_reports.demands import (
    Answers,
    Demand,
    Gives,
    InheritsNothing,
    LeavesAlone,
    Permits,
    Returns,
    Shows,
    StaysWithin,
    Survives,
)
from hsa_reports.operands import Agent, Named, Number, Output
from hsa_spec import Registry
from tests.campaign.reproduce.programs import (
    ABSENT,
    CANNOT_TELL,
    LANGUAGES,
    PRESENT,
    Fake,
    Show,
    failure,
    sessions_of,
)

CLAUSE = "hsa_amd_vmem_map/same-bytes"
SIZE = 4096
HOSTILE = (
    """*/ exit(0); /* \"; } \\' %s%n ??/ ''' \"\"\" {x} {{ 7 * 7 }} \x1b\n#error {% raw %} ä"""
)
SUCCESS, BREAK = "HSA_STATUS_SUCCESS", "HSA_STATUS_INFO_BREAK"


def recorded(session: Session, demand: Demand, **changes: object) -> Failure:
    """Return a failure whose last step is said to have answered something else."""
    found = failure(session, demand)
    *before, last = found.steps
    assert last.action is not None
    action = replace(last.action, **changes)  # type: ignore[arg-type]
    return replace(found, steps=(*before, replace(last, action=action)))


def mapped(session: Session) -> Mapping:
    """Map memory of the GPU and let the host read and write."""
    fixtures = Fixtures(session, lambda _: 1)
    pool = known_pools(fixtures, lambda p: p.allocatable and p.location == "gpu")[0]
    mapping = map_handle(
        fixtures, create_handle(fixtures, SIZE, pool), reserve(fixtures, 2 * SIZE).address
    )
    grant_access(fixtures, mapping, known_agents(fixtures, "cpu")[0].handle)
    return mapping


@pytest.mark.parametrize("language", LANGUAGES)
def test_bytes_of_memory(session: Session, fake: Fake, show: Show, language: str) -> None:
    """What was written is read again, and is compared with what has to be there."""
    mapping = mapped(session)
    assert session.write(mapping.address + 5, b"\1\2\0")
    session.read(mapping.address + 5, 3)
    for content, expected in ((b"\1\2\0", ABSENT), (b"\1\2\3", PRESENT)):
        found = recorded(session, Shows(content), content=b"\xff\xff\xff")
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("open_to_host", [True, False])
def test_memory_that_may_not_be_touched(
    session: Session, fake: Fake, show: Show, language: str, open_to_host: bool
) -> None:
    """A read or a write that would fault is an answer, and no death of the program."""
    mapping = mapped(session)
    address = mapping.address + (0 if open_to_host else SIZE)
    readable = PRESENT if open_to_host else ABSENT
    assert (session.read(address, 1) is not None) is open_to_host
    found = recorded(session, Shows(None), content=b"\0")
    assert readable == show(found, CLAUSE, language, fake("honest")).status
    assert session.write(address, b"\1") is open_to_host
    for done in (True, False):
        found = recorded(session, Permits(done), done=not done)
        expected = ABSENT if done is open_to_host else PRESENT
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_memory_lies_in_pages_as_it_did(
    session: Session, registry: Registry, fake: Fake, show: Show, language: str
) -> None:
    """What pages a range of it shares may decide what a call does."""
    session.place(bytes(PAGESIZE - 16))
    address = session.place(bytes(2 * PAGESIZE))
    assert session.read(address + PAGESIZE, 1) == b"\0"
    for done, expected in ((True, ABSENT), (False, PRESENT)):
        found = recorded(session, Permits(done), content=None if done else b"\0")
        [block] = plan_for(CLAUSE, found, registry).last.memory
        assert int(address) % PAGESIZE == block.past
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_memory_before_what_cannot_be_read(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """Code that is cut off lies there: who reads on is seen."""
    address = session.at_end(Data(b"\1\2\3", "code"))
    assert session.read(address + 2, 1) == b"\3"
    session.read(address + 3, 1)
    for done, content, expected in ((True, None, PRESENT), (False, b"\0", ABSENT)):
        found = recorded(session, Permits(done), content=content)
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_agents_are_found_again_when_the_runtime_starts_again(
    session: Session, registry: Registry, fake: Fake, show: Show, language: str
) -> None:
    """No handle means anything after the last hsa_shut_down."""
    for start in (False, True):
        if start:
            session.call("hsa_shut_down")
            session.call("hsa_init")
            discover(Fixtures(session, lambda _: 1))
        cpu = known_agents(Fixtures(session, lambda _: 1), "cpu")[0]
        session.call("hsa_agent_get_info", agent=cpu.handle, attribute=17, value=Out())
    found = recorded(session, Answers((SUCCESS,)), status=0x1000)
    moves = plan_for(CLAUSE, found, registry).moves
    assert [("hsa_init", set()), ("hsa_init", {"cpu1"})] == [
        (move.action.function, move.again)
        for move in moves
        if isinstance(move.action, Call) and move.found
    ]
    assert ABSENT == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_callbacks_make_calls(
    session: Session, registry: Registry, fake: Fake, show: Show, language: str
) -> None:
    """The program makes them where the run did: a wrong handle in one of them is no matter."""
    gpu = known_agents(Fixtures(session, lambda _: 1), "gpu")[0]
    attribute = registry.constants["HSA_AGENT_INFO_DEVICE"]
    name = Callback("hsa_agent_callback")
    session.make_inside(
        [
            ("hsa_iterate_agents", {"callback": name, "data": 0}),
            ("hsa_agent_get_info", {"agent": gpu.handle, "attribute": attribute, "value": Out()}),
        ],
        lambda results: results_of.append(list(results)),
    )
    results_of: list[list[int]] = []
    session.call("hsa_iterate_agents", callback=name, data=0)
    assert [[0, 0]] == results_of
    for demanded, expected in ((SUCCESS, ABSENT), (BREAK, PRESENT)):
        found = recorded(session, Answers((demanded,)), status=0x1000)
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_descriptors_that_a_program_inherits(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """Those that the caller was given are its own business."""
    file = session.open_file(4096, b"")
    session.call("hsa_amd_vmem_address_reserve", va=Out(), size=1, address=0, flags=0)
    found = failure(session, InheritsNothing((recording.recorded(file),)))
    assert ABSENT == show(found, CLAUSE, language, fake("honest")).status
    assert ABSENT == show(found, CLAUSE, language, fake("leaks_descriptor")).status
    said = show(found, CLAUSE, language, fake("leaks_descriptor", FAKE_INHERITED=1))
    assert PRESENT == said.status
    assert "a program that is executed would have descriptor " in said.line


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_processes(session: Session, fake: Fake, show: Show, language: str) -> None:
    """Memory goes to a second process, which reads what the first one writes."""
    mapping = mapped(session)
    exported = session.set_up(
        "hsa_amd_vmem_export_shareable_handle",
        dmabuf_fd=Out(),
        handle=mapping.handle.handle,
        flags=0,
    )
    peer = session.initialised_peer()
    sent = session.send_descriptor(exported["dmabuf_fd"])
    session.close_descriptor(exported["dmabuf_fd"])
    imported = peer.set_up("hsa_amd_vmem_import_shareable_handle", dmabuf_fd=sent, handle=Out())
    fixtures = Fixtures(peer, lambda _: 1)
    handle = peer.model.find("memory_handle", imported["handle"])
    there = map_handle(fixtures, handle, reserve(fixtures, SIZE).address)
    grant_access(fixtures, there, known_agents(fixtures, "cpu")[0].handle)
    assert session.write(mapping.address, b"\7")
    assert peer.read(there.address, 1) == b"\7"
    for content, expected in ((b"\7", ABSENT), (b"\6", PRESENT)):
        found = recorded(session, Shows(content), content=b"\0")
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_callbacks_answer_as_they_did(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """A callback that ends a traversal at its second call."""
    callback = Callback("hsa_agent_callback", (0, 1))
    assert session.call("hsa_iterate_agents", callback=callback, data=7).status == 1
    for status, expected in ((BREAK, ABSENT), (SUCCESS, PRESENT)):
        found = recorded(session, Answers((status,)), status=0x1000)
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_callbacks_that_allocate(session: Session, fake: Fake, show: Show, language: str) -> None:
    """The number of agents of a block of memory, listed in memory of a callback."""
    fixtures = Fixtures(session, lambda _: 1)
    block = allocate_block(fixtures, known_pools(fixtures, lambda p: p.allocatable)[0])
    info = session.place(bytes([56]) + bytes(255), "&info")
    answer = session.set_up(
        "hsa_amd_pointer_info",
        ptr=block,
        info=info,
        alloc=Callback("hsa_alloc_callback", allocate=True),
        num_agents_accessible=Out(),
        accessible=Out(),
    )
    count = answer.outputs["num_agents_accessible"]
    assert count is not None
    for content, expected in ((count, ABSENT), (b"\x55\0\0\0", PRESENT)):
        demand = Gives("num_agents_accessible", (content,))
        found = recorded(session, demand, status=0x1000)
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_handles_in_memory(session: Session, fake: Fake, show: Show, language: str) -> None:
    """Arrays and structures hold the handles of the machine that the program runs on."""
    fixtures = Fixtures(session, lambda _: 1)
    agents = [a.handle for a in known_agents(fixtures)]
    assert session.call(
        "hsa_amd_agents_allow_access",
        num_agents=len(agents),
        agents=handle_array(agents),
        flags=0,
        ptr=allocate_block(
            fixtures, known_pools(fixtures, lambda p: p.allocatable and p.location == "cpu")[0]
        ),
    ).ok
    found = recorded(session, Answers((SUCCESS,)), status=0x1000)
    assert ABSENT == show(found, CLAUSE, language, fake("honest")).status
    mapping = mapped(session)
    wrong = access_descriptors([(agents[0], 3), (agents[1] + 8, 3)])
    answer = session.call(
        "hsa_amd_vmem_set_access", va=mapping.address, size=SIZE, desc=wrong, desc_cnt=2
    )
    found = recorded(session, Answers((answer.name,)), status=0)
    assert ABSENT == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_files_and_outputs(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """A file is opened and closed, and an output is given back with nothing behind it."""
    session.close_descriptor(session.open_file(SIZE))
    file = session.open_file(SIZE)
    refused = session.call("hsa_amd_vmem_import_shareable_handle", dmabuf_fd=file, handle=Out())
    found = recorded(session, Answers((refused.name,)), status=0)
    assert ABSENT == show(found, CLAUSE, language, fake("honest")).status
    attribute = session.registry.constants["HSA_SYSTEM_INFO_VERSION_MAJOR"]
    for size, expected in ((2, ABSENT), (1, PRESENT)):
        session.call("hsa_system_get_info", attribute=attribute, value=Out(size))
        found = failure(session, StaysWithin("value"))
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_memory_that_a_call_must_not_change(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """The memory of an argument is compared with what it was before the call."""
    room = session.place(bytes([1, 2, 3, 4]), "room")
    for attribute, expected in (("VERSION_MAJOR", PRESENT), ("UNKNOWN", ABSENT)):
        number = session.registry.constants.get(f"HSA_SYSTEM_INFO_{attribute}", 0x7777)
        session.call("hsa_system_get_info", attribute=number, value=room)
        found = failure(session, LeavesAlone("value"))
        assert expected == show(found, CLAUSE, language, fake("honest")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_machine_without_the_agent(session: Session, fake: Fake, show: Show, language: str) -> None:
    """Where the agent of the steps is not there, nothing can be told."""
    ninth = Agent("gpu9", 1, 9)
    device = session.registry.constants["HSA_AGENT_INFO_DEVICE"]
    call = Call("hsa_agent_get_info", (ninth, Number(device), Output(4)), 0x1000)
    session.trace.note("hsa_agent_get_info(agent=gpu9, ...)", "HSA_STATUS_ERROR", call)
    said = show(failure(session, Answers((SUCCESS,))), CLAUSE, language, fake("honest"))
    assert (CANNOT_TELL, f"{CLAUSE}: there is no agent number 9 of device type 1") == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_step_that_answers_otherwise(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """Where preparation does not answer as recorded, nothing can be told."""
    mapping = mapped(session)
    session.read(mapping.address + SIZE, 1)
    *before, last = failure(session, Shows(b"\0")).steps
    assert last.action is not None
    readable = replace(last, action=replace(last.action, content=b"\1"))  # type: ignore[arg-type]
    found = replace(failure(session, Shows(b"\0")), steps=(*before, readable, last))
    said = show(found, CLAUSE, language, fake("honest"))
    assert (CANNOT_TELL, f"{CLAUSE}: step 6 was refused, unlike recorded") == said


def test_demand_that_the_steps_do_not_break_is_left_to_the_reader(
    session: Session, registry: Registry
) -> None:
    """A last step that is said to be right cannot show what is wrong."""
    assert session.call("hsa_shut_down").ok
    assert plan_for(CLAUSE, failure(session, Answers((SUCCESS,))), registry).demand is None
    assert plan_for(CLAUSE, failure(session, Answers((BREAK,))), registry).demand is not None


@pytest.mark.parametrize(
    ("arguments", "function", "words"),
    [
        ((Named("va7"), Number(0)), "hsa_amd_vmem_address_free", "nothing before step 1 gave va7"),
        ((Agent("cpu1", 0, 1),) * 2, "hsa_amd_vmem_address_free", "step 1 uses cpu1 before"),
        ((), "hsa_unheard_of", "does not know hsa_unheard_of"),
    ],
)
def test_steps_that_do_not_hang_together(
    registry: Registry, arguments: tuple[Named | Number | Agent, ...], function: str, words: str
) -> None:
    """Steps that lean on something that is not there make no program."""
    step = Step("main", f"{function}(...)", SUCCESS, Call(function, arguments, 0))
    broken = Failure("it is wrong", (step,), "got", (), None, None, None, "run again")
    with pytest.raises(CannotReproduce, match=words):
        plan_for(CLAUSE, broken, registry)


def test_steps_in_words_only(registry: Registry) -> None:
    """What an older version wrote makes no program, and the way out is named."""
    step = Step("main", "hsa_init()", SUCCESS)
    words = Failure("it is wrong", (step,), "got", (), None, None, None, "run again")
    with pytest.raises(CannotReproduce, match=r"make the run again with this one \(run again\)"):
        plan_for(CLAUSE, words, registry)


@pytest.mark.parametrize(
    "action", [Interrupt(2, 0.1, restart=False), Fork((), "exit"), End("abort")]
)
def test_steps_that_no_program_makes(registry: Registry, action: Action) -> None:
    """A program that left them out would not show what happened."""
    step = Step("main", "in words", "done", action)
    found = Failure("it is wrong", (step,), "got", (), None, None, None, "run again")
    with pytest.raises(CannotReproduce, match="no program copies, interrupts or ends a process"):
        plan_for(CLAUSE, found, registry)


def test_no_program_makes_a_litmus_test(registry: Registry) -> None:
    """What stands between the moves of threads would have to be machine code; a run has it."""
    step = Step("main", "in words", "done", Litmus(("hsa_signal_load_acquire",), 100))
    found = Failure("it is wrong", (step,), "got", (), None, None, None, "run again")
    with pytest.raises(CannotReproduce, match=r"litmus test, as step 1 does: .* \(run again\)"):
        plan_for(CLAUSE, found, registry)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_a_library_are_no_code(
    session: Session, fake: Fake, show: Show, language: str
) -> None:
    """Whatever stands in the words of an event file, the program is the same."""
    assert session.call("hsa_shut_down").ok
    found = recorded(session, Answers((SUCCESS,)), status=0x1000)
    steps = tuple(replace(step, call=HOSTILE, result=HOSTILE) for step in found.steps)
    hostile = replace(found, steps=steps, summary=HOSTILE)
    clause = f"{HOSTILE.replace('/', '').replace(' ', '')}/*/"[:-1]
    assert ABSENT == show(hostile, clause, language, fake("honest")).status


def test_process_of_another_name(session: Session, registry: Registry) -> None:
    """The name of a process becomes part of the program, so only two will do."""
    [step] = failure(session, None).steps
    odd = replace(failure(session, None), steps=(replace(step, process="x(void){}"),))
    with pytest.raises(CannotReproduce, match="step 1 is of a process that is none of"):
        plan_for(CLAUSE, odd, registry)


def signal_of(session: Session, value: int) -> int:
    return signal(Fixtures(session, lambda _: 1), value)


@pytest.fixture(scope="module")
def signals(fake: Fake, registry: Registry) -> Iterator[SessionPool]:
    """A session pool over a fake that has signals."""
    with sessions_of(fake("signals"), registry) as pool:
        yield pool


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", [-(2**63), -5, 2**63 - 1])
def test_values_with_a_sign(
    signals: SessionPool, fake: Fake, show: Show, language: str, value: int
) -> None:
    """A call that returns a number and no status is compared with what it has to return."""
    with signals.session(initialised=True) as session:
        handle = signal_of(session, 1)
        session.call("hsa_signal_store_relaxed", signal=handle, value=value)
        answer = session.call("hsa_signal_load_relaxed", signal=handle)
        assert answer.status == value
        for values, expected in (((7, value), ABSENT), ((7,), PRESENT)):
            found = recorded(session, Returns(values), status=0)
            said = show(found, CLAUSE, language, fake("signals"))
            assert expected == said.status
            assert f"hsa_signal_load_relaxed returned {value}" in said.line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_load_that_dies(signals: SessionPool, fake: Fake, show: Show, language: str) -> None:
    """A call that answers no status can be the one that ends the process."""
    with signals.session(initialised=True) as session:
        session.call("hsa_signal_load_relaxed", signal=signal_of(session, 1))
        found = recorded(session, Survives(), status=None)
    dying = fake("signals", FAKE_CRASHES=1)
    for library, expected in ((fake("signals"), ABSENT), (dying, PRESENT)):
        assert expected == show(found, CLAUSE, language, library).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_in_a_thread(signals: SessionPool, fake: Fake, show: Show, language: str) -> None:
    """A wait goes on until a store, and never ends where the store wakes nobody."""
    waiting = {"condition": 0, "compare_value": -3, "timeout_hint": 2**64 - 1, "wait_state_hint": 0}
    with signals.session(initialised=True) as session:
        handle = signal_of(session, 1)
        session.start("hsa_signal_wait_scacquire", {"signal": handle, **waiting})
        session.call("hsa_signal_store_relaxed", signal=handle, value=-3)
        assert session.join().status == -3
        found = recorded(session, Survives(), status=None)
    assert ABSENT == show(found, CLAUSE, language, fake("signals")).status
    said = show(found, CLAUSE, language, fake("signals", FAKE_SLEEPS_ON="FAKE_STORE"))
    assert PRESENT == said.status
    assert "no end after 2 seconds, in step 5" in said.line


@pytest.mark.parametrize("language", LANGUAGES)
def test_repeated_calls_and_statuses_in_a_thread(
    signals: SessionPool, fake: Fake, show: Show, language: str
) -> None:
    """Calls beside each other change one signal, and an output of a thread is used later."""
    with signals.session(initialised=True) as session:
        made: dict[str, int | Out | Data | Callback]
        made = {"initial_value": -7, "num_consumers": 0, "consumers": 0, "signal": Out()}
        session.start("hsa_signal_create", made)
        handle = session.join()["signal"]
        session.start("hsa_signal_or_relaxed", {"signal": handle, "value": -8}, Repeat(64, 1))
        session.call("hsa_signal_or_relaxed", signal=handle, value=1)
        session.join()
        session.call("hsa_signal_load_relaxed", signal=handle)
        for values, expected in (((-7, -1), ABSENT), ((3,), PRESENT)):
            found = recorded(session, Returns(values), status=0)
            assert expected == show(found, CLAUSE, language, fake("signals")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_which_call_dies_of_what_threads_did_depends_on_chance(
    signals: SessionPool, registry: Registry, fake: Fake, show: Show, language: str
) -> None:
    """After threads have met, a death in any call of the last one's function counts."""
    load, values = "hsa_signal_load_relaxed", {"signal": 0, "value": -8}
    with signals.session(initialised=True) as session:
        made: dict[str, int | Out | Data | Callback]
        made = {"initial_value": -7, "num_consumers": 0, "consumers": 0, "signal": Out()}
        handle = session.call("hsa_signal_create", **made)["signal"]
        session.call(load, signal=handle)
        session.start("hsa_signal_or_relaxed", {**values, "signal": handle}, Repeat(64, 1))
        session.join()
        for _ in range(3):
            session.call(load, signal=handle)
        found = recorded(session, Survives(), status=None)
    plan = plan_for(CLAUSE, found, registry)
    assert (6, 8) == (plan.deadly.number, plan.last.number)
    assert plan.where.startswith(f"in step 6 or later, as {load}(")
    assert ABSENT == show(found, CLAUSE, language, fake("signals")).status
    crashes = fake("signals", FAKE_CRASHES=1)
    assert CANNOT_TELL == show(found, CLAUSE, language, crashes).status
    steps = tuple(step for number, step in enumerate(found.steps, 1) if number != 3)
    assert PRESENT == show(replace(found, steps=steps), CLAUSE, language, crashes).status


HOST = "hsa_ven_amd_loader_query_host_address"


@pytest.fixture(scope="module")
def loader(fake: Fake, registry: Registry) -> Iterator[SessionPool]:
    """A session pool over a fake with functions that have no symbol."""
    with sessions_of(fake("loader"), registry) as pool:
        yield pool


def block_of(session: Session) -> int:
    fixtures = Fixtures(session, lambda _: 1)
    return allocate_block(fixtures, known_pools(fixtures, lambda p: p.allocatable)[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_through_a_table(loader: SessionPool, fake: Fake, show: Show, language: str) -> None:
    """The program asks for the table and calls its member, for what is right and what dies."""
    with loader.session(initialised=True, fresh=True) as session:
        address = block_of(session)
        known = session.call(HOST, device_address=address, host_address=Out())
        assert address == known["host_address"]
        session.call(HOST, device_address=session.place(b"no block"), host_address=Out())
        found = recorded(session, Answers(("HSA_STATUS_ERROR_INVALID_ARGUMENT",)), status=0)
        dead = recorded(session, Survives(), status=None)
    assert ABSENT == show(found, CLAUSE, language, fake("loader")).status
    said = show(found, CLAUSE, language, fake("loader", FAKE_ANY_ADDRESS=1))
    assert PRESENT == said.status
    assert f"{HOST} answered HSA_STATUS_SUCCESS instead of" in said.line
    assert ABSENT == show(dead, CLAUSE, language, fake("loader")).status
    said = show(dead, CLAUSE, language, fake("loader", FAKE_CRASHES=1))
    assert (CANNOT_TELL, "before the last step") == (said.status, said.line.rpartition(", ")[2])
    for without, words in (
        ("FAKE_NO_LOADER", "answered HSA_STATUS_ERROR_INVALID_ARGUMENT, and not"),
        ("FAKE_NO_ADDRESS", "read 0, unlike recorded"),
    ):
        said = show(found, CLAUSE, language, fake("loader", **{without: 1}))
        assert (CANNOT_TELL, True) == (said.status, words in said.line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_callback_through_a_table(
    loader: SessionPool, fake: Fake, show: Show, language: str
) -> None:
    """A callback's status ends the traversal, and becomes its answer."""
    callback = Callback("hsa_ven_amd_loader_executable_callback", (1,))
    with loader.session(initialised=True, fresh=True) as session:
        session.call("hsa_ven_amd_loader_iterate_executables", callback=callback, data=0)
        for status, expected in ((BREAK, ABSENT), (SUCCESS, PRESENT)):
            found = recorded(session, Answers((status,)), status=0x1000)
            assert expected == show(found, CLAUSE, language, fake("loader")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_through_a_table_in_a_thread(
    loader: SessionPool, fake: Fake, show: Show, language: str
) -> None:
    """The thread keeps the address beside the arguments, and its output is used later."""
    with loader.session(initialised=True, fresh=True) as session:
        session.start(HOST, {"device_address": block_of(session) + 8, "host_address": Out()})
        same = session.join()["host_address"]
        session.call(HOST, device_address=same - 8, host_address=Out())
        for statuses, expected in (((SUCCESS,), ABSENT), ((BREAK,), PRESENT)):
            found = recorded(session, Answers(statuses), status=0x1000)
            assert expected == show(found, CLAUSE, language, fake("loader")).status


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_function_of_a_table_lists_is_counted_anew(
    loader: SessionPool, fake: Fake, show: Show, language: str
) -> None:
    with loader.session(initialised=True, fresh=True) as session:
        callback = Callback("hsa_ven_amd_loader_executable_callback")
        listed = session.call(OF_EXECUTABLES, callback=callback, data=0).callbacks
        found = [handle for handle, _ in listed]
        assert as_many(session, found, len(found)) is None
        more = as_many(session, found, len(found) + 1)
        fewer = as_many(session, [*found, 5], len(found))
        for demand, expected in ((more, PRESENT), (fewer, ABSENT)):
            assert demand is not None
            failure = recorded(session, demand, status=0)
            assert expected == show(failure, CLAUSE, language, fake("loader")).status
