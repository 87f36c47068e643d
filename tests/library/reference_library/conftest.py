"""A toy registry with a toy reference behind it, and C programs that call the library."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hsa_spec
from hsa_reference import implemented
from hsa_reference.library import Interpreter, build
from hsa_spec import Enum, Enumerator, Function, Parameter, Registry, Struct, Typedef, Versions

ERROR = 0x1000
FATAL = 0x1026

TOY_REFERENCE = '''
"""Functions that answer well, badly or not at all."""
import threading

class Runtime:
    def __init__(self, entries):
        self.calls = 0
        self.threads = set()
        self.lock = threading.Lock()

    def functions(self):
        return {
            "hsa_init": lambda: 0,
            "hsa_count": self.count,
            "hsa_threads": lambda: len(self.threads),
            "hsa_digits": lambda *digits: int("".join(map(str, digits))),
            "hsa_is": lambda *values: int(
                values == (2**64 - 1, 2**63, -1, 2**32 - 1, -(2**31), 7, 255, 1, 0)
            ),
            "hsa_raises": self.raises,
            "hsa_lines": self.lines,
            "hsa_exits": self.exits,
            "hsa_too_wide": lambda: 2**32,
            "hsa_negative": lambda: -1,
            "hsa_text": lambda: "0",
            "hsa_value": lambda value: -value,
            "hsa_index": lambda: 2**64 - 1,
            "hsa_store": lambda value: None,
            "hsa_value_raises": self.raises,
            "hsa_in_a_table": lambda: 0,
        }

    def count(self):
        with self.lock:
            self.calls += 1
            self.threads.add(threading.get_ident())
            return self.calls

    def raises(self):
        raise ValueError("no good")

    def lines(self):
        raise ValueError("first\\nsecond")

    def exits(self):
        raise SystemExit(0)
'''

TOY_FUNCTIONS = {
    "hsa_init": (),
    "hsa_count": (),
    "hsa_threads": (),
    "hsa_digits": ("uint32_t",) * 9,
    "hsa_is": (
        *("uint64_t", "const void*", "hsa_signal_value_t", "hsa_status_t"),
        *("int", "hsa_agent_t", "uint8_t", "bool", "callback:hsa_a_callback"),
    ),
    "hsa_raises": (),
    "hsa_lines": (),
    "hsa_exits": (),
    "hsa_too_wide": (),
    "hsa_negative": (),
    "hsa_text": (),
    "hsa_value": ("hsa_signal_value_t",),
    "hsa_index": (),
    "hsa_store": ("hsa_agent_t",),
    "hsa_value_raises": (),
}
TOY_RESULTS = {
    "hsa_value": "hsa_signal_value_t",
    "hsa_index": "uint64_t",
    "hsa_store": "void",
    "hsa_value_raises": "uint64_t",
}

PROTOTYPES = """
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef struct { uint64_t handle; } hsa_agent_t;
uint32_t hsa_init(void), hsa_count(void), hsa_threads(void);
uint32_t hsa_digits(uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                    uint32_t);
uint32_t hsa_is(uint64_t, const void *, int64_t, uint32_t, int, hsa_agent_t, uint8_t, bool,
                int (*)(void));
uint32_t hsa_raises(void), hsa_lines(void), hsa_exits(void);
uint32_t hsa_too_wide(void), hsa_negative(void), hsa_text(void);
int64_t hsa_value(int64_t);
uint64_t hsa_index(void), hsa_value_raises(void);
void hsa_store(hsa_agent_t);
"""


def toy_function(
    name: str, types: tuple[str, ...], result: str = "hsa_status_t", export: str = "linker"
) -> Function:
    params = tuple(Parameter(f"p{i}", type_, "in") for i, type_ in enumerate(types))
    return Function(name, "hsa.h", "toy", export, "", result, params, (), (), Versions())


def toy_registry(*functions: Function) -> Registry:
    statuses = {"HSA_STATUS_ERROR": ERROR, "HSA_STATUS_ERROR_FATAL": FATAL}
    enumerators = tuple(Enumerator(name, value, "") for name, value in statuses.items())
    status = Enum("hsa_status_t", "hsa.h", "", "", enumerators)
    agent = Struct("hsa_agent_t", "hsa.h", "", "", 8, 8, (), handle=True)
    value = Typedef("hsa_signal_value_t", "hsa.h", "", "", "int64_t")
    return Registry(
        {f.name: f for f in functions},
        {status.name: status},
        {agent.name: agent},
        {},
        Path(),
        "",
        typedefs={value.name: value},
    )


@pytest.fixture(scope="session")
def toy() -> Registry:
    """A registry of functions that do not exist, one of which only a table offers."""
    functions = [
        toy_function(n, t, TOY_RESULTS.get(n, "hsa_status_t")) for n, t in TOY_FUNCTIONS.items()
    ]
    return toy_registry(*functions, toy_function("hsa_in_a_table", (), export="table"))


@pytest.fixture
def one() -> Callable[..., Any]:
    """A function that makes a registry of one function with these types of parameters."""
    return lambda *types, result="hsa_status_t": toy_registry(
        toy_function("hsa_one", types, result)
    )


@pytest.fixture(scope="session")
def python() -> Interpreter:
    """The Python that runs this; a skip when C programs cannot start it."""
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.skip("there is no C compiler")
    return Interpreter.current()


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a toy reference, and a name that is hard to quote."""
    folder = tmp_path / 'a "folder" \\ für packages'
    (folder / "hsa_reference").mkdir(parents=True)
    (folder / "hsa_reference" / "__init__.py").write_text(TOY_REFERENCE)
    (folder / "hsa_reference" / "outside.py").write_text("abandon = attach = lambda *border: None")
    return folder


@pytest.fixture
def toy_python(python: Interpreter, package: Path) -> Interpreter:
    """This Python, with the toy reference in place of the real one."""
    return replace(python, search_path=(package,))


@pytest.fixture
def toy_library(tmp_path: Path, toy: Registry, toy_python: Interpreter) -> Path:
    """A library with the toy reference behind it."""
    return build(tmp_path / "toy", toy, toy_python)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, python: Interpreter) -> Path:
    """The library with the real reference behind it."""
    return build(tmp_path_factory.mktemp("library"), implemented(hsa_spec.load()), python)


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[..., Any]:
    """A function that compiles a C program against a library and returns the program."""

    def compile_program(
        source: str, library: Path, *options: str, prototypes: str = PROTOTYPES
    ) -> Path:
        code, program = tmp_path / "program.c", tmp_path / "program"
        code.write_text(prototypes + source)
        subprocess.run(
            [
                *(os.environ.get("CC", "cc"), "-D_GNU_SOURCE", "-O1", "-Wall", "-Werror"),
                *options,
                *("-o", program, code, "-pthread", "-L", library.parent, "-lhsa-runtime64"),
                f"-Wl,-rpath,{library.parent}",
            ],
            check=True,
        )
        return program

    return compile_program


@pytest.fixture
def run_c(compiled: Callable[..., Any]) -> Callable[..., Any]:
    """A function that compiles a C program, runs it with environment variables and returns what
    became of it."""

    def run(
        source: str, library: Path, prototypes: str = PROTOTYPES, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return run_program([compiled(source, library, prototypes=prototypes)], **variables)

    return run


@pytest.fixture
def run_python() -> Callable[..., Any]:
    """A function that runs Python code with a library's path as argument."""

    def run(
        code: str, library: Path, executable: str = sys.executable
    ) -> subprocess.CompletedProcess[str]:
        return run_program([executable, "-c", code, library])

    return run


def run_program(command: Any, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        command,
        env=environment | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
