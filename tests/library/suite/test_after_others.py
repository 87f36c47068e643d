"""Mistakes that show after another call alone, be it refused, a second one, or an earlier one."""

from __future__ import annotations

import ctypes
import itertools

import pytest

from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.functions import SUCCESS, Function, Functions, Mistake, mistaken, verdicts
from tests.wrong.inside import results

NOT_INITIALIZED = 0x100B
ERROR = 0x1000
QUEUE_ID = 32  # where hsa_queue_t has it


def counts_refusals(f: Functions) -> dict[str, Function]:
    """Let each shut-down that is refused take the next start away."""
    owed = 0

    def shut_down() -> int:
        nonlocal owed
        status = f["hsa_shut_down"]()
        owed += status == NOT_INITIALIZED
        return status

    def init() -> int:
        nonlocal owed
        if owed:
            owed -= 1
            return SUCCESS
        return f["hsa_init"]()

    return {"hsa_shut_down": shut_down, "hsa_init": init}


def first_load_alone(f: Functions) -> dict[str, Function]:
    """Report no symbol of what is loaded into an executable that has code already."""
    function, loads = (
        "hsa_executable_iterate_agent_symbols",
        "hsa_executable_load_agent_code_object",
    )
    loaded, hidden = set[int](), set[int]()

    def symbols(executable: int, agent: int) -> set[int]:
        found: list[int] = []
        kind = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * 3, ctypes.c_void_p)

        def note(_executable: int, _agent: int, symbol: int, _data: int) -> int:
            found.append(symbol)
            return SUCCESS

        visit = kind(note)
        f[function](executable, agent, ctypes.cast(visit, ctypes.c_void_p).value or 0, 0)
        return set(found)

    def load(executable: int, agent: int, *rest: int) -> int:
        before = symbols(executable, agent)
        status = f[loads](executable, agent, *rest)
        if status == SUCCESS and executable in loaded:
            hidden.update(symbols(executable, agent) - before)
        loaded.add(executable)
        return status

    def visit(executable: int, agent: int, callback: int, data: int) -> int:
        kind = ctypes.CFUNCTYPE(ctypes.c_uint32, *[ctypes.c_uint64] * 3, ctypes.c_void_p)
        for symbol in symbols(executable, agent) - hidden:
            if status := int(kind(callback)(executable, agent, symbol, data)):
                return status
        return SUCCESS

    return {loads: load, function: visit}


def forgets_who_waits(f: Functions) -> dict[str, Function]:
    """Give no signal back of a prefetch that has the range and the agent of the last one."""
    function = "hsa_amd_svm_prefetch_async"
    last: tuple[int, ...] = ()

    def prefetch(address: int, size: int, agent: int, *rest: int) -> int:
        nonlocal last
        if (address, size, agent) == last:
            return SUCCESS
        status = f[function](address, size, agent, *rest)
        if status == SUCCESS:
            last = address, size, agent
        return status

    return {function: prefetch}


def counts_soft_queues_apart(f: Functions) -> dict[str, Function]:
    """Give the queues that the application processes ids of a counter of their own."""
    function, count = "hsa_soft_queue_create", itertools.count()

    def create(*arguments: int) -> int:
        status = f[function](*arguments)
        if status == SUCCESS:
            queue = ctypes.c_uint64.from_address(arguments[-1]).value
            ctypes.c_uint64.from_address(queue + QUEUE_ID).value = next(count)
        return status

    return {function: create}


def takes_handlers_for_repetitions(f: Functions) -> dict[str, Function]:
    """Register a handler once for a signal and an argument, and no more."""
    function, known = "hsa_amd_signal_async_handler", set[tuple[int, ...]]()

    def register(signal: int, condition: int, value: int, *handler: int) -> int:
        if (signal, *handler) in known:
            return SUCCESS
        status = f[function](signal, condition, value, *handler)
        if status == SUCCESS:
            known.add((signal, *handler))
        return status

    return {function: register}


def keeps_refused_names(f: Functions) -> dict[str, Function]:
    """Refuse a name for good that an executable did not have when it was asked first."""
    function, refused = "hsa_executable_get_symbol_by_name", dict[tuple[int, bytes], int]()

    def look_up(executable: int, name: int, *rest: int) -> int:
        if not name:
            return f[function](executable, name, *rest)
        key = executable, ctypes.string_at(name)
        status = refused.get(key) or f[function](executable, name, *rest)
        if status != SUCCESS:
            refused[key] = status
        return status

    return {function: look_up}


def takes_all_access(f: Functions) -> dict[str, Function]:
    """Answer that no agent has access to any mapping, once another one is gone."""
    unmap, ask = "hsa_amd_vmem_unmap", "hsa_amd_vmem_get_access"
    unmapped = False

    def gone(*arguments: int) -> int:
        nonlocal unmapped
        status = f[unmap](*arguments)
        unmapped = unmapped or status == SUCCESS
        return status

    def told(address: int, permissions: int, agent: int) -> int:
        status = f[ask](address, permissions, agent)
        if status == SUCCESS and unmapped:
            ctypes.c_uint32.from_address(permissions).value = 0
        return status

    return {unmap: gone, ask: told}


def handles_events_once(f: Functions) -> dict[str, Function]:
    """Register a handler of events for the first life of the runtime alone."""
    register, end = "hsa_amd_register_system_event_handler", "hsa_shut_down"
    ended = False

    def shut_down() -> int:
        nonlocal ended
        status = f[end]()
        ended = ended or status == SUCCESS
        return status

    def handle(callback: int, data: int) -> int:
        return SUCCESS if ended and callback else f[register](callback, data)

    return {register: handle, end: shut_down}


def remembers_handlers(f: Functions) -> dict[str, Function]:
    """Refuse a handler of events that an earlier life of the runtime had, with the same data."""
    register, known = "hsa_amd_register_system_event_handler", set[tuple[int, int]]()

    def handle(callback: int, data: int) -> int:
        status = ERROR if (callback, data) in known else f[register](callback, data)
        if status == SUCCESS:
            known.add((callback, data))
        return status

    return {register: handle}


@pytest.mark.parametrize(
    ("mistake", "clause"),
    [
        (counts_refusals, "hsa_init/starts-again"),
        (first_load_alone, "hsa_executable_iterate_agent_symbols/once-per-symbol"),
        (forgets_who_waits, "hsa_amd_svm_prefetch_async/completion"),
        (counts_soft_queues_apart, "hsa_soft_queue_create/id-unique"),
        (takes_handlers_for_repetitions, "hsa_amd_signal_async_handler/independent"),
        (keeps_refused_names, "hsa_executable_get_symbol_by_name/same-name"),
        (takes_all_access, "hsa_amd_vmem_unmap/others-stay"),
        (handles_events_once, "hsa_amd_register_system_event_handler/told-of-shutdown"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_it_is_blamed(registry: Registry, mistake: Mistake, clause: str) -> None:
    """Checks make what comes before: a refused call, a second code object, another life."""
    assert Verdict.FAIL in verdicts(registry, mistake, clause)


def test_a_refusal_before_an_effect_is_blamed_on_the_function(registry: Registry) -> None:
    """Its own check makes no such call: the handler is registered after a restart."""
    register = "hsa_amd_register_system_event_handler"
    wrong = mistaken(registry, remembers_handlers)
    found = results(wrong, registry, f"{register}/told-of-shutdown")
    assert {(f"{register}/success", Verdict.FAIL)} == {(r.clause, r.verdict) for r in found}
