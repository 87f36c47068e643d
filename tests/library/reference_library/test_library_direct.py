"""Functions that C answers alone: as the reference does, and without it."""

from __future__ import annotations

import ctypes
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

import hsa_spec
from hsa_reference import implemented, memory
from hsa_reference.core.queues.queue import READ_INDEX, WRITE_INDEX
from hsa_reference.library import Interpreter, build
from hsa_reference.native import Direct
from hsa_reference.topics import direct
from tests.library.reference.reference_client import Client
from tests.library.reference_library import test_library_signals

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "reference-library.md"
VALUE = 8  # offset of a signal's value
BEFORE = -3  # what is in a signal or an index before each call
#: What the operations take behind the object; all others take one value.
OPERANDS = {"load": (), "cas": (BEFORE, 6)}


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client("one_gpu")
    client.ok("hsa_init")
    yield client
    client.finish()


@pytest.fixture
def alone(tmp_path: Path, python: Interpreter) -> ctypes.CDLL:
    """A library that cannot start, so that whatever it answers is answered by C."""
    registry = implemented(hsa_spec.load())
    functions = {name: f for name, f in registry.functions.items() if name in direct()}
    registry = replace(registry, functions=functions)
    return ctypes.CDLL(str(build(tmp_path, registry, replace(python, prefix=tmp_path))))


def objects(client: Client) -> dict[str, int]:
    """Return a signal and a queue that nothing processes, by the start of the functions' names."""
    _, gpu = client.agents()
    queue = client.ok("hsa_queue_create", gpu, 64, 0, 0, 0, 0, 0, Client.OUT)
    client.ok("hsa_queue_inactivate", queue)
    return {
        "hsa_signal": client.ok("hsa_signal_create", 0, 0, 0, Client.OUT),
        "hsa_queue": queue,
    }


def done_to(call: Callable[..., int], name: str, found: dict[str, int]) -> tuple[int, ...]:
    """Return what a function answers, and what is in the object after it."""
    kind = name[: name.index("_", len("hsa_"))]
    offsets = {"hsa_signal": (VALUE,), "hsa_queue": (READ_INDEX, WRITE_INDEX)}[kind]
    for offset in offsets:
        memory.store(found[kind] + offset, BEFORE % 2**64, 8)
    operation = re.sub("^signal_|_64$", "", direct()[name].operation)
    answer = call(found[kind], *OPERANDS.get(operation, (6,)))
    return answer % 2**64, *(memory.load(found[kind] + offset, 8) for offset in offsets)


def in_c(library: ctypes.CDLL, name: str, function: Direct) -> Callable[..., int]:
    """Return a function of the C library that takes and returns numbers of 64 bits."""
    called = library[name]
    called.restype = ctypes.c_int64

    def call(*values: int) -> int:
        answer: int = called(*map(ctypes.c_int64, values))
        return answer if function.returns else 0

    return call


def test_c_does_and_answers_what_the_reference_does(client: Client, alone: ctypes.CDLL) -> None:
    found = objects(client)
    functions = direct()

    expected = {n: done_to(client.functions[n], n, found) for n in functions}
    actual = {n: done_to(in_c(alone, n, f), n, found) for n, f in functions.items()}

    assert expected == actual


def test_only_functions_without_a_status_are_answered_by_c() -> None:
    """There is no check to make for them: a status would be an answer to wrong arguments."""
    registry = hsa_spec.load()

    assert {"hsa_signal_value_t", "uint64_t", "void"} == {
        registry.functions[name].result for name in direct()
    }


def test_the_page_names_each_function_that_c_answers() -> None:
    patterns = re.findall(r"^\| `(hsa_\S+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    registry = implemented(hsa_spec.load())

    assert sorted(direct()) == sorted(
        name for name in registry.functions if any(fnmatch(name, p) for p in patterns)
    )


@pytest.mark.parametrize(
    "end", ["DO(hsa_signal_destroy(signal))", "DO(hsa_shut_down())"], ids=["destroyed", "shut down"]
)
def test_a_signal_that_is_gone_ends_the_process_with_a_line(
    run_c: Callable[..., Any], library: Path, end: str
) -> None:
    done = run_c(
        """
int main(void)
{
    hsa_signal_t signal;
    DO(hsa_init());
    DO(hsa_signal_create(7, 0, NULL, &signal));
    END;
    printf("%d", (int)hsa_signal_load_scacquire(signal));
}
""".replace("END", end),
        library,
        test_library_signals.PROTOTYPES,
    )

    assert ("", -signal.SIGABRT) == (done.stdout, done.returncode)
    assert "is no live signal: call with what hsa_signal_create gave" in done.stderr


def test_a_handler_of_a_posix_signal_can_end_a_wait(
    run_c: Callable[..., Any], library: Path
) -> None:
    """What C answers alone may be called where the thread is in the middle of another call."""
    done = run_c(
        """
#include <signal.h>
#include <sys/time.h>
static hsa_signal_t done, left;
static void tick(int number)
{
    (void)number;
    hsa_signal_subtract_scacq_screl(left, 1);
    if (hsa_signal_load_scacquire(left) <= 0)
        hsa_signal_store_screlease(done, 1);
}
int main(void)
{
    struct sigaction action = {.sa_handler = tick};
    struct itimerval often = {{0, 1000}, {0, 1000}};
    DO(hsa_init());
    DO(hsa_signal_create(0, 0, NULL, &done));
    DO(hsa_signal_create(50, 0, NULL, &left));
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    printf("%d", (int)hsa_signal_wait_scacquire(done, EQ, 1, FOREVER, 0));
    while (hsa_signal_load_scacquire(left) > -50) {
        hsa_signal_t made;
        DO(hsa_signal_create(0, 0, NULL, &made));
        DO(hsa_signal_destroy(made));
    }
    often = (struct itimerval){0};
    setitimer(ITIMER_REAL, &often, NULL);
    DO(hsa_shut_down());
}
""",
        library,
        test_library_signals.PROTOTYPES,
    )

    assert ("1", "", 0) == (done.stdout, done.stderr, done.returncode)
