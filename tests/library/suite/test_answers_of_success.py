"""Effects of calls that answer SUCCESS, and that no text but what a library does speaks of."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

import pytest

from hsa_adapters import InProcessAdapter
from hsa_reference import Runtime, load_machine
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.wrong.inside import results

Function = Callable[..., int | None]

SET = "hsa_amd_pointer_info_set_userdata"
TEXT = "hsa_status_string"
COPY = "hsa_amd_memory_async_copy"
RECT = "hsa_amd_memory_async_copy_rect"
REGISTER = "hsa_amd_register_deallocation_callback"
SUCCESS, CPU = 0, 0
TO_DEVICE, HOST_TO_HOST = 1, 0


def _set_once(functions: Mapping[str, Function], _: Registry) -> Function:
    """Return a function that leaves the second pointer of a block out."""
    seen: set[int] = set()

    def set_userdata(ptr: int, userdata: int) -> int | None:
        if ptr in seen:
            return SUCCESS
        status = functions[SET](ptr, userdata)
        if status == SUCCESS:
            seen.add(ptr)
        return status

    return set_userdata


def _neighbours_text(functions: Mapping[str, Function], registry: Registry) -> Function:
    """Return a function that describes one status as the next one."""
    wrong = registry.status("HSA_STATUS_ERROR_INVALID_AGENT")
    text = ctypes.create_string_buffer(b"HSA_STATUS_ERROR_INVALID_REGION: it is invalid")

    def status_string(status: int, place: int) -> int | None:
        answer = functions[TEXT](status, place)
        if status == wrong and answer == SUCCESS:
            ctypes.c_uint64.from_address(place).value = ctypes.addressof(text)
        return answer

    return status_string


def _copies_nothing(functions: Mapping[str, Function], _: Registry) -> Function:
    """Return a function that leaves out copies from a host to itself, but for their signals."""

    def async_copy(dst: int, to: int, src: int, of: int, size: int, *rest: int) -> int | None:
        source = dst if to == of and _device(functions, to) == CPU else src
        return functions[COPY](dst, to, source, of, size, *rest)

    return async_copy


def _copies_no_box(functions: Mapping[str, Function], _: Registry) -> Function:
    """Return a function that succeeds and copies nothing where others refuse: on the host."""

    def copy(dst: int, to: int, src: int, of: int, *rest: int) -> int | None:
        extent, agent, direction, *more = rest
        if direction == HOST_TO_HOST:
            return functions[RECT](dst, to, dst, to, extent, agent, TO_DEVICE, *more)
        return functions[RECT](dst, to, src, of, *rest)

    return copy


def _registers_one(functions: Mapping[str, Function], _: Registry) -> Function:
    """Return a function that succeeds and forgets the second function of a block."""
    seen: set[int] = set()

    def register(ptr: int, callback: int, data: int) -> int | None:
        if ptr in seen:
            return SUCCESS
        status = functions[REGISTER](ptr, callback, data)
        if status == SUCCESS:
            seen.add(ptr)
        return status

    return register


def _device(functions: Mapping[str, Function], agent: int) -> int:
    device = ctypes.c_uint32(1)
    functions["hsa_agent_get_info"](agent, 17, ctypes.addressof(device))
    return device.value


@pytest.mark.parametrize(
    ("function", "wrong", "clause", "verdict"),
    [
        (SET, _set_once, f"{SET}/reads-back", Verdict.FAIL),
        (TEXT, _neighbours_text, f"{TEXT}/says-something", Verdict.WARN),
        (COPY, _copies_nothing, f"{COPY}/copied", Verdict.FAIL),
        (RECT, _copies_no_box, f"{RECT}/box-copied", Verdict.FAIL),
        (REGISTER, _registers_one, f"{REGISTER}/called", Verdict.FAIL),
    ],
)
def test_an_effect_that_a_success_lacks_is_a_failure(
    registry: Registry,
    function: str,
    wrong: Callable[[Mapping[str, Function], Registry], Function],
    clause: str,
    verdict: Verdict,
) -> None:
    """That the text leaves the same open in other words does not excuse it."""
    machine = load_machine("two_gpus", registry)

    def made() -> Mapping[str, Function]:
        functions: dict[str, Function] = {**Runtime(machine, registry).functions()}
        return {**functions, function: wrong(functions, registry)}

    found = results(InProcessAdapter("fake", made, registry), registry, clause)
    assert verdict in {result.verdict for result in found}, [(r.verdict, r.reason) for r in found]
