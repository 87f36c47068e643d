"""Processes that end: crashes, hangs, exits, and libraries that attack their tester."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hsa_adapters import AdapterError, Call, Ended, LibraryAdapter, Outcome
from hsa_adapters.library.process import WorkerProcess
from hsa_adapters.worker.resources import process_state
from hsa_adapters.worker.supervision.call_budget import LOAD


def ending(process: WorkerProcess, call: Call) -> Ended:
    with pytest.raises(Ended) as caught:
        process.call(call)
    return caught.value


def test_a_crash_names_the_call_and_the_signal(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """A null pointer that the library follows is an answer, too."""
    fatal = call("fx_store", 0, 1)
    ended = ending(process, fatal)
    assert ("CRASH", "SIGSEGV", fatal) == (ended.kind, ended.detail, ended.call)


def test_a_crash_in_a_batch_names_the_call_in_it(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The write-ahead record tells which of the calls it was."""
    calls = [call("fx_add", 1, 1), call("fx_add", 2, 2), call("fx_abort"), call("fx_add", 3, 3)]
    with pytest.raises(Ended) as caught:
        process.batch(calls)
    assert calls[2] is caught.value.call


def test_an_abort_comes_with_the_last_words(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """What was printed before the end is reported, although it was never flushed."""
    ended = ending(process, call("fx_abort"))
    assert ("SIGABRT", "about to abort\n") == (ended.detail, ended.stderr)


def test_an_ended_process_stays_ended(
    adapter: LibraryAdapter, process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Every later use says the same; a fresh process works."""
    first = ending(process, call("fx_abort"))
    assert ending(process, call("fx_nothing")) is first
    process.close()
    fresh = adapter.process()
    assert fresh.call(call("fx_add", 1, 1)) == Outcome(2)
    fresh.close()


def test_an_exit_is_told_from_a_crash(process: WorkerProcess, call: Callable[..., Any]) -> None:
    """A library that leaves the process is reported with its status."""
    ended = ending(process, call("fx_exit", 3))
    assert ("EXIT", "exit status 3") == (ended.kind, ended.detail)


def test_an_exit_with_status_zero_is_no_success(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Leaving is leaving."""
    ended = ending(process, call("fx_exit", 0))
    assert ("EXIT", "exit status 0") == (ended.kind, ended.detail)


@pytest.mark.skipif(process_state.is_filtered(), reason="system calls are filtered here already")
def test_a_filter_that_ends_the_process_does_so_after_the_call_that_sets_it(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """It would do so in any later call, which is innocent."""
    fatal = call("fx_forbid", True)
    ended = ending(process, fatal)
    assert (fatal, "SIGSYS", True) == (ended.call, ended.detail, ended.returned)


@pytest.mark.skipif(process_state.is_filtered(), reason="system calls are filtered here already")
def test_a_filter_that_ends_no_process_is_no_end(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    process.call(call("fx_forbid", False))
    assert Outcome(2) == process.call(call("fx_add", 1, 1))


def test_a_call_that_overwrites_the_record_of_calls_answers_for_it(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """What the record says then is no call of anybody and no time limit."""
    fatal = call("fx_scribble")
    with pytest.raises(Ended) as caught:
        process.batch([call("fx_nothing"), fatal, call("fx_add", 1, 1)])
    ended = caught.value
    assert ("CRASH", fatal, True) == (ended.kind, ended.call, ended.returned)
    assert "wrote into memory of the tester" == ended.detail


def test_a_thread_that_overwrites_the_record_of_calls_answers_for_it(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    fatal = call("fx_scribble")
    process.start(fatal)
    with pytest.raises(Ended) as caught:
        process.settle(0.2)
    ended = caught.value
    assert ("CRASH", fatal) == (ended.kind, ended.call)
    assert "wrote into memory of the tester" == ended.detail


@pytest.mark.parametrize("function", ["fx_hang", "fx_spin"])
def test_a_hang_is_ended_within_its_budget(
    process: WorkerProcess, call: Callable[..., Any], function: str
) -> None:
    """The report tells what the threads did; a debugger, or a load, may take seconds more."""
    fatal = call(function, budget=0.2)
    start = time.monotonic()
    ended = ending(process, fatal)
    assert time.monotonic() - start < 8 + LOAD
    assert ("HANG", fatal) == (ended.kind, ended.call)
    assert "thread" in ended.seen
    assert "state" in ended.seen


def test_a_process_that_hangs_between_calls_is_ended_and_no_call_is_named(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """A library that broke the heap may catch the process anywhere."""
    os.kill(process.holdings().pid, signal.SIGSTOP)
    ended = ending(process, call("fx_nothing"))
    assert ("HANG", None) == (ended.kind, ended.call)
    assert "the process did not answer within its budget" == ended.detail


def test_a_hang_in_a_batch_names_the_call_in_it(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Each call has its own budget."""
    calls = [call("fx_nothing", budget=0.3), call("fx_hang", budget=0.3)]
    with pytest.raises(Ended) as caught:
        process.batch(calls)
    assert ("HANG", calls[1]) == (caught.value.kind, caught.value.call)


def test_a_process_killed_between_calls_is_reported_without_a_call(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Nothing is blamed on the next call."""
    child = process.call(call("fx_fork")).result
    parent = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1]
    os.kill(int(parent), signal.SIGBUS)
    time.sleep(0.1)
    ended = ending(process, call("fx_nothing"))
    assert ("CRASH", "SIGBUS", None) == (ended.kind, ended.detail, ended.call)


def test_what_the_library_forked_ends_with_its_process(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Even when it left the process group."""
    child = process.call(call("fx_fork")).result
    assert Path(f"/proc/{child}").exists()
    process.close()
    assert not Path(f"/proc/{child}").exists()


def test_closing_low_descriptors_does_no_harm(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The conversation is not at numbers that a library would close by accident."""
    process.call(call("fx_close", 0, 100))
    assert process.call(call("fx_add", 1, 1)) == Outcome(2)
    assert process.descriptors() == {}


def test_closing_everything_up_to_the_limit_does_no_harm(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The conversation is above the limit that the library sees."""
    process.call(call("fx_close", 0, process.call(call("fx_limit")).result))
    assert process.call(call("fx_add", 1, 1)) == Outcome(2)


def test_closing_really_everything_is_an_exit(
    adapter: LibraryAdapter, process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The worker survives it and serves the next process."""
    ended = ending(process, call("fx_close_range"))
    assert ("EXIT", "the library closed the descriptors of the tester") == (
        ended.kind,
        ended.detail,
    )
    fresh = adapter.process()
    assert fresh.call(call("fx_add", 1, 1)) == Outcome(2)
    fresh.close()


def test_using_up_all_descriptors_leaves_the_worker_its_own(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Looking at descriptors and mappings still works."""
    count = process.call(call("fx_open_all")).result
    assert len(process.descriptors()) == count
    assert process.mappings() > 0
    assert process.read(0, 1) is None


def test_babble_on_every_descriptor_is_a_crash_and_no_confusion(
    adapter: LibraryAdapter, process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Words that the library writes into the conversation are quoted in the report."""
    limit = process.call(call("fx_limit")).result
    ended = ending(process, call("fx_babble", 3, limit + 64))
    assert ("CRASH", "wrote into a descriptor of the tester") == (ended.kind, ended.detail)
    assert "babble" in ended.stderr
    fresh = adapter.process()
    assert fresh.call(call("fx_add", 1, 1)) == Outcome(2)
    fresh.close()


def test_babble_of_a_peer_is_a_crash_and_no_confusion(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The conversation of a peer is watched as closely."""
    peer = process.peer()
    limit = peer.call(call("fx_limit")).result
    ended = ending(peer, call("fx_babble", 3, limit + 64))
    assert ("CRASH", "wrote into a descriptor of the tester") == (ended.kind, ended.detail)


def test_signals_to_parent_and_group_do_not_reach_the_worker(
    adapter: LibraryAdapter, process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Only the process itself ends."""
    ended = ending(process, call("fx_terminate"))
    assert ("CRASH", "SIGTERM") == (ended.kind, ended.detail)
    fresh = adapter.process()
    assert fresh.call(call("fx_add", 1, 1)) == Outcome(2)
    fresh.close()


def test_a_peer_that_ends_leaves_the_process_alive(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """Its end is its own, with its own call."""
    peer = process.peer()
    fatal = call("fx_abort")
    ended = ending(peer, fatal)
    assert ("CRASH", "SIGABRT", fatal, "about to abort\n") == (
        ended.kind,
        ended.detail,
        ended.call,
        ended.stderr,
    )
    assert process.call(call("fx_add", 1, 1)) == Outcome(2)
    assert process.peer().call(call("fx_add", 1, 1)) == Outcome(2)


def test_a_peer_that_hangs_is_ended_within_its_budget(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The first process waits for it no longer than that."""
    peer = process.peer()
    assert ending(peer, call("fx_hang", budget=0.2)).kind == "HANG"
    assert process.call(call("fx_add", 1, 1)) == Outcome(2)


def test_the_end_of_a_process_is_the_end_of_its_peer(
    process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """A peer without its first process is gone, too."""
    peer = process.peer()
    first = ending(process, call("fx_abort"))
    assert ending(peer, call("fx_nothing")) is first


def test_everything_ends_when_the_parent_hangs_up(
    make: Callable[..., Any], call: Callable[..., Any]
) -> None:
    """Closing the adapter ends a process even in the middle of nothing."""
    adapter = make()
    adapter.start()
    process = adapter.process()
    worker = process.call(call("fx_parent")).result
    child = process.call(call("fx_fork")).result
    adapter.close()
    assert not Path(f"/proc/{worker}").exists()
    assert not Path(f"/proc/{child}").exists()


def test_a_worker_that_is_stopped_ends_when_the_parent_is_killed(
    make: Callable[..., LibraryAdapter],
) -> None:
    source, sink = os.pipe()
    suite = os.fork()
    if not suite:
        adapter = make()
        adapter.start()
        process = adapter.process()
        own = process.holdings().pid
        status = Path(f"/proc/{own}/stat").read_text().rpartition(")")[2].split()
        os.write(sink, status[1].encode())
        os.kill(int(status[1]), signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGKILL)
    worker = os.pidfd_open(int(os.read(source, 16)))
    os.waitpid(suite, 0)
    gone = select.poll()
    gone.register(worker, select.POLLIN)
    assert gone.poll(60_000), "it is still there"
    for descriptor in (source, sink, worker):
        os.close(descriptor)


def test_an_interrupted_call_costs_its_worker_only(
    adapter: LibraryAdapter, process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """The adapter goes on with another worker after Control-C."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            process.call(call("fx_hang"))
    finally:
        signal.signal(signal.SIGALRM, before)
    process.close()
    fresh = adapter.process()
    assert fresh.call(call("fx_add", 1, 1)) == Outcome(2)
    fresh.close()


@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("struck", [signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV])
def test_a_call_that_strikes_the_worker_answers_for_its_process(
    make: Callable[..., Any], call: Callable[..., Any], struck: signal.Signals, group: bool
) -> None:
    """Nobody watches a process whose worker is stopped; what it says then proves nothing."""
    adapter = make()
    adapter.start()
    process = adapter.process()
    strikes = call("fx_strike", int(struck), group)

    def calls() -> None:
        process.call(strikes)
        # A signal takes its time, and the process may answer meanwhile.
        process.close()

    with pytest.raises(Ended) as caught:
        calls()
    ended = caught.value
    detail = f"{struck.name} to the process that watches it"
    assert ("CRASH", detail, strikes) == (ended.kind, ended.detail, ended.call)
    assert adapter.process().call(call("fx_add", 1, 1)) == Outcome(2)


def test_a_worker_that_stops_for_a_moment_goes_on(
    adapter: LibraryAdapter, process: WorkerProcess, call: Callable[..., Any]
) -> None:
    """As it does when a terminal stops a run and lets it go on."""
    worker = process.call(call("fx_parent")).result
    os.kill(worker, signal.SIGSTOP)
    later = threading.Timer(0.05, os.kill, (worker, signal.SIGCONT))
    later.start()
    assert process.call(call("fx_add", 1, 1)) == Outcome(2)
    later.join()
    process.close()
    fresh = adapter.process()
    assert worker == fresh.call(call("fx_parent")).result
    fresh.close()


def test_a_worker_that_gives_up_is_an_error_of_the_adapter(
    make: Callable[..., Any], call: Callable[..., Any]
) -> None:
    """No signal has ended it, so it is nobody's crash."""
    adapter = make(via='sh -c "{quoted}; exit 3"')
    adapter.start()
    process = adapter.process()
    os.kill(process.call(call("fx_parent")).result, signal.SIGKILL)

    def calls() -> None:
        for _ in range(1000):
            process.call(call("fx_nothing"))
            time.sleep(0.01)

    with pytest.raises(AdapterError, match="exit status 3"):
        calls()
