"""What a library changes of its processes, or leaves of them, that hinders nobody."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.library.observations import Observations


@pytest.fixture
def adapter(make: Callable[..., Any]) -> Iterator[LibraryAdapter]:
    """One of its own, which has made no call yet."""
    adapter = make()
    adapter.start()
    yield adapter
    adapter.close()


def seen(adapter: LibraryAdapter, *calls: Any) -> list[str]:
    process = adapter.process()
    for call in calls:
        process.call(call)
    process.close()
    return list(adapter.observations())


def test_a_call_that_changes_its_process_is_named(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    start = "The library changes its process: fx_change "
    assert [
        f"{start}sets a handler for SIGUSR2.",
        f"{start}ignores SIGUSR1.",
        f"{start}blocks SIGALRM.",
        f"{start}sets the umask to 0077.",
        f"{start}sets the limit of address space to {1 << 46}.",
        f"{start}changes the current directory to /.",
        f"{start}sets the variable FIXTURE.",
    ] == seen(adapter, call("fx_nothing"), call("fx_change"), call("fx_nothing"))


def test_a_call_that_shuts_others_out_of_its_process_is_named(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    assert [
        "The library changes its process: fx_hide keeps others from looking at it.",
        "The library changes its process: fx_hide lets another process trace it.",
    ] == seen(adapter, call("fx_hide"))


def test_a_call_that_starts_many_threads_or_prints_much_is_named(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    start = "The library changes its process: "
    few = (call("fx_start_threads", 3), call("fx_flood", 1 << 10))
    assert [] == seen(adapter, *few)
    assert [
        f"{start}one of its functions starts 40 threads.",
        f"{start}one of its functions prints 3 MiB.",
    ] == seen(adapter, call("fx_nothing"), call("fx_start_threads", 40), call("fx_flood", 3 << 20))


def test_a_call_that_closes_or_replaces_what_programs_begin_with_is_named(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    start = "The library changes its process: "
    assert [
        f"{start}fx_close closes standard input and standard output.",
        f"{start}fx_open_all replaces standard input and standard output.",
    ] == seen(adapter, call("fx_close", 0, 1), call("fx_open_all"))


def test_a_call_that_changes_the_environment_of_its_process_is_named(
    adapter: LibraryAdapter, call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        monkeypatch.setenv(f"FIXTURE_{number}", "")
    before = "The library changes its process: fx_change_environment "
    process = adapter.process()
    process.call(call("fx_change_environment"))
    process.close()
    *lines, last = adapter.observations()
    assert [
        f"{before}changes the locale.",
        f"{before}changes how floating point numbers are rounded.",
        f"{before}changes whether tiny floating point numbers are zero.",
    ] == lines
    assert re.fullmatch(rf"{before}unsets \d+ variables\.", last)


def test_each_change_is_told_once(adapter: LibraryAdapter, call: Callable[..., Any]) -> None:
    assert seen(adapter, call("fx_change"))
    assert [] == seen(adapter, call("fx_change"))


def test_processes_that_call_nothing_new_are_looked_at_now_and_then(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    """To look at each costs too much."""
    seen(adapter, call("fx_set_variable", 0))
    lines = [line for _ in range(200) for line in seen(adapter, call("fx_set_variable", 1))]
    assert [
        "The library changes its process: one of its functions sets the variable FIXTURE."
    ] == lines


def test_a_change_by_a_later_call_is_that_of_any_function(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    """A process is looked at when it ends, and nobody has looked at each of its calls."""
    shared = call("fx_set_variable", 0), call("fx_set_variable", 1)
    line = "The library changes its process: one of its functions sets the variable FIXTURE."
    assert [line] == seen(adapter, *shared)


def test_what_the_tester_changes_is_not_the_library_s(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    process = adapter.process()
    process.set_variable("OTHER", "1")
    process.interrupt(1, 0.0, restart=True)
    process.call(call("fx_nothing"))
    process.close()
    assert [] == list(adapter.observations())


def test_shared_memory_that_a_call_leaves(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    process = adapter.process()
    process.call(call("fx_share"))
    path = Path(f"/dev/shm/fixture-{process.holdings().pid}")
    process.close()
    try:
        line = f"The library leaves behind: {path}, made by fx_share."
        assert [line] == list(adapter.observations())
    finally:
        path.unlink()


def test_shared_memory_that_goes_with_the_process_is_not_left(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    process = adapter.process()
    process.call(call("fx_share"))
    Path(f"/dev/shm/fixture-{process.holdings().pid}").unlink()
    process.close()
    assert [] == list(adapter.observations())


def test_a_process_that_stays_is_told_and_ended(
    adapter: LibraryAdapter, call: Callable[..., Any]
) -> None:
    process = adapter.process()
    child = process.call(call("fx_fork")).result
    name = Path(f"/proc/{child}/comm").read_text().strip()
    process.close()
    assert [f"The library leaves behind: the process {name}."] == list(adapter.observations())
    with pytest.raises(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def test_numbers_make_no_other_change_by_one_function() -> None:
    seen = Observations()
    seen.changed("hsa_init", ["changes the current directory to /proc/1/task"])
    seen.changed("hsa_init", ["changes the current directory to /proc/2/task"])
    seen.changed("", ["changes the current directory to /proc/3/task"])
    seen.changed("hsa_shut_down", ["changes the current directory to /proc/4/task"])
    before, task = "The library changes its process: ", "changes the current directory to /proc"
    assert [
        f"{before}hsa_init {task}/1/task.",
        f"{before}hsa_shut_down {task}/4/task.",
    ] == seen.take()


def test_numbers_make_no_other_thing_of_what_is_left() -> None:
    seen = Observations()
    seen.left([("/dev/shm/a-1", "hsa_init"), ("/dev/shm/a-2", "hsa_init"), ("/dev/shm/b", "")])
    assert [
        "The library leaves behind: /dev/shm/a-1, made by hsa_init.",
        "The library leaves behind: /dev/shm/b.",
    ] == seen.take()
    assert [] == seen.take()
