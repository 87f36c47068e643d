"""Which tests of the device notice that an instruction is executed wrongly."""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from types import FrameType
from typing import Any

from hsa_device import decoder, read_code_object
from hsa_device.decoding import LONGEST, read_instruction
from hsa_device.isa.rdna3.names import NAMES as RENAMED
from hsa_device.listing import wave_of
from hsa_device.targets import Family
from tests.rocr.device import (
    test_device_atomics,
    test_device_golden,
    test_device_images,
    test_device_kernels,
    test_device_manual,
    test_device_memory,
    test_device_rdna3,
)
from tests.rocr.device.device_places import NAMES
from tests.rocr.device.device_waves import WHOLE
from tests.rocr.device.manual_compare import COMPARE
from tests.rocr.device.manual_scalar import SCALAR, SCALAR_COMPARE
from tests.rocr.device.manual_vector import VECTOR

Check = Callable[[], None]
_MASKS = (WHOLE, 0xAAAA5555AAAA5555)
_LIMIT = 30  # seconds of a check; one that takes longer has noticed something
#: These wait, for the host or for time to pass.
_SLOW = frozenset(
    (
        "test_a_kernel_may_wait_for_the_host",
        "test_an_endless_kernel_can_be_stopped",
        "test_a_huge_grid_takes_bounded_memory",
    )
)


def noticed(name: str, codes: Sequence[bytes], family: Family = Family.CDNA) -> bool:
    """Return whether a test fails; the cheap ones come first.

    Args:
        name: of the instruction that is executed wrongly.
        codes: code objects of `kernels.c`.
        family: whose instruction it is.

    """
    return any(_fails(check) for check in _checks(name, codes, family))


def used(codes: Sequence[bytes]) -> Mapping[bytes, frozenset[str]]:
    """Return the names of the instructions in code objects."""
    return {content: _set_of_names(content) for content in codes}


@cache
def _set_of_names(content: bytes) -> frozenset[str]:
    return frozenset(_names(content))


def _names(content: bytes) -> Iterator[str]:
    code = read_code_object(content)
    for name, (address, size) in code.functions.items():
        found = decoder(code.processor, wave_of(code, name))
        at = address
        while at < address + size:
            instruction = found.decode(code.read(at, min(LONGEST, address + size - at)))
            at += instruction.size if instruction else 4
            if instruction:
                yield from (part.name for part in instruction.parts)


def _checks(name: str, codes: Sequence[bytes], family: Family) -> Iterator[Check]:
    yield from _by_manual(_OF_MI200.get(name, name), family)
    for case in test_device_golden.CASES:
        if case["family"] is family and name in names_in(case["do"]):
            if "expect" in case:
                yield partial(test_device_golden.test_a_golden_case, case)
            if case in test_device_golden.CASES_OF_ALL_LANES:
                yield partial(_IDLE, case)
    if family is Family.CDNA:
        yield from _by_memory(name)
    else:
        for case in test_device_rdna3.CASES:
            if name in names_in(test_device_rdna3.text_of(case)):
                yield partial(_HALVES, case)
                if case in test_device_golden.CASES_OF_ALL_LANES:
                    yield partial(_IDLE_HALVES, case)
    for content, names in used(codes).items():
        if name in names:
            yield from _kernels(content)


def names_in(text: str) -> Sequence[str]:
    """Return the names of the instructions in a text."""
    return [part.name for part in read_instruction(text, 8).parts]


_OF_MI200 = {name: before for before, name in RENAMED.items()}
_HALVES = test_device_rdna3.test_numbers_of_16_bits_are_halves_of_registers
_IDLE_HALVES = test_device_rdna3.test_lanes_that_are_not_active_keep_both_halves
_IDLE = test_device_golden.test_lanes_that_are_not_active_keep_what_they_have


def _by_manual(name: str, family: Family) -> Iterator[Check]:
    compared = name.replace("v_cmpx_", "v_cmp_")
    for exec_mask in _MASKS:
        if name in VECTOR:
            yield partial(test_device_manual.test_vector_instructions, name, exec_mask, family)
        if compared in COMPARE:
            yield partial(test_device_manual.test_vector_comparisons, compared, exec_mask, family)
    if name in SCALAR:
        yield partial(test_device_manual.test_scalar_instructions, name, family)
    if name in SCALAR_COMPARE:
        yield partial(test_device_manual.test_scalar_comparisons, name, family)


def _by_memory(name: str) -> Iterator[Check]:
    if name.startswith("image_") or "_format_" in name:
        modules = [test_device_images]
    elif name in NAMES or name.startswith(("s_load", "s_mem")):
        modules = [test_device_memory, test_device_atomics]
    else:
        return
    for function_name, function in [each for m in modules for each in vars(m).items()]:
        if function_name.startswith("test_"):
            for arguments in _parameters(function, needs=0):
                if arguments.get("name", name) == name:
                    yield partial(function, **arguments)


def _kernels(content: bytes) -> Iterator[Check]:
    for function_name, function in vars(test_device_kernels).items():
        if function_name.startswith("test_") and function_name not in _SLOW:
            for arguments in _parameters(function, needs=1):
                yield partial(function, content, **arguments)


def _parameters(function: Any, needs: int) -> Sequence[Mapping[str, Any]]:
    """Return what a test is called with, beside so many arguments that pytest does not draw."""
    found: list[Mapping[str, Any]] = [{}]
    for mark in (m for m in getattr(function, "pytestmark", []) if m.name == "parametrize"):
        names, values = mark.args
        keys = (names,) if isinstance(names, str) else names
        rows = [(value,) if isinstance(names, str) else value for value in values]
        found = [{**f, **dict(zip(keys, row, strict=True))} for f in found for row in rows]
    complete = len(inspect.signature(function).parameters) == len(found[0]) + needs
    return found if complete else []


def _fails(check: Check) -> bool:
    try:
        with _limited():
            check()
    except BaseException as error:  # pytest's own outcomes are no exceptions
        if isinstance(error, KeyboardInterrupt):
            raise
        return type(error).__name__ != "Skipped"
    return False


@contextmanager
def _limited() -> Iterator[None]:
    def expire(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(_LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
