"""Processes that are ended, copied and interrupted by the suite, and what stays of them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import Call, LibraryAdapter, Process
from hsa_adapters.ends import HANG, ORDERLY, End, Holdings
from hsa_adapters.library.process import WorkerProcess


@pytest.mark.parametrize(
    ("how", "end"),
    [
        ("exit", ORDERLY),
        ("leave", ORDERLY),
        ("unload", ORDERLY),
        ("abort", "SIGABRT"),
        ("kill", "SIGKILL"),
    ],
)
def test_a_process_ends_as_it_is_told_to(process: WorkerProcess, how: str, end: str) -> None:
    """Each way to end is told by its exit status or its signal."""
    assert end == process.end(how).how


def test_a_handler_that_aborts_at_exit(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """What a library does at exit counts, and its last words are there; _exit asks nobody."""
    process.call(call("fx_at_exit", 0))
    assert End("SIGABRT", "about to abort\n") == process.end("exit")


def test_a_process_that_hangs_at_exit(
    make: Callable[..., LibraryAdapter], call: Callable[..., Any]
) -> None:
    """A process that does not end in the time of a call is told as a hang, and is ended."""
    adapter = make(budget=0.5)
    adapter.start()
    process = adapter.process()
    process.call(call("fx_at_exit", 1))
    assert HANG == process.end("exit").how
    assert adapter.process().call(call("fx_add", 1, 2)).result == 3


def test_the_end_of_a_peer(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """A peer ends alone: the process goes on, and can have another one."""
    assert "SIGKILL" == process.peer().end("kill").how
    assert process.peer().call(call("fx_add", 1, 2)).result == 3


def test_a_copy_makes_its_calls_and_ends(process: WorkerProcess) -> None:
    """A copy that fork makes tells what its calls answered, and the process goes on."""
    end = process.fork(["fx_limit", "fx_limit"], "exit", 5.0)
    limit = process.call(Call("fx_limit", ())).result
    assert End(ORDERLY, answers=(limit, limit)) == end


def test_a_copy_that_hangs(process: WorkerProcess) -> None:
    """A copy that does not end in its time is ended, and the process goes on."""
    assert HANG == process.fork(["fx_hang"], "exit", 0.2).how
    assert "SIGABRT" == process.fork(["fx_abort"], "exit", 5.0).how


def test_a_copy_that_closes_descriptors(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """It ends as it is told to, or as one that cannot; it never goes on as the process itself."""
    assert ORDERLY == process.fork(["fx_close_all"], "exit", 5.0).how
    assert "exit status 70" == process.fork(["fx_close_range"], "exit", 5.0).how
    assert process.call(call("fx_add", 1, 2)).result == 3


def test_a_copy_of_a_process_that_does_not_wait_for_its_children(
    make: Callable[..., LibraryAdapter], call: Callable[..., Any]
) -> None:
    """The kernel forgets at once how a child ends whose parent ignores SIGCHLD."""
    adapter = make()
    adapter.start()
    process = adapter.process()
    process.call(call("fx_ignore", signal.SIGCHLD))
    assert ORDERLY == process.fork(["fx_limit"], "exit", 5.0).how
    assert "SIGABRT" == process.fork(["fx_abort"], "exit", 5.0).how
    changed = "The library changes its process: fx_ignore ignores SIGCHLD."
    process.close()
    assert changed in adapter.observations()


def test_shared_memory_that_stays(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """A file of shared memory that a process has mapped is found once the process is gone."""
    peer = process.peer()
    peer.call(call("fx_share"))
    holdings = peer.holdings()
    path = Path(f"/dev/shm/fixture-{holdings.pid}")
    try:
        assert [str(path)] == [name for name, *_ in holdings.files]
        peer.end("kill")
        assert [f"the file {path}"] == process.left_by(holdings)
    finally:
        path.unlink()
    assert [] == process.left_by(holdings)


def test_a_closed_file_that_bears_the_number_of_a_process(process: WorkerProcess) -> None:
    """A file that is neither open nor mapped is its own if its name has the process's number."""
    peer = process.peer()
    number = peer.holdings().pid
    paths = [Path(f"/dev/shm/fixture-{number}.lock"), Path(f"/dev/shm/fixture-{number}0")]
    try:
        for path in paths:
            path.touch()
        holdings = peer.holdings()
        peer.end("kill")
        assert [f"the file {paths[0]}"] == process.left_by(holdings)
    finally:
        for path in paths:
            path.unlink()


def test_a_process_that_stays(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """A process that a peer has started and left is found once the peer is gone."""
    peer = process.peer()
    holdings = peer.holdings()
    peer.call(call("fx_fork"))
    peer.end("exit")
    assert 1 == len(process.left_by(holdings))


def test_nothing_stays(process: WorkerProcess) -> None:
    """Of a process that made nothing, nothing stays."""
    peer = process.peer()
    holdings = peer.holdings()
    peer.end("abort")
    assert ((), []) == (holdings.files, process.left_by(holdings))


def test_descriptors_that_a_program_inherits(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Descriptors that are not closed when a program is executed are told, and no others."""
    assert {} == process.inherited()
    process.open_file(8)
    process.call(call("fx_open_all"))
    inherited = process.inherited()
    assert {"/dev/null"} == set(inherited.values())
    assert len(inherited) == len(process.descriptors()) - 1


def test_a_signal_interrupts_a_sleep(either: Process, call: Callable[..., Any]) -> None:
    """Each thread handles the signal, also the one that makes a call, and lives."""
    either.start(call("fx_sleep", 3000))
    either.interrupt(1, 0.02, restart=False)
    assert 0 < either.join().result < 3000


def test_what_a_process_of_others_does_not_do(either: Process) -> None:
    """Where the process is not the library's alone, it is neither ended nor copied."""
    if isinstance(either, WorkerProcess):
        pytest.skip("it is the library's alone")
    assert (None, None) == (either.end("exit"), either.fork([], "exit", 1.0))
    assert None is either.inherited()
    assert (Holdings(os.getpid()), ()) == (either.holdings(), either.left_by(Holdings(1)))
