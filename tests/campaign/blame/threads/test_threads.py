"""Calls of several threads: what they do to each other is found, and nothing else is."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Sequence
from typing import cast

import pytest

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.threads.histories import Histories, asks, said
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.engine.session.threads.linear import explained
from hsa_conformance.engine.session.threads.repetition import Rate, measured
from hsa_conformance.engine.session.threads.together import Event
from hsa_conformance.runs.turns import FIRST_CLAUSES, Turns
from hsa_conformance.selection.durations import REFERENCE, ROCR, durations
from hsa_conformance.topics import TOPICS
from hsa_reference import memory
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, mistaken, verdicts
from tests.wrong.inside import results, running

CREATE, ASK = "hsa_signal_create", "hsa_system_get_info"
DESTROY = "hsa_signal_destroy"
ADD, INIT = "hsa_signal_add_relaxed", "hsa_init"
START = "hsa_ven_amd_aqlprofile_start"
REGISTER = "hsa_amd_register_system_event_handler"
RANGE = "hsa_memory_register"
WAIT = "hsa_signal_wait_relaxed"
REGISTER_HANDLER, LATER = "hsa_amd_signal_async_handler", "hsa_amd_async_function"
EXECUTABLE = "hsa_executable_create_alt"
TRAVERSE = "hsa_ven_amd_loader_iterate_executables"
REGIONS = "hsa_agent_iterate_regions"
HANDLER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_int64, ctypes.c_uint64)
FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_uint64)
VISITOR = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)
ERROR, INVALID_ARGUMENT, ENDIANNESS = 0x1000, 0x1001, 5


def refuses_in_a_crowd(name: str) -> Mistake:
    """Refuse a call while another one is under way."""

    def mistake(f: Functions) -> dict[str, Function]:
        inside: list[int] = []

        def wrong(*arguments: int) -> int:
            inside.append(0)
            crowded = len(inside) > 1
            status = f[name](*arguments)
            crowded = crowded or len(inside) > 1
            inside.pop()
            return ERROR if crowded else status

        return {name: wrong}

    return mistake


def first_use_unguarded(f: Functions) -> dict[str, Function]:
    """Answer a question from a table that the first question makes."""
    made: list[bool] = []
    met = threading.Event()

    def wrong(attribute: int, value: int) -> int:
        if not made:
            made.append(True)
            met.wait(0.05)  # for another thread, however busy the machine is; one alone goes on
            status = f[ASK](attribute, value)
            made.append(True)
            return status
        if len(made) == 1:
            met.set()
            memory.store(value, 0x7F, 1)
            return 0
        return f[ASK](attribute, value)

    return {ASK: wrong}


def one_object_for_two(f: Functions) -> dict[str, Function]:
    """Give two calls that meet the same object."""
    last: list[int] = []
    inside: list[int] = []

    def wrong(*arguments: int) -> int:
        inside.append(0)
        status = f[CREATE](*arguments)
        if len(inside) > 1 and last:
            memory.store(arguments[-1], last[-1], 8)
        else:
            last.append(memory.load(arguments[-1], 8))
        inside.pop()
        return status

    return {CREATE: wrong}


def keeps_the_attribute(f: Functions) -> dict[str, Function]:
    """Keep what is asked where all threads see it, between the look at it and the answer."""
    kept: list[int] = [0]

    def wrong(attribute: int, value: int) -> int:
        kept[0] = attribute
        time.sleep(0.0001)
        return f[ASK](kept[0], value)

    return {ASK: wrong}


def keeps_the_data(f: Functions) -> dict[str, Function]:
    """Keep the data of a callback where all threads see it."""
    kept: list[int] = [0]

    def wrong(agent: int, callback: int, data: int) -> int:
        kept[0] = data
        time.sleep(0.0001)
        return f[REGIONS](agent, callback, kept[0])

    return {REGIONS: wrong}


def unguarded_in_one_attribute(f: Functions) -> dict[str, Function]:
    """Refuse an attribute while another call is the first one to ask for it."""
    under_way: list[int] = []

    def wrong(attribute: int, value: int) -> int:
        if attribute != ENDIANNESS or len(under_way) > 1:
            return f[ASK](attribute, value)
        under_way.append(0)
        if len(under_way) > 1:
            return ERROR
        time.sleep(0.001)
        status = f[ASK](attribute, value)
        under_way.append(0)
        return status

    return {ASK: wrong}


def adds_in_two_steps(f: Functions) -> dict[str, Function]:
    """Load a value, and store the sum."""

    def wrong(signal: int, operand: int) -> int:
        value = f["hsa_signal_load_relaxed"](signal)
        total = value + operand
        f["hsa_signal_store_relaxed"](signal, (total + 2**63) % 2**64 - 2**63)
        return 0

    return {ADD: wrong}


def gives_again_what_was_given_back(f: Functions) -> dict[str, Function]:
    """Create a signal where one was destroyed last, if there is such a place."""
    free: list[int] = []

    def create(initial: int, *rest: int) -> int:
        try:
            signal = free.pop()
        except IndexError:
            return f[CREATE](initial, *rest)
        f["hsa_signal_store_relaxed"](signal, initial)
        memory.store(rest[-1], signal, 8)
        return 0

    def destroy(signal: int) -> int:
        free.append(signal)
        time.sleep(0.001)  # the place is used again before this call ends
        return 0

    return {CREATE: create, DESTROY: destroy}


def registers_in_a_crowd(f: Functions) -> dict[str, Function]:
    """Take the handlers of all calls that meet, where there can be one."""
    inside: list[int] = []

    def wrong(*arguments: int) -> int:
        inside.append(0)
        status = f[REGISTER](*arguments)
        crowded = len(inside) > 1
        inside.pop()
        return 0 if crowded else status

    return {REGISTER: wrong}


def registers_in_two_steps(f: Functions) -> dict[str, Function]:
    """Look which ranges there are, and then say which there are with one more."""
    ranges: list[list[tuple[int, ...]]] = [[]]

    def register(*arguments: int) -> int:
        there = ranges[0]
        for _ in range(3):
            there = list(there)
        ranges[0] = [*there, arguments]
        return f[RANGE](*arguments)

    def deregister(*arguments: int) -> int:
        known = arguments in ranges[0]
        ranges[0] = [each for each in ranges[0] if each != arguments]
        status = f["hsa_memory_deregister"](*arguments)
        return status if known or not all(arguments) else INVALID_ARGUMENT

    return {RANGE: register, "hsa_memory_deregister": deregister}


def refuses_every_second(f: Functions) -> dict[str, Function]:
    """Refuse every second call, whichever thread makes it."""
    calls: list[int] = []

    def wrong(*arguments: int) -> int:
        calls.append(0)
        return ERROR if len(calls) % 2 == 0 else f[ASK](*arguments)

    return {ASK: wrong}


def refuses_while_a_thread_waits(f: Functions) -> dict[str, Function]:
    """Refuse to destroy a signal while a thread waits for another one."""
    waiting: list[int] = []

    def wait(*arguments: int) -> int:
        waiting.append(0)
        value = f[WAIT](*arguments)
        waiting.pop()
        return value

    def destroy(signal: int) -> int:
        return ERROR if waiting else f[DESTROY](signal)

    return {WAIT: wait, DESTROY: destroy}


def calls_handlers_with_a_lock(name: str) -> Mistake:
    """Call handlers with a lock held that a function takes."""

    def mistake(f: Functions) -> dict[str, Function]:
        lock = threading.Lock()
        kept: list[object] = []  # C functions, which handlers are called through

        def register(signal: int, condition: int, value: int, handler: int, argument: int) -> int:
            def locked(found: int, data: int) -> bool:
                with lock:
                    return bool(HANDLER(handler)(found, data))

            kept.append(HANDLER(locked))
            through = ctypes.cast(kept[-1], ctypes.c_void_p).value or 0  # type: ignore[arg-type]
            return f[REGISTER_HANDLER](signal, condition, value, through, argument)

        def wrong(*arguments: int) -> int:
            if not lock.acquire(timeout=0.05):
                raise TimeoutError
            try:
                return f[name](*arguments)
            finally:
                lock.release()

        return {REGISTER_HANDLER: register, name: wrong}

    return mistake


def calls_handlers_anywhere(f: Functions) -> dict[str, Function]:
    """Call each handler on a thread of its own."""

    def register(signal: int, condition: int, value: int, handler: int, argument: int) -> int:
        def call_once_met() -> None:
            found = f[WAIT](signal, condition, value, 2**64 - 1, 0)
            HANDLER(handler)(found, argument)

        threading.Thread(target=call_once_met, daemon=True).start()
        return 0

    def later(callback: int, argument: int) -> int:
        thread = threading.Thread(target=FUNCTION(callback), args=(argument,), daemon=True)
        thread.start()
        return 0

    return {REGISTER_HANDLER: register, LATER: later}


def lets_executables_go(f: Functions) -> dict[str, Function]:
    """Keep nobody from creating or destroying an executable during a traversal."""
    known: list[int] = []

    def create(*arguments: int) -> int:
        status = f[EXECUTABLE](*arguments)
        known.append(memory.load(arguments[-1], 8))
        return status

    def traverse(callback: int, data: int) -> int:
        return max([VISITOR(callback)(handle, data) for handle in known], default=0)

    return {EXECUTABLE: create, TRAVERSE: traverse}


@pytest.fixture
def judged(registry: Registry) -> Callable[[str, Mistake], Result]:
    """Return what judges a clause about threads on a reference with a mistake."""

    def judge(function: str, mistake: Mistake) -> Result:
        adapter = mistaken(registry, mistake)
        return results(adapter, registry, f"{function}/threads", settings=Settings(seed=1))[0]

    return judge


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (CREATE, refuses_in_a_crowd(CREATE)),
        (INIT, refuses_in_a_crowd(INIT)),
        (REGISTER, registers_in_a_crowd),
        (RANGE, registers_in_two_steps),
        (CREATE, one_object_for_two),
        (ASK, first_use_unguarded),
        (ASK, keeps_the_attribute),
        (REGIONS, keeps_the_data),
        (ASK, unguarded_in_one_attribute),
        (ADD, adds_in_two_steps),
    ],
)
def test_what_threads_alone_show_is_found(
    judged: Callable[[str, Mistake], Result], function: str, mistake: Mistake
) -> None:
    """It is told how often it shows, and that it does not when one thread makes the calls."""
    found = judged(function, mistake)
    assert (f"{function}/threads", "WARN") == (found.clause, found.verdict), found.reason
    assert "of 10 repetitions, and never when one thread makes the calls" in (found.reason or "")


@pytest.mark.parametrize(
    "function", [CREATE, INIT, ASK, ADD, "hsa_shut_down", START, REGISTER, RANGE]
)
def test_who_can_cope_is_accused_of_nothing(
    judged: Callable[[str, Mistake], Result], function: str
) -> None:
    """How many calls overlapped is told."""
    found = judged(function, honest)
    assert "PASS" == found.verdict
    assert "calls overlapped with those of other threads" in (found.reason or "")


def test_who_uses_a_place_again_at_once_is_accused_of_nothing(registry: Registry) -> None:
    """One thread creates what another is about to destroy: the handle may be the same."""
    adapter = mistaken(registry, gives_again_what_was_given_back)
    wanted: dict[str, Value] = {
        "initial_value": 0,
        "num_consumers": 0,
        "consumers": 0,
        "signal": Out(),
    }
    with (
        running(adapter, registry, Settings(seed=1)) as runner,
        runner.pool.session(initialised=True, fresh=True) as session,
    ):
        histories = Histories(session, registry.clauses[f"{DESTROY}/threads"], runner.judge)
        for _ in range(10):
            signal = session.set_up(CREATE, **wanted)["signal"]
            histories.add([[(DESTROY, {"signal": signal})], [(CREATE, wanted)]])
        assert not session.model.objects["signal"]


def test_whom_a_wait_keeps_from_calling_is_found(registry: Registry) -> None:
    """Each kind of object is made and given back while a thread waits."""
    right, wrong = (
        results(mistaken(registry, m), registry, f"{WAIT}/threads", settings=Settings(seed=1))
        for m in (honest, refuses_while_a_thread_waits)
    )
    assert {Verdict.PASS} == {result.verdict for result in right}
    failing = f"{DESTROY} fails while a thread waits, with object=signal"
    assert failing in {result.reason for result in wrong}


def test_what_one_thread_shows_as_well_is_no_matter_of_threads(
    judged: Callable[[str, Mistake], Result],
) -> None:
    """Other clauses find it."""
    found = judged(ASK, refuses_every_second)
    assert "VACUOUS" == found.verdict
    assert "goes wrong in one thread as well" in (found.reason or "")


def test_a_call_of_which_words_say_when_it_is_right_is_not_made(
    judged: Callable[[str, Mistake], Result],
) -> None:
    """Nobody knows whether the GPU has a counter that was drawn."""
    found = judged("hsa_ven_amd_aqlprofile_iterate_event_coord", honest)
    assert "UNTESTED" == found.verdict
    assert "a right call takes more than its conditions say" == found.reason


def test_what_tells_of_a_state_is_not_compared_with_one_thread(registry: Registry) -> None:
    """A call of another thread may have made the last error, and a name may be a new one."""
    functions = registry.functions
    assert not asks(functions["hsa_ven_amd_aqlprofile_error_string"])
    assert not asks(functions["hsa_amd_ipc_memory_create"])
    assert asks(functions["hsa_status_string"])
    assert asks(functions["hsa_isa_compatible"])


def test_what_a_callback_is_handed_by_its_address_is_not_compared(registry: Registry) -> None:
    """It may lie on the stack of whichever thread calls; numbers and the caller's data do not."""
    iterate = registry.functions["hsa_ven_amd_aqlprofile_iterate_data"]
    one, elsewhere, another = (
        said(Answer(iterate, 0, "HSA_STATUS_SUCCESS", {}, {}, ((2, address, data),), {}), registry)
        for address, data in ((0x7000, 5), (0x8000, 5), (0x7000, 6))
    )
    assert one == elsewhere != another


def event(lane: int, began: int, ended: int, before: int, add: int) -> Event:
    """Return an addition that returned what was there before."""
    answer = cast("Answer", type("Added", (), {"status": before, "args": {"value": add}})())
    return Event(lane, {}, (), answer, began, ended)


@pytest.mark.parametrize(
    ("events", "end", "holds"),
    [
        ([event(0, 0, 9, 0, 1), event(1, 1, 8, 1, 2)], 3, True),
        ([event(0, 0, 9, 2, 1), event(1, 1, 8, 0, 2)], 3, True),
        ([event(0, 0, 9, 0, 1), event(1, 1, 8, 0, 2)], 3, False),
        ([event(0, 0, 1, 2, 1), event(1, 2, 3, 0, 2)], 3, False),  # the first had ended before
        ([event(0, 0, 9, 0, 1), event(1, 1, 8, 1, 2)], 4, False),
    ],
)
def test_an_order_explains_what_calls_return(
    events: Sequence[Event], end: int, holds: bool
) -> None:
    """Calls that overlap may have come in either order, others only in theirs."""

    def step(number: int, event: Event) -> Sequence[int]:
        return [number + event.answer.args["value"]] if event.answer.status == number else []

    assert holds is explained(events, 0, step, lambda number: number == end)


def test_a_rate_is_that_of_all_repetitions() -> None:
    """What takes long each time is believed the second time."""
    shown = iter([False, True, False, True])
    assert Rate(3, 5) == measured(lambda: next(shown), 4, costly=lambda: False)
    assert Rate(2, 2) == measured(lambda: True, 4, costly=lambda: True)


def test_clauses_about_threads_come_last(registry: Registry) -> None:
    """The others keep their order, as long as they are few."""
    ids = ["hsa_init/threads", "hsa_init/success", "hsa_shut_down/success"]
    ordered = Turns(TOPICS, None).in_order([registry.clauses[each] for each in ids], ROCR)
    assert [*ids[1:], ids[0]] == [clause.id for clause in ordered]


def test_what_takes_long_is_not_left_for_the_end(registry: Registry) -> None:
    """A few verdicts come soon, and threads of Python wait for nobody."""
    clauses = [*registry.clauses.values()]
    known = durations(REFERENCE)
    ordered = Turns(TOPICS, None).in_order(clauses, REFERENCE)
    assert {c.id for c in clauses} == {c.id for c in ordered}
    assert clauses[:FIRST_CLAUSES] == ordered[:FIRST_CLAUSES]
    times = [known[c.id].whole for c in ordered[FIRST_CLAUSES:] if c.id in known]
    assert sorted(times, reverse=True) == times


def test_whom_a_handler_keeps_from_calling_is_found(registry: Registry) -> None:
    """Each kind of object is made and given back while a handler runs."""
    clause = registry.clauses[f"{REGISTER_HANDLER}/others-go-on"]
    assert {Verdict.PASS} == verdicts(registry, honest, clause.id)
    for name in (CREATE, DESTROY):
        adapter = mistaken(registry, calls_handlers_with_a_lock(name))
        judged = results(adapter, registry, clause.id, settings=Settings(seed=1))
        found = {result.reason for result in judged}
        failing = f"{name} does not come back while a handler runs"
        assert any(reason and reason.startswith(failing) for reason in found), found


@pytest.mark.parametrize(
    ("clause", "mistake"),
    [
        (f"{REGISTER_HANDLER}/serial", calls_handlers_anywhere),
        (f"{LATER}/like-a-handler", calls_handlers_anywhere),
        (f"{TRAVERSE}/others-wait", lets_executables_go),
    ],
)
def test_what_has_to_wait_for_a_callback_is_seen_not_to(
    registry: Registry, clause: str, mistake: Mistake
) -> None:
    """A callback that waits shows it, whatever the machine's load; the honest one passes."""
    assert {Verdict.PASS} == verdicts(registry, honest, clause)
    assert Verdict.FAIL in verdicts(registry, mistake, clause)
