"""Machine code that processes of the worker execute is what binutils make of its text."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile

from hsa_adapters.worker.ends import crash
from hsa_adapters.worker.threads import litmus, repetition, together
from tests.library.tables.from_c import constants, values

if platform.machine() != "x86_64":
    pytest.skip("the code is for x86-64", allow_module_level=True)

SOURCES = Path(__file__).parent / "machine_code"
#: An address, as large as any, so that nothing of it can be left out.
PLACE = 0x1122334455667788


@pytest.fixture
def assembled(tmp_path: Path) -> Callable[..., bytes]:
    """Return a function that assembles a source, for numbers that it names."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")

    def assembled(name: str, numbers: Mapping[str, int]) -> bytes:
        text, target = tmp_path / "code.S", tmp_path / "code.o"
        text.write_text(f".intel_syntax noprefix\n{(SOURCES / name).read_text()}")
        options = [f"-D{key}={number}" for key, number in numbers.items()]
        subprocess.run([compiler, "-c", *options, "-o", target, text], check=True)
        with target.open("rb") as file:
            elf: Any = ELFFile(file)
            code: bytes = elf.get_section_by_name(".text").data()
            return code

    return assembled


def offsets(prefix: str, structure: type[ctypes.Structure]) -> dict[str, int]:
    """Return the offsets of the members of a structure, by names that a source has for them."""
    return {f"{prefix}_{name}": getattr(structure, name).offset for name, *_ in structure._fields_}


def test_the_handler(assembled: Callable[..., bytes]) -> None:
    ours = {
        "offsetof(siginfo_t, si_addr)": "SI_ADDR",
        "offsetof(ucontext_t, uc_mcontext.gregs)": "GREGS",
        "REG_RSP": "RSP",
    }
    found = constants(["signal.h", "ucontext.h"], [*ours])
    numbers = {
        **dict(zip(ours.values(), found, strict=True)),
        "REGISTERS": len(crash._REGISTERS),
        "OWN_STACK": crash._OWN_STACK,
        "STACK": crash._STACK,
        "DEFAULT": crash._DEFAULT,
        "FILE": crash._FILE,
    }
    code = assembled("handler.S", numbers)
    assert crash._HANDLER.ljust(crash._FILE + 8, b"\0") == code
    assert crash._STACK >= crash._HEAD.size


def test_the_handler_s_structures() -> None:
    registers = {f"REG_{name.upper()}": place for place, name in enumerate(crash._REGISTERS)}
    assert registers == values(["ucontext.h"], registers)
    action, stack = crash._Action, crash._Stack
    expected = {
        "SA_ONSTACK": crash._ON_STACK,
        "SA_SIGINFO": crash._WITH_DETAILS,
        "offsetof(struct sigaction, sa_sigaction)": action.handler.offset,
        "offsetof(struct sigaction, sa_mask)": action.mask.offset,
        "offsetof(struct sigaction, sa_flags)": action.flags.offset,
        "offsetof(struct sigaction, sa_restorer)": action.restorer.offset,
        "sizeof(struct sigaction)": ctypes.sizeof(action),
        "offsetof(stack_t, ss_sp)": stack.start.offset,
        "offsetof(stack_t, ss_flags)": stack.flags.offset,
        "offsetof(stack_t, ss_size)": stack.size.offset,
        "sizeof(stack_t)": ctypes.sizeof(stack),
    }
    assert expected == values(["signal.h"], expected)


def test_threads_that_call_together(assembled: Callable[..., bytes]) -> None:
    numbers = {
        **offsets("GATE", together._Gate),
        **offsets("LANE", together._Lane),
        **offsets("CALL", together._Call),
        "CALL": ctypes.sizeof(together._Call),
    }
    for header, names in (
        ("time.h", ["CLOCK_MONOTONIC"]),
        ("linux/futex.h", ["FUTEX_WAKE_PRIVATE", "FUTEX_WAIT_PRIVATE"]),
    ):
        numbers.update(zip(names, constants([header], names), strict=True))
    assert together._THREAD == assembled("thread.S", numbers)
    assert 16 == together._ARGUMENTS


def test_threads_that_wait_for_each_other(assembled: Callable[..., bytes]) -> None:
    assert together._MEET == assembled("meeting.S", {})


def test_one_function_again_and_again(assembled: Callable[..., bytes]) -> None:
    numbers = offsets("CONTROL", repetition._Control)
    assert repetition._LOOP == assembled("loop.S", numbers)


def test_litmus_tests(assembled: Callable[..., bytes]) -> None:
    function = ctypes.CDLL(None).getpid
    record, arrived, start, to, argument = range(PLACE, PLACE + 5)
    numbers = {
        "RECORD": record,
        "ARRIVED": arrived,
        "FROM": start,
        "TO": to,
        "ARGUMENT": argument,
        "THREADS": 0x12345678,
        "TIMES": 0x23456789,
        "DELAY": 0x3456789A,
        "FUNCTION": ctypes.cast(function, ctypes.c_void_p).value or 0,
    }
    arguments = [argument] * 6
    fixed, each = ([(place, (start, own)) for place in range(6)] for own in (False, True))
    moves: list[litmus.Move] = [
        ["fence"],
        ["delay", 0x3456789A],
        ["copy", (start, False), (to, True)],
        ["copy", (start, True), (to, False)],
        ["call", function, arguments, [], (to, False), 1],
        ["call", function, arguments, fixed, None, 2],
        ["call", function, arguments, each, None, 3],
    ]
    code = litmus._assembled(moves, 0x23456789, (arrived, 0x12345678), record)
    assert code == assembled("litmus.S", numbers)
